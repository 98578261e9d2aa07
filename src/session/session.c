/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One run, start to end:
 *
 *   check -> plan the scan -> scan -> plan the trials -> trial -> the same for the items
 *         -> estimate -> project on the target -> recommend
 */
#include "compadvise/session.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "par/sync.h"
#include "session/small_chunks.h"

/* The signal that ended the run in progress; 0 while none did. Set by any thread or handler. */
static atomic_int stop_signal;

void cadv_session_stop(int signal_number)
{
    int none = 0;
    (void)atomic_compare_exchange_strong(&stop_signal, &none,
                                         signal_number == 0 ? -1 : signal_number);
}

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
        return error_errno(err, CADV_ERR_INPUT, problems->listed[0].saved_errno,
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
    struct record_population *content = &run->record.populations[0];
    if (status == CADV_OK && content->original_bytes == 0 && atomic_load(&stop_signal) == 0) {
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
    if (status == CADV_OK) {
        status = run_estimate(run, &run->record.populations[1], &run->items, err);
    }
    if (status == CADV_OK) {
        run_use_streams(run);
        status = run_machine(run, err);
    }
    if (status == CADV_OK) {
        status = run_facts(run, err);
    }
    if (status == CADV_OK) {
        status = run_project(run, err);
    }
    if (status == CADV_OK) {
        run_recommend(run);
        status = run_incompressible(run, err);
    }
    if (status == CADV_OK) {
        status = small_chunks_estimate(run, err);
    }
    return status;
}

static uint64_t peak_memory_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024U : 0U;
}

static void finish(struct run *run)
{
    struct cadv_result *result = run->result;
    int signal_number = atomic_load(&stop_signal);
    result->stop_signal = signal_number > 0 ? signal_number : 0;
    result->is_scan_complete = run->record.is_scan_complete;
    result->is_complete = run->record.is_scan_complete && run->record.are_trials_complete;
    result->timing = (struct cadv_timing){.scan_seconds = run->record.scan_s,
                                          .trial_cpu_seconds = run->record.trial_cpu_s,
                                          .total_seconds = clock_wall_s() - run->start_s,
                                          .peak_memory_bytes = peak_memory_bytes(),
                                          .jobs = run->options.jobs};
}

static const char *spool_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/var/tmp";
}

enum cadv_status cadv_session_run(const struct cadv_options *options, cadv_progress_fn progress,
                                  void *ctx, struct cadv_result **result,
                                  struct cadv_error *err)
{
    struct run *run = calloc(1, sizeof *run);
    struct cadv_result *made = calloc(1, sizeof *made);
    if (run == NULL || made == NULL) {
        free(run);
        free(made);
        return error_nomem(err, "starting");
    }
    run->options = *options;
    run->result = made;
    run->progress = progress;
    run->progress_ctx = ctx;
    run->spool_directory = spool_directory();
    run->stop = &stop_signal;
    run->start_s = clock_wall_s();
    record_init(&run->record);

    enum cadv_status status = run_steps(run, err);
    run_say_done(run);
    if (status == CADV_OK) {
        made->options = run->options;
        made->target_title = run->target->title;
        finish(run);
        *result = made;
        made = NULL;
    }
    sample_free(run->content_sample);
    sample_free(run->items_sample);
    record_fini(&run->record);
    cadv_result_free(made);
    free(run);
    atomic_store(&stop_signal, 0);
    return status;
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
