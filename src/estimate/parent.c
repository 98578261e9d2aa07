/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/parent.h"

#include "estimate/prior.h"
#include "record/derived.h"

static bool is_candidate(const struct record_stratum *stratum,
                         const struct cadv_level_list *levels, size_t index)
{
    struct cadv_level level = levels->items[index];
    bool is_trivial = level.codec == CADV_CODEC_NONE && !record_is_derived(level);
    return !is_trivial && stratum->trialled[index] > 0;
}

/* Insertion sort: stable, and a list has a few dozen levels. */
static void sort_by_trials(const struct record_stratum *stratum,
                           const struct cadv_level_list *levels, struct parent_plan *plan)
{
    plan->count = 0;
    for (size_t index = 0; index < levels->count; index++) {
        plan->parent[index] = PARENT_NONE;
        if (!is_candidate(stratum, levels, index)) {
            continue;
        }
        size_t at = plan->count++;
        while (at > 0 && stratum->trialled[plan->order[at - 1]] < stratum->trialled[index]) {
            plan->order[at] = plan->order[at - 1];
            at--;
        }
        plan->order[at] = index;
    }
}

void parent_choose(const struct record_stratum *stratum, const struct cadv_level_list *levels,
                   bool is_chained, bool has_probes, struct parent_plan *plan)
{
    double promised[CADV_LEVELS_MAX];
    sort_by_trials(stratum, levels, plan);

    for (size_t i = 0; i < plan->count; i++) {
        size_t index = plan->order[i];
        size_t trials = stratum->trialled[index];
        double per_variance = 1.0 / (double)trials - 1.0 / (double)stratum->unique_chunks;
        promised[index] = PRIOR_ALONE * per_variance;
        if (has_probes && !record_is_derived(levels->items[index])) {
            promised[index] = prior_probe_gap(levels->items[index]) * per_variance;
            plan->parent[index] = PARENT_PROBE;
        }

        for (size_t j = 0; is_chained && j < i; j++) {
            size_t other = plan->order[j];
            double gap = prior_gap(levels->items[index], levels->items[other]);
            double variance = gap * per_variance + promised[other];
            if (stratum->trialled[other] > trials && variance < promised[index] &&
                !record_is_derived(levels->items[other])) {
                promised[index] = variance;
                plan->parent[index] = other;
            }
        }
    }
}
