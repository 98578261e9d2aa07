/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/difference.h - how far two levels of one stratum are apart. Both are estimated from
 * the same chunks and mostly through the same ancestors in the chain, so what those are off by
 * cancels, and the difference is known better than either total. docs/method.md, "Differences".
 */
#ifndef ESTIMATE_DIFFERENCE_H
#define ESTIMATE_DIFFERENCE_H

#include "estimate/chain.h"

/**
 * Level `from` less level `to` as if it were a level: total, variances, floor and the totals of
 * the jackknife. `levels` is what chain_run() gave for one stratum. seen_total and seen_bytes are
 * left 0: a difference has no bounds that are certain.
 */
struct chain_level difference_of(const struct chain_level *levels, size_t from, size_t to);

#endif
