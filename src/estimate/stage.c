/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/stage.h"

#include <math.h>

/* The floor counts like so many trials with the prior's scatter; it fades as trials grow. */
#define FLOOR_TRIALS 4.0

/* A leverage close to 1 leaves no residual to divide. */
#define LEVERAGE_MAX 0.95

struct stage_trial stage_trial_at(const struct stage *stage, size_t rank)
{
    const struct record_chunk *chunk = &stage->stratum->chunks[rank];
    struct stage_trial seen = {.x = (double)chunk->bytes, .weight = 1.0};
    seen.y = measure_value(stage->measure, chunk->bytes, &stage->trials[rank], stage->level);
    if (stage->is_on_probes) {
        seen.p = (double)chunk->probe_bytes;
    } else if (stage->parent_trials != NULL) {
        seen.p = measure_value(stage->measure, chunk->bytes, &stage->parent_trials[rank],
                               stage->parent_level);
    }
    if (stage->sizes[rank] < stage->threshold) {
        seen.weight = stage->threshold / stage->sizes[rank];
    }
    return seen;
}

/* Of n quantities: their sum, and how many equal ones would vary as much. For squares of normal
   variables the latter is n/3, whence the factor. */
static double effective_count(double sum, double sum_of_squares)
{
    return sum_of_squares > 0.0 ? 3.0 * sum * sum / sum_of_squares : 0.0;
}

/* Sums over the trials, of addends and of their squares. */
struct tally {
    double variance;
    double variance_sq;
    double floor;
    double floor_sq;
};

static void add_trial(const struct stage_part *parts, size_t count, size_t rank,
                      struct tally *tally)
{
    double error = 0.0;
    double scatter = 0.0;
    double scale = 0.0;
    for (size_t i = 0; i < count; i++) {
        const struct stage *stage = parts[i].stage;
        struct stage_trial seen = stage_trial_at(stage, rank);
        double expected = wls_predict(&stage->fit, seen.x, seen.p);
        double leverage =
            wls_leverage(&stage->sums, stage->fit.model, seen.weight, seen.x, seen.p);
        error += parts[i].share * (seen.y - expected) / (1.0 - fmin(leverage, LEVERAGE_MAX));
        scatter += parts[i].share * parts[i].share * parts[i].prior * expected * expected;
        scale = seen.weight * (seen.weight - 1.0);
    }
    double variance = scale * error * error;
    double floor = scale * scatter;
    tally->variance += variance;
    tally->variance_sq += variance * variance;
    tally->floor += floor;
    tally->floor_sq += floor * floor;
}

struct stage_variance stage_vary(const struct stage_part *parts, size_t count)
{
    const size_t trials = parts[0].stage->count;
    int covariates = 0;
    for (size_t i = 0; i < count; i++) {
        CADV_ASSERT(parts[i].stage->count == trials);
        int own = wls_covariates(parts[i].stage->fit.model);
        covariates = own > covariates ? own : covariates;
    }
    struct tally tally = {0};
    for (size_t rank = 0; rank < trials; rank++) {
        add_trial(parts, count, rank, &tally);
    }

    double random_trials = effective_count(tally.floor, tally.floor_sq) / 3.0;
    struct stage_variance out = {.floor = tally.floor * FLOOR_TRIALS /
                                          (random_trials + FLOOR_TRIALS)};
    double freedom = fmin((double)trials, effective_count(tally.variance, tally.variance_sq)) -
                     (double)covariates;
    out.variance = out.floor + (trials > (size_t)covariates ? tally.variance : 0.0);
    out.variance_sq_per_df = out.variance * out.variance / fmax(freedom, 1.0);
    return out;
}
