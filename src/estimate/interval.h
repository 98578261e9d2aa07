/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate/interval.h - strata added up, and the interval around the sum. */
#ifndef ESTIMATE_INTERVAL_H
#define ESTIMATE_INTERVAL_H

#include "estimate/chain.h"

/**
 * The sum over all strata, and the interval around it: the wider of the residual and the jackknife
 * t interval. Not known when one stratum is not. May be negative; for differences.
 */
struct estimate interval_free(const struct chain_level *const strata[RECORD_STRATUM_COUNT]);

/**
 * The total of one level over all strata: strata[s] is the level's result in stratum s, and
 * `unique_bytes` their chunks' bytes together. As interval_free(), cut to what is certain: at
 * least what was seen and, with `is_capped`, at most that plus the bytes not seen.
 */
struct estimate interval_make(const struct chain_level *const strata[RECORD_STRATUM_COUNT],
                              uint64_t unique_bytes, bool is_capped);

#endif
