/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/chain.h - one stratum: from cheap levels on many chunks to dear ones on few.
 *
 * Every level is fitted on its own trials and applied to exact totals of size and to the
 * parent's estimated total. Beside each total stand the two variances docs/method.md explains,
 * the one from residuals (HC3) and the one from leaving out groups (the jackknife of the whole
 * chain), and the floor that tiny samples get.
 */
#ifndef ESTIMATE_CHAIN_H
#define ESTIMATE_CHAIN_H

#include "estimate/measure.h"

/** Groups of the jackknife: rank modulo this. More groups cost time; fewer, degrees of freedom.
 */
#define CHAIN_GROUPS 20

struct chain_level {
    /** False when the level has no trials although the stratum has chunks. */
    bool is_known;
    /** Every chunk was trialled; total is the sum and all variances are 0. */
    bool is_exact;
    double total;
    /** Exact sum over the chunks that were trialled, and their bytes. */
    double seen_total;
    uint64_t seen_bytes;
    /** Variance from residuals, floor included, and V^2/df summed over the chain's stages. */
    double residual_variance;
    double residual_variance_sq_per_df;
    /** The floor alone. */
    double floor_variance;
    /** The jackknife's totals, one with each group left out; equal to total when exact. */
    double without_group[CHAIN_GROUPS];
};

/**
 * Fills out[level index] for every level of the list. Level `none` needs no trials.
 * CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status chain_run(const struct record_stratum *stratum,
                           const struct cadv_level_list *levels, const struct measure *measure,
                           struct chain_level *out, struct cadv_error *err);

#endif
