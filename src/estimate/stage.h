/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/stage.h - one level in one stratum: its trials, fitted on the sizes of chunks and on
 * their values at one other level, and what the residuals say of the total that follows.
 */
#ifndef ESTIMATE_STAGE_H
#define ESTIMATE_STAGE_H

#include "estimate/measure.h"
#include "estimate/wls.h"

struct stage {
    const struct record_stratum *stratum;
    const struct measure *measure;
    /** z of the head's chunks, by rank; lent. */
    const double *sizes;
    /** Trials: ranks below `count`. */
    size_t count;
    const struct record_trial *trials;
    struct cadv_level level;
    /** The parent is the probes. */
    bool is_on_probes;
    /** NULL without a parent level. */
    const struct record_trial *parent_trials;
    struct cadv_level parent_level;
    /** Priority of the first chunk left out. */
    double threshold;
    /** PRIOR_ALONE or the gap to the parent. */
    double prior;
    /** The fit, and the sums it was made of. */
    struct wls_sums sums;
    struct wls_fit fit;
};

/** One trial as the regression sees it. */
struct stage_trial {
    double x;
    double p;
    double y;
    /** 1 / inclusion probability. */
    double weight;
};

struct stage_trial stage_trial_at(const struct stage *stage, size_t rank);

/** What residuals say of an estimate. */
struct stage_variance {
    /** The variance, floor included, and its square over its degrees of freedom. */
    double variance;
    double variance_sq_per_df;
    /** The floor alone. */
    double floor;
};

/** A stage's share of an error, and the prior variance that its floor is made of. */
struct stage_part {
    const struct stage *stage;
    double share;
    double prior;
};

/**
 * The variance (HC3) of the sum of the parts' errors, each times its share. All have as many
 * trials, so they are of the same chunks, and their residuals are added chunk by chunk: what two
 * levels have in common cancels. `count` is at least 1.
 */
struct stage_variance stage_vary(const struct stage_part *parts, size_t count);

#endif
