/* SPDX-License-Identifier: BSD-2-Clause */
/* From rows to advice: marks, the choices, and one sentence for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "base/units.h"
#include "session/run.h"

/* A daily level may make the backup this much longer than the fastest one. */
#define DAILY_SLACK 1.10

/*
 * Padding hides sizes: a choice for privacy, which no size or time can recommend. So obfuscated
 * levels compete only where nothing else was asked for, and then only with each other.
 */
static bool takes_part(const struct run *run, const struct cadv_row *row)
{
    const struct cadv_level_list *asked = &run->options.levels;
    bool is_private = true;
    for (size_t i = 0; i < asked->count; i++) {
        is_private = is_private && asked->items[i].obfuscate != 0;
    }
    return row->is_offered && is_private == (row->level.obfuscate != 0);
}

static void choose(const struct run *run, size_t index, struct cadv_recommendation *out)
{
    out->row = index == ADVISE_NONE ? CADV_NO_ROW : index;
    out->why[0] = '\0';
    out->command[0] = '\0';
    if (index != ADVISE_NONE) {
        (void)run_command(run, run->result->rows[index].level, out->command,
                          sizeof out->command);
    }
}

/* "saves 12.3 MB, give or take 0.4 MB, worth 0.0021 of storage over 12 months"; or that nobody can
 * tell, and then it is worth nothing either. */
static void describe_step(const struct run *run, const struct cadv_difference *step,
                          double saved, char *out, size_t room)
{
    struct units_interval parts;
    if (step->lo <= 0) {
        (void)snprintf(out, room, "saves nothing that this sample can tell");
        return;
    }
    units_split_interval((uint64_t)step->est, (uint64_t)step->lo, (uint64_t)step->hi, 3,
                         &parts);
    bool is_exact = parts.margin[0] == '\0';
    (void)snprintf(out, room, "saves %s %s%s%s%s%s, worth %.2g of storage over %g months",
                   parts.value, parts.unit, is_exact ? "" : ", give or take ", parts.margin,
                   is_exact ? "" : " ", is_exact ? "" : parts.unit, saved,
                   run->options.keep_months);
}

static void explain_knee(const struct run *run, const struct advise_step *next,
                         struct cadv_advice *advice)
{
    const struct cadv_options *options = &run->options;
    struct cadv_recommendation *knee = &advice->knee;
    if (knee->row == CADV_NO_ROW) {
        (void)snprintf(knee->why, sizeof knee->why, "no level of %s was asked for",
                       run->target->title);
    } else if (next->to == ADVISE_NONE) {
        (void)snprintf(knee->why, sizeof knee->why,
                       "every step up to it saves more storage over %g months than its CPU "
                       "costs, and none is left beyond it",
                       options->keep_months);
    } else {
        char step[3 * UNITS_TEXT_MAX + 64];
        describe_step(run, &advice->beyond_knee_step, next->saved, step, sizeof step);
        (void)snprintf(knee->why, sizeof knee->why,
                       "the next step, %s, %s, for %.2g of CPU (at %g per GB-month, %g per "
                       "core-hour)",
                       run->result->rows[next->to].name, step, next->cost,
                       options->storage_price, options->cpu_price);
    }
}

static void explain_kneedle(const struct run *run, struct cadv_recommendation *kneedle)
{
    const struct cadv_result *result = run->result;
    const char *first = NULL;
    const char *last = NULL;
    for (size_t i = 0; i < result->row_count; i++) {
        if (takes_part(run, &result->rows[i]) && !result->rows[i].is_dominated) {
            first = first == NULL ? result->rows[i].name : first;
            last = result->rows[i].name;
        }
    }
    if (kneedle->row == CADV_NO_ROW) {
        (void)snprintf(kneedle->why, sizeof kneedle->why,
                       "fewer than three levels to choose from");
    } else {
        (void)snprintf(kneedle->why, sizeof kneedle->why,
                       "furthest below the line between the ends of size over wall time, %s to "
                       "%s; it moves when levels are added",
                       first, last);
    }
}

static void explain_daily(const struct run *run, size_t fastest,
                          struct cadv_recommendation *daily)
{
    if (daily->row == CADV_NO_ROW) {
        return;
    }
    const struct cadv_result *result = run->result;
    char wall[UNITS_TEXT_MAX];
    char least[UNITS_TEXT_MAX];
    if (daily->row == fastest) {
        (void)snprintf(daily->why, sizeof daily->why,
                       "its first backup (%s) is the fastest, and "
                       "none within %.0f %% of that is smaller",
                       cadv_seconds_format(result->rows[fastest].wall_seconds, false, wall),
                       100.0 * (DAILY_SLACK - 1.0));
        return;
    }
    (void)snprintf(daily->why, sizeof daily->why,
                   "the smallest whose first backup (%s) is within %.0f %% of the fastest "
                   "(%s, %s)",
                   cadv_seconds_format(result->rows[daily->row].wall_seconds, false, wall),
                   100.0 * (DAILY_SLACK - 1.0), result->rows[fastest].name,
                   cadv_seconds_format(result->rows[fastest].wall_seconds, false, least));
}

static void explain_archive(const struct run *run, const struct advise_point *points,
                            const struct advise_prices *prices,
                            struct cadv_recommendation *archive)
{
    if (archive->row == CADV_NO_ROW) {
        return;
    }
    (void)snprintf(archive->why, sizeof archive->why,
                   "lowest cost of storage for %g months plus CPU once: %.3g (at %g per "
                   "GB-month, %g per core-hour)",
                   prices->keep_months, advise_cost(&points[archive->row], prices),
                   run->options.storage_price, run->options.cpu_price);
}

static size_t fastest_of(const struct advise_point *points, size_t count)
{
    size_t fastest = ADVISE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (points[i].is_offered &&
            (fastest == ADVISE_NONE || points[i].wall_s < points[fastest].wall_s)) {
            fastest = i;
        }
    }
    return fastest;
}

enum cadv_status run_recommend(struct run *run, struct cadv_error *err)
{
    struct cadv_result *result = run->result;
    struct cadv_advice *advice = &result->advice;
    struct advise_point points[CADV_LEVELS_MAX];
    struct advise_prices prices = {.storage_per_gb_month = run->options.storage_price,
                                   .cpu_per_core_hour = run->options.cpu_price,
                                   .keep_months = run->options.keep_months};
    for (size_t i = 0; i < result->row_count; i++) {
        const struct cadv_row *row = &result->rows[i];
        points[i] = (struct advise_point){.wall_s = row->wall_seconds,
                                          .cpu_s = row->cpu_seconds.est,
                                          .bytes = (double)row->repository_size.est,
                                          .is_offered = takes_part(run, row)};
    }
    advise_mark(points, result->row_count);
    for (size_t i = 0; i < result->row_count; i++) {
        result->rows[i].is_dominated = points[i].is_dominated;
        result->rows[i].is_on_hull = points[i].is_on_hull;
    }

    struct advise_step next;
    choose(run, advise_knee(points, result->row_count, &prices, &next), &advice->knee);
    advice->beyond_knee = next.to == ADVISE_NONE ? CADV_NO_ROW : next.to;
    enum cadv_status status = run_differences(run, err);
    explain_knee(run, &next, advice);
    choose(run, advise_kneedle(points, result->row_count), &advice->kneedle);
    explain_kneedle(run, &advice->kneedle);
    choose(run, advise_daily(points, result->row_count, DAILY_SLACK), &advice->daily);
    explain_daily(run, fastest_of(points, result->row_count), &advice->daily);
    choose(run, advise_archive(points, result->row_count, &prices), &advice->archive);
    explain_archive(run, points, &prices, &advice->archive);
    return status;
}
