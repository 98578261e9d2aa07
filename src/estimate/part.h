/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/part.h - a part of a population as a population of its own, so that every estimate of
 * the whole can be had of the part: of its small chunks, say.
 *
 * The chunks of a part, in the order of the whole, are again the head of an ordering: that of the
 * part alone. So nothing about the estimator changes; only the sample is smaller by the part's
 * share, and the interval wider. docs/method.md, "Parts".
 */
#ifndef ESTIMATE_PART_H
#define ESTIMATE_PART_H

#include "base/error.h"
#include "record/record.h"

/** Exact numbers of a part's unique chunks, by stratum. */
struct part_counts {
    uint64_t unique_chunks[RECORD_STRATUM_COUNT];
    uint64_t unique_bytes[RECORD_STRATUM_COUNT];
};

/** True when `chunk` belongs to the part; must be so for exactly the chunks counted. */
typedef bool (*part_fn)(const struct record_chunk *chunk, const void *ctx);

/**
 * Copies the part of `whole` that `belongs` names into *part, for the first `level_count` levels;
 * free it with record_population_fini(). CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status part_init(struct record_population *part,
                           const struct record_population *whole, size_t level_count,
                           part_fn belongs, const void *ctx, const struct part_counts *counts,
                           struct cadv_error *err);

#endif
