/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/estimate.h - from sampled trials to totals with intervals. Pure: same record, same
 * answer. The formulas are in docs/method.md, with the symbols used here.
 *
 * May include: base, record.
 */
#ifndef ESTIMATE_ESTIMATE_H
#define ESTIMATE_ESTIMATE_H

#include "record/record.h"

/** The confidence of every interval. */
#define ESTIMATE_CONFIDENCE 0.95

/** A total and its 95 % interval: lo <= est <= hi. Bytes, or seconds. */
struct estimate {
    double est;
    double lo;
    double hi;
    /** Every unique chunk was trialled: lo == est == hi is a count, not an estimate. */
    bool is_exact;
    /** False when nothing was trialled, so nothing is known; the numbers are 0. */
    bool is_known;
};

/**
 * What a target keeps of a chunk: bytes stored for a codec's raw result (for Borg the smaller of
 * the two). Without headers, so that it is a function of these alone. Pure.
 */
typedef uint64_t (*estimate_stored_fn)(uint32_t chunk_bytes, uint32_t raw_bytes,
                                       struct cadv_level level);

/**
 * Stored bytes of all unique chunks of `population` at every level of `levels` (a record's list);
 * `out` has levels->count places. Sums are integers where a level was trialled whole.
 * CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status estimate_sizes(const struct record_population *population,
                                const struct cadv_level_list *levels, estimate_stored_fn stored,
                                struct estimate *out, struct cadv_error *err);

/** Two levels by index in a record's list. */
struct estimate_pair {
    size_t from;
    size_t to;
};

/**
 * Stored bytes at each pair's `from` less those at its `to`, with the interval of the difference:
 * much narrower than those of the two totals, since both are estimated from the same chunks.
 * lo <= est <= hi, any of them may be negative. `out` has `count` places. What obfuscation adds is
 * left out. CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status estimate_differences(const struct record_population *population,
                                      const struct cadv_level_list *levels,
                                      estimate_stored_fn stored,
                                      const struct estimate_pair *pairs, size_t count,
                                      struct estimate *out, struct cadv_error *err);

/** The difference of two estimates of which nothing is known together: the squares of their half
 * widths add. */
struct estimate estimate_unrelated(const struct estimate *from, const struct estimate *to);

/** Which time of a trial. */
enum estimate_time { ESTIMATE_COMPRESS = 0, ESTIMATE_DECOMPRESS };

/** CPU seconds to compress, or to decompress, all unique chunks; as estimate_sizes(). */
enum cadv_status estimate_times(const struct record_population *population,
                                const struct cadv_level_list *levels, enum estimate_time which,
                                struct estimate *out, struct cadv_error *err);

/** Bytes in unique chunks that do not shrink at a level (raw >= chunk); as estimate_sizes(). */
enum cadv_status estimate_incompressible(const struct record_population *population,
                                         const struct cadv_level_list *levels,
                                         struct estimate *out, struct cadv_error *err);

#endif
