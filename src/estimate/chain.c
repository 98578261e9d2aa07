/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "estimate/parent.h"
#include "estimate/prior.h"
#include "estimate/wls.h"
#include "record/derived.h"

/* With fewer trials a level is a plain multiple of its parent: two coefficients would fit the
   chance of the sample. */
#define TRIALS_FOR_BOTH 10

/* The floor counts like so many trials with the prior's scatter; it fades as trials grow. */
#define FLOOR_TRIALS 4.0

/* A leverage close to 1 leaves no residual to divide. */
#define LEVERAGE_MAX 0.95

/* A group that holds nearly all the weight cannot be left out. */
#define GROUP_WEIGHT_MAX (1.0 - 1e-9)

/* One level being worked on, and where its numbers come from. */
struct stage {
    const struct record_stratum *stratum;
    const struct measure *measure;
    /** z of the head's chunks, by rank. */
    const double *sizes;
    /** Trials: ranks below `count`. */
    size_t count;
    const struct record_trial *trials;
    struct cadv_level level;
    /** NULL without a parent. */
    const struct record_trial *parent_trials;
    struct cadv_level parent_level;
    /** Priority of the first chunk left out. */
    double threshold;
    /** PRIOR_ALONE or the gap to the parent. */
    double prior;
};

/* One trial as the regression sees it. */
struct observation {
    double x;
    double p;
    double y;
    /** 1 / inclusion probability. */
    double weight;
};

static struct observation observe(const struct stage *stage, size_t rank)
{
    const struct record_chunk *chunk = &stage->stratum->chunks[rank];
    struct observation seen = {.x = (double)chunk->bytes, .weight = 1.0};
    seen.y = measure_value(stage->measure, chunk->bytes, &stage->trials[rank], stage->level);
    if (stage->parent_trials != NULL) {
        seen.p = measure_value(stage->measure, chunk->bytes, &stage->parent_trials[rank],
                               stage->parent_level);
    }
    if (stage->sizes[rank] < stage->threshold) {
        seen.weight = stage->threshold / stage->sizes[rank];
    }
    return seen;
}

/* The square root of 1 - 1/w: the part of a chunk that the jackknife leaves out. A chunk that
   was certain to be sampled adds no variance and stays whole. */
static double random_part(double weight)
{
    return sqrt(1.0 - 1.0 / weight);
}

struct stage_sums {
    struct wls_sums all;
    struct wls_sums group[CHAIN_GROUPS];
};

static void sum_up(const struct stage *stage, struct stage_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (size_t rank = 0; rank < stage->count; rank++) {
        struct observation seen = observe(stage, rank);
        wls_add(&sums->all, seen.weight, seen.x, seen.p, seen.y);
        wls_add(&sums->group[rank % CHAIN_GROUPS], seen.weight * random_part(seen.weight),
                seen.x, seen.p, seen.y);
    }
}

struct stage_variance {
    double variance;
    double variance_sq_per_df;
    double floor;
};

/* Of n quantities: their sum, and how many equal ones would vary as much. For squares of normal
   variables the latter is n/3, whence the factor. */
static double effective_count(double sum, double sum_of_squares)
{
    return sum_of_squares > 0.0 ? 3.0 * sum * sum / sum_of_squares : 0.0;
}

static struct stage_variance stage_vary(const struct stage *stage, const struct wls_sums *sums,
                                        const struct wls_fit *fit)
{
    double variance = 0.0, variance_sq = 0.0;
    double floor = 0.0, floor_sq = 0.0;
    for (size_t rank = 0; rank < stage->count; rank++) {
        struct observation seen = observe(stage, rank);
        double expected = wls_predict(fit, seen.x, seen.p);
        double leverage = wls_leverage(sums, fit->model, seen.weight, seen.x, seen.p);
        double residual = (seen.y - expected) / (1.0 - fmin(leverage, LEVERAGE_MAX));
        double scale = seen.weight * (seen.weight - 1.0);
        variance += scale * residual * residual;
        variance_sq += scale * residual * residual * scale * residual * residual;

        double scatter = scale * stage->prior * expected * expected;
        floor += scatter;
        floor_sq += scatter * scatter;
    }

    int covariates = wls_covariates(fit->model);
    double random_trials = effective_count(floor, floor_sq) / 3.0;
    struct stage_variance out = {.floor =
                                     floor * FLOOR_TRIALS / (random_trials + FLOOR_TRIALS)};
    double freedom =
        fmin((double)stage->count, effective_count(variance, variance_sq)) - (double)covariates;
    if (stage->count <= (size_t)covariates) {
        variance = 0.0;
    }
    out.variance = variance + out.floor;
    out.variance_sq_per_df = out.variance * out.variance / fmax(freedom, 1.0);
    return out;
}

static struct wls_fit fit_without(const struct stage_sums *sums, size_t group,
                                  const struct wls_fit *whole)
{
    struct wls_sums rest = wls_minus(&sums->all, &sums->group[group]);
    if (sums->group[group].w_x > GROUP_WEIGHT_MAX * sums->all.w_x) {
        return *whole;
    }
    return wls_solve(&rest, whole->model);
}

static enum wls_model choose_model(const struct stage *stage)
{
    if (stage->parent_trials == NULL) {
        return WLS_SIZE;
    }
    return stage->count >= TRIALS_FOR_BOTH ? WLS_BOTH : WLS_PARENT;
}

/* A stratum without a parent: its total and its spread are 0 and unused. */
static const struct chain_level no_parent;

static void project(const struct stage *stage, const struct chain_level *parent,
                    struct chain_level *out)
{
    const double bytes = (double)stage->stratum->unique_bytes;
    struct stage_sums sums;
    sum_up(stage, &sums);
    struct wls_fit fit = wls_solve(&sums.all, choose_model(stage));
    struct stage_variance own = stage_vary(stage, &sums.all, &fit);
    double carried = fit.beta_p * fit.beta_p;

    out->total = wls_predict(&fit, bytes, parent->total);
    out->residual_variance = own.variance + carried * parent->residual_variance;
    out->residual_variance_sq_per_df =
        own.variance_sq_per_df + carried * carried * parent->residual_variance_sq_per_df;
    out->floor_variance = own.floor + carried * parent->floor_variance;
    for (size_t group = 0; group < CHAIN_GROUPS; group++) {
        struct wls_fit without = fit_without(&sums, group, &fit);
        out->without_group[group] = wls_predict(&without, bytes, parent->without_group[group]);
    }
}

static void set_exact(struct chain_level *out, double total)
{
    out->is_known = true;
    out->is_exact = true;
    out->total = total;
    for (size_t group = 0; group < CHAIN_GROUPS; group++) {
        out->without_group[group] = total;
    }
}

/* Whole numbers are summed as such: an exact answer is exact to the byte. */
static void count_seen(const struct stage *stage, struct chain_level *out)
{
    uint64_t whole = 0;
    double fraction = 0.0;
    for (size_t rank = 0; rank < stage->count; rank++) {
        uint32_t bytes = stage->stratum->chunks[rank].bytes;
        out->seen_bytes += bytes;
        if (measure_is_bytes(stage->measure)) {
            whole += measure_bytes(stage->measure, bytes, &stage->trials[rank], stage->level);
        } else {
            fraction +=
                measure_value(stage->measure, bytes, &stage->trials[rank], stage->level);
        }
    }
    out->seen_total = measure_is_bytes(stage->measure) ? (double)whole : fraction;
}

static void run_level(struct stage *stage, const struct chain_level *parent,
                      struct chain_level *out)
{
    const struct record_stratum *stratum = stage->stratum;
    count_seen(stage, out);
    if (stage->count == stratum->unique_chunks) {
        set_exact(out, out->seen_total);
        return;
    }
    stage->threshold = stage->count < stratum->chunk_count
                           ? stratum->chunks[stage->count].priority
                           : stratum->threshold;
    CADV_ASSERT(stage->threshold > 0.0);
    out->is_known = true;
    project(stage, parent, out);
}

static void run_levels(struct stage *stage, const struct cadv_level_list *levels,
                       struct chain_level *out)
{
    const struct record_stratum *stratum = stage->stratum;
    struct parent_plan plan;
    parent_choose(stratum, levels, measure_is_bytes(stage->measure), &plan);
    for (size_t i = 0; i < plan.count; i++) {
        size_t index = plan.order[i];
        size_t parent = plan.parent[index];
        stage->count = stratum->trialled[index];
        stage->trials = stratum->trials[index];
        stage->level = levels->items[index];
        stage->parent_trials = NULL;
        stage->prior = PRIOR_ALONE;
        if (parent != PARENT_NONE) {
            stage->parent_trials = stratum->trials[parent];
            stage->parent_level = levels->items[parent];
            stage->prior = prior_gap(stage->level, stage->parent_level);
        }
        run_level(stage, parent == PARENT_NONE ? &no_parent : &out[parent], &out[index]);
    }
}

/* What needs no trials: empty strata, and storing chunks as they are. */
static void run_trivial(const struct record_stratum *stratum,
                        const struct cadv_level_list *levels, const struct measure *measure,
                        struct chain_level *out)
{
    for (size_t index = 0; index < levels->count; index++) {
        struct cadv_level level = levels->items[index];
        if (level.codec == CADV_CODEC_NONE && !record_is_derived(level)) {
            double bytes = (double)stratum->unique_bytes;
            set_exact(&out[index], measure_is_bytes(measure) ? bytes : 0.0);
            out[index].seen_total = out[index].total;
            out[index].seen_bytes = stratum->unique_bytes;
        } else if (stratum->unique_chunks == 0) {
            set_exact(&out[index], 0.0);
        }
    }
}

enum cadv_status chain_run(const struct record_stratum *stratum,
                           const struct cadv_level_list *levels, const struct measure *measure,
                           struct chain_level *out, struct cadv_error *err)
{
    memset(out, 0, levels->count * sizeof *out);
    double *sizes = malloc((stratum->chunk_count + 1) * sizeof *sizes);
    if (sizes == NULL) {
        return error_nomem(err, "estimating totals");
    }
    for (size_t rank = 0; rank < stratum->chunk_count; rank++) {
        sizes[rank] = record_size_measure(stratum->chunks[rank].bytes);
    }

    struct stage stage = {.stratum = stratum, .measure = measure, .sizes = sizes};
    run_trivial(stratum, levels, measure, out);
    run_levels(&stage, levels, out);
    free(sizes);
    return CADV_OK;
}
