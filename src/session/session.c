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
#include "session/metadata.h"
#include "session/run.h"
#include "trial/trial.h"

/* Contents beyond this go to the temporary file. */
#define CONTENT_MEMORY_BYTES (192ULL * 1024 * 1024)

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

const char *run_command(const struct run *run, struct cadv_level level, char *out,
                        size_t out_bytes)
{
    return run->target->command(level, &run->options.chunker, run->options.paths,
                                run->options.path_count, out, out_bytes);
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

static void report_progress(const struct run *run, struct cadv_progress *progress)
{
    if (run->progress != NULL) {
        progress->elapsed_s = clock_wall_s() - run->start_s;
        run->progress(progress, run->progress_ctx);
    }
}

static void tick_scan(void *ctx)
{
    struct run *run = ctx;
    struct cadv_progress progress = {
        .phase = CADV_PHASE_SCAN,
        .files = atomic_load(&run->counters.files),
        .bytes = atomic_load(&run->counters.bytes),
        .unique_bytes = atomic_load(&run->counters.unique_bytes),
        .problems = atomic_load(&run->counters.problems),
    };
    report_progress(run, &progress);
}

struct trial_tick {
    const struct run *run;
    const struct trial_control *control;
    double planned;
};

static void tick_trials(void *ctx)
{
    const struct trial_tick *tick = ctx;
    struct cadv_progress progress = {
        .phase = CADV_PHASE_TRIALS,
        .trial_done = (uint64_t)atomic_load(&tick->control->done_cost),
        .trial_planned = (uint64_t)tick->planned,
    };
    report_progress(tick->run, &progress);
}

static struct sample_config sample_config(const struct run *run)
{
    struct sample_config config = {.memory_max_bytes = CONTENT_MEMORY_BYTES,
                                   .salt = run->options.sample_salt,
                                   .spool_directory = run->spool_directory};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        config.order_max[s] = run->plan.order_max[s];
        config.content_max[s] = run->plan.content_max[s];
        config.content_max_bytes[s] = run->plan.content_max_bytes[s];
    }
    return config;
}

static enum cadv_status scan_roots(struct run *run, const struct walk_root *roots,
                                   struct cadv_error *err)
{
    const struct cadv_options *options = &run->options;
    char **patterns = walk_patterns_new(options->excludes, options->exclude_count);
    if (patterns == NULL) {
        return error_nomem(err, "reading the patterns");
    }
    struct walk_filter filter = {.excludes = patterns,
                                 .exclude_count = options->exclude_count,
                                 .is_one_file_system = options->is_one_file_system,
                                 .roots = roots,
                                 .root_count = options->path_count};
    size_t inline_levels[CADV_LEVELS_MAX];
    size_t inline_count = 0;
    for (size_t level = 0; level < run->plan.levels.count; level++) {
        if (run->plan.is_inline[level]) {
            inline_levels[inline_count++] = level;
        }
    }
    struct scan_config config = {.roots = roots,
                                 .root_count = options->path_count,
                                 .filter = &filter,
                                 .chunker = options->chunker,
                                 .sample = sample_config(run),
                                 .inline_levels = inline_levels,
                                 .inline_count = inline_count,
                                 .jobs = options->jobs,
                                 .pack_item = run->target->pack_item,
                                 .stop = &stop_signal,
                                 .progress = &run->counters,
                                 .tick = tick_scan,
                                 .tick_ctx = run};
    config.sample.inline_count = inline_count;
    enum cadv_status status = scan_run(&config, &run->record, &run->content_sample, err);
    walk_patterns_free(patterns, options->exclude_count);
    return status;
}

static enum cadv_status scan_step(struct run *run, struct cadv_error *err)
{
    struct walk_root *roots = NULL;
    plan_scan(&run->rows, run->options.is_exact, run->options.sample_budget_bytes, &run->plan);
    run->record.levels = run->plan.levels;
    run->record.salt = run->options.sample_salt;
    enum cadv_status status =
        walk_roots_open(run->options.paths, run->options.path_count, &roots, err);
    if (status == CADV_OK) {
        status = scan_roots(run, roots, err);
    }
    for (size_t i = 0; status == CADV_OK && i < run->options.path_count; i++) {
        if (roots[i].link_target != NULL) {
            run_warn(run,
                     "root %zu is a symbolic link: it is backed up as a link, without what it "
                     "points to; to mean that, give its own path",
                     i + 1);
        }
    }
    walk_roots_free(roots, run->options.path_count);
    return status;
}

static enum cadv_status trial_step(struct run *run, struct record_population *population,
                                   const struct sample *sample, uint64_t budget_bytes,
                                   struct cadv_error *err)
{
    struct plan_request request = {
        .population = population, .levels = &run->record.levels, .budget_bytes = budget_bytes};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        request.contents_available[s] = sample_content_count(sample, (enum record_stratum_id)s);
    }
    struct plan_trials *plan = malloc(sizeof *plan);
    if (plan == NULL) {
        return error_nomem(err, "planning the trials");
    }
    plan_trials(&request, plan);
    if (!plan->is_everything && plan_minimum(&request) > (double)budget_bytes &&
        population->purpose == RECORD_CONTENT && !run->options.is_exact) {
        run_warn(run, "the smallest sample with honest intervals costs more than the "
                      "--sample-budget; it was raised to that");
    }

    struct trial_control control = {.stop = &stop_signal,
                                    .cost = plan_cost,
                                    .tick = tick_trials,
                                    .jobs = run->options.jobs};
    struct trial_tick tick = {.run = run, .control = &control, .planned = plan->cost};
    control.tick_ctx = &tick;
    bool is_complete = true;
    enum cadv_status status = trial_stage(population, &run->record.levels, plan->counts, sample,
                                          &control, &is_complete, err);
    run->record.are_trials_complete = run->record.are_trials_complete && is_complete;
    run->record.trial_cpu_s += control.cpu_s;
    free(plan);
    return status;
}

/* The ratio at lz4, for stored sizes that items mention and no trial knows. */
static double lz4_ratio(const struct run *run, const struct record_population *content)
{
    size_t level = record_level_index(&run->record,
                                      (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0});
    uint64_t bytes = record_unique_bytes(content);
    if (level == SIZE_MAX || bytes == 0 || !run->content.sizes[level].is_known) {
        return 1.0;
    }
    return run->content.sizes[level].est / (double)bytes;
}

static enum cadv_status items_step(struct run *run, struct cadv_error *err)
{
    struct record_population *content = &run->record.populations[0];
    struct sample_config config = sample_config(run);
    config.inline_count = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        if (run->options.is_exact) {
            config.content_max[s] = SIZE_MAX;
            config.content_max_bytes[s] = UINT64_MAX;
        }
    }
    enum cadv_status status =
        metadata_build(&run->record, run->target, content, lz4_ratio(run, content), &config,
                       &run->items_sample, err);
    if (status != CADV_OK) {
        return status;
    }
    uint64_t budget = run->options.is_exact
                          ? UINT64_MAX
                          : plan_metadata_budget(run->options.sample_budget_bytes);
    return trial_step(run, &run->record.populations[1], run->items_sample, budget, err);
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
        status = scan_step(run, err);
    }
    struct record_population *content = &run->record.populations[0];
    if (status == CADV_OK && content->original_bytes == 0 && atomic_load(&stop_signal) == 0) {
        return nothing_read(run, err);
    }
    run->record.are_trials_complete = true;
    if (status == CADV_OK) {
        uint64_t budget = run->options.sample_budget_bytes -
                          plan_metadata_budget(run->options.sample_budget_bytes);
        status = trial_step(run, content, run->content_sample, budget, err);
    }
    if (status == CADV_OK) {
        status = run_estimate(run, content, &run->content, err);
    }
    if (status == CADV_OK) {
        status = items_step(run, err);
    }
    if (status == CADV_OK) {
        status = run_estimate(run, &run->record.populations[1], &run->items, err);
    }
    if (status == CADV_OK) {
        status = run_machine(run, err);
    }
    if (status == CADV_OK) {
        status = run_facts(run, err);
    }
    if (status == CADV_OK) {
        run_project(run);
        run_recommend(run);
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
    run->start_s = clock_wall_s();
    record_init(&run->record);

    enum cadv_status status = run_steps(run, err);
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
