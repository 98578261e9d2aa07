/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One run, start to end:
 *
 *   check -> plan the scan -> scan -> plan the trials -> trial -> the same for the items
 *         -> estimate -> project on the target -> recommend
 */
#include "compadvise/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "par/sync.h"
#include "session/run.h"

void run_warn(struct run *run, const char *format, ...)
{
    struct cadv_result *result = run->result;
    if (result->warning_count < CADV_WARNINGS_MAX) {
        va_list args;
        va_start(args, format);
        char *text = result->warnings[result->warning_count++];
        (void)vsnprintf(text, sizeof result->warnings[0], format, args);
        va_end(args);
    }
}

static enum cadv_status check_options(struct run *run, struct cadv_error *err)
{
    struct cadv_options *options = &run->options;
    run->target = target_find(options->target);
    if (run->target == NULL) {
        return error_set(err, CADV_ERR_USAGE, "unknown target '%s'; there is borg1",
                         options->target);
    }
    if (options->path_count == 0 || options->jobs > CADV_JOBS_MAX ||
        options->sample_budget_bytes == 0) {
        return error_set(err, CADV_ERR_USAGE,
                         "a run needs a path, at most %d jobs and a sample budget",
                         CADV_JOBS_MAX);
    }
    if (!(options->max_time_s >= 0.0) || !(options->max_cpu_s >= 0.0)) {
        return error_set(err, CADV_ERR_USAGE, "a limit of time cannot be negative");
    }
    if (options->jobs == 0) {
        options->jobs = par_cpu_count();
        options->jobs = options->jobs > CADV_JOBS_MAX ? CADV_JOBS_MAX : options->jobs;
    }
    if (options->levels.count == 0) {
        enum cadv_status status = cadv_levels_add(&options->levels, "zstd:1-22", err);
        if (status != CADV_OK) {
            return status;
        }
    }
    run->rows = options->levels;
    return options->has_baseline ? cadv_levels_add(&run->rows, "none,lz4", err) : CADV_OK;
}

static enum cadv_status nothing_read(const struct run *run, struct cadv_error *err)
{
    const struct record_problems *problems = &run->record.problems;
    if (problems->listed_count > 0) {
        return cadv_error_set(err, CADV_ERR_INPUT, problems->listed[0].saved_errno,
                              "nothing could be read (%llu problems), first '%s'",
                              (unsigned long long)problems->count, problems->listed[0].path);
    }
    if (run->result->warning_count > 0) {
        return error_set(err, CADV_ERR_EMPTY, "no file content: %s", run->result->warnings[0]);
    }
    return error_set(err, CADV_ERR_EMPTY,
                     "no file content below '%s'; name a directory with files in it",
                     run->options.paths[0]);
}

static enum cadv_status run_steps(struct run *run, struct cadv_error *err)
{
    enum cadv_status status = check_options(run, err);
    if (status == CADV_OK) {
        status = run_setup(run, err);
    }
    if (status == CADV_OK) {
        status = run_scan(run, err);
    }
    struct record_population *content = &run->record.populations[RUN_CONTENT];
    if (status == CADV_OK && content->original_bytes == 0 &&
        run->result->stop_reason == CADV_STOP_NONE) {
        return nothing_read(run, err);
    }
    run->record.are_trials_complete = true;
    if (status == CADV_OK) {
        uint64_t budget = run->options.sample_budget_bytes -
                          plan_metadata_budget(run->options.sample_budget_bytes);
        status = run_trial(run, content, run->content_sample, budget, err);
    }
    if (status == CADV_OK) {
        status = run_estimate(run, content, &run->content, err);
    }
    if (status == CADV_OK) {
        status = run_items(run, err);
    }
    return status == CADV_OK ? run_conclude(run, err) : status;
}

static const char *spool_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/var/tmp";
}

static void start(struct run *run, const struct cadv_options *options,
                  const struct cadv_watcher *watcher, struct cadv_result *result)
{
    run->options = *options;
    run->result = result;
    run->watcher = *watcher;
    run->spool_directory = spool_directory();
    run->start_s = clock_wall_s();
    run->start_cpu_s = clock_process_cpu_s();
    record_init(&run->record);
}

enum cadv_status cadv_session_run_watched(const struct cadv_options *options,
                                          const struct cadv_watcher *watcher,
                                          struct cadv_result **result, struct cadv_error *err)
{
    struct run *run = calloc(1, sizeof *run);
    struct cadv_result *made = calloc(1, sizeof *made);
    if (run == NULL || made == NULL) {
        free(run);
        free(made);
        return error_nomem(err, "starting");
    }
    start(run, options, watcher, made);
    enum cadv_status status = run_steps(run, err);
    run_say_done(run);
    if (status == CADV_OK) {
        *result = made;
        made = NULL;
    }
    sample_free(run->content_sample);
    sample_free(run->items_sample);
    record_fini(&run->record);
    free(run->trees);
    cadv_result_free(run->interim);
    cadv_result_free(made);
    free(run);
    stop_reset();
    return status;
}

enum cadv_status cadv_session_run(const struct cadv_options *options, cadv_progress_fn progress,
                                  void *ctx, struct cadv_result **result,
                                  struct cadv_error *err)
{
    struct cadv_watcher watcher = {.progress = progress, .ctx = ctx};
    return cadv_session_run_watched(options, &watcher, result, err);
}

void cadv_result_free(struct cadv_result *result)
{
    if (result != NULL) {
        for (size_t i = 0; i < result->dataset.problems_listed; i++) {
            free(result->dataset.problems[i].path);
        }
        free(result->dataset.problems);
        free(result);
    }
}
