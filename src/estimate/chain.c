/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/chain.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "estimate/parent.h"
#include "estimate/prior.h"
#include "record/derived.h"

/* With fewer trials a level is a plain multiple of its parent: two coefficients would fit the
   chance of the sample. */
#define TRIALS_FOR_BOTH 10

/* A group that holds nearly all the weight cannot be left out. */
#define GROUP_WEIGHT_MAX (1.0 - 1e-9)

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
        struct stage_trial seen = stage_trial_at(stage, rank);
        wls_add(&sums->all, seen.weight, seen.x, seen.p, seen.y);
        wls_add(&sums->group[rank % CHAIN_GROUPS], seen.weight * random_part(seen.weight),
                seen.x, seen.p, seen.y);
    }
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
    if (stage->parent_trials == NULL && !stage->is_on_probes) {
        return WLS_SIZE;
    }
    return stage->count >= TRIALS_FOR_BOTH ? WLS_BOTH : WLS_PARENT;
}

/* A stratum without a parent: its total and its spread are 0 and unused. */
static const struct chain_level no_parent;

static void project(struct stage *stage, const struct chain_level *parent,
                    struct chain_level *out)
{
    const double bytes = (double)stage->stratum->unique_bytes;
    struct stage_sums sums;
    sum_up(stage, &sums);
    stage->sums = sums.all;
    stage->fit = wls_solve(&sums.all, choose_model(stage));
    out->stage = *stage;
    const struct stage_part whole = {.stage = stage, .share = 1.0, .prior = stage->prior};
    out->own = stage_vary(&whole, 1);
    double carried = stage->fit.beta_p * stage->fit.beta_p;

    out->total = wls_predict(&stage->fit, bytes, parent->total);
    out->chain.variance = out->own.variance + carried * parent->chain.variance;
    out->chain.variance_sq_per_df =
        out->own.variance_sq_per_df + carried * carried * parent->chain.variance_sq_per_df;
    out->chain.floor = out->own.floor + carried * parent->chain.floor;
    for (size_t group = 0; group < CHAIN_GROUPS; group++) {
        struct wls_fit without = fit_without(&sums, group, &stage->fit);
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
    struct chain_level probes = {0};
    bool has_probes = stage->measure->kind == MEASURE_STORED && stratum->probe_bytes > 0;
    set_exact(&probes, (double)stratum->probe_bytes);
    parent_choose(stratum, levels, measure_is_bytes(stage->measure), has_probes, &plan);
    for (size_t i = 0; i < plan.count; i++) {
        size_t index = plan.order[i];
        size_t parent = plan.parent[index];
        stage->count = stratum->trialled[index];
        stage->trials = stratum->trials[index];
        stage->level = levels->items[index];
        stage->is_on_probes = parent == PARENT_PROBE;
        stage->parent_trials = NULL;
        stage->prior = stage->is_on_probes ? prior_probe_gap(stage->level) : PRIOR_ALONE;
        out[index].parent = parent;
        const struct chain_level *base = stage->is_on_probes ? &probes : &no_parent;
        if (parent_is_level(parent)) {
            base = &out[parent];
            stage->parent_trials = stratum->trials[parent];
            stage->parent_level = levels->items[parent];
            stage->prior = prior_gap(stage->level, stage->parent_level);
        }
        run_level(stage, base, &out[index]);
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

void chain_run(const struct record_stratum *stratum, const double *sizes,
               const struct cadv_level_list *levels, const struct measure *measure,
               struct chain_level *out)
{
    for (size_t index = 0; index < levels->count; index++) {
        out[index] = (struct chain_level){.parent = PARENT_NONE};
    }
    struct stage stage = {.stratum = stratum, .measure = measure, .sizes = sizes};
    run_trivial(stratum, levels, measure, out);
    run_levels(&stage, levels, out);
}
