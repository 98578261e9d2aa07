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

#include "estimate/stage.h"

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
    /** Index of the level it is built on, PARENT_PROBE or PARENT_NONE; what it takes over of that level's error
     * is stage.fit.beta_p. */
    size_t parent;
    /** How it was estimated; all zero when it is exact. */
    struct stage stage;
    /** The variance of this stage alone, and that of all stages up the chain. */
    struct stage_variance own;
    struct stage_variance chain;
    /** The jackknife's totals, one with each group left out; equal to total when exact. */
    double without_group[CHAIN_GROUPS];
};

/**
 * Fills out[level index] for every level of the list. Level `none` needs no trials. `sizes` is z of
 * the head's chunks by rank, and must outlive `out`.
 */
void chain_run(const struct record_stratum *stratum, const double *sizes,
               const struct cadv_level_list *levels, const struct measure *measure,
               struct chain_level *out);

#endif
