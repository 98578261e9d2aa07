/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps that touch data and threads: scan, trials, and both again for the metadata stream. */
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "record/items.h"
#include "session/metadata.h"
#include "session/run.h"
#include "session/seams.h"
#include "session/widest.h"
#include "trial/trial.h"

/* What every tick does. */
static void report_progress(struct run *run, struct cadv_progress *progress)
{
    stop_check_limits(run);
    interim_deliver(run);
    if (run->watcher.progress != NULL) {
        progress->elapsed_s = clock_wall_s() - run->start_s;
        run->watcher.progress(progress, run->watcher.ctx);
    }
}

/* What the scan has counted, in whichever phase. */
static struct cadv_progress progress_of(struct run *run, enum cadv_phase phase)
{
    struct scan_progress *counters = &run->counters;
    /* Read first: what is found afterwards is then not missed. */
    bool is_walk_done = atomic_load(&counters->finders_left) == 0;
    return (struct cadv_progress){
        .phase = phase,
        .files = atomic_load(&counters->files),
        .bytes = atomic_load(&counters->bytes),
        .files_found = atomic_load(&counters->files_found),
        .bytes_found = atomic_load(&counters->bytes_found),
        .is_walk_done = is_walk_done,
        .unique_bytes = atomic_load(&counters->unique_bytes),
        .problems = atomic_load(&counters->problems),
        .widest_half_width = -1.0,
    };
}

static void tick_scan(void *ctx)
{
    struct run *run = ctx;
    struct cadv_progress progress = progress_of(run, CADV_PHASE_SCAN);
    report_progress(run, &progress);
}

void run_say_done(struct run *run)
{
    struct cadv_progress progress = progress_of(run, CADV_PHASE_DONE);
    report_progress(run, &progress);
}

static void tick_trials(void *ctx)
{
    struct run *run = ctx;
    struct cadv_progress progress = progress_of(run, CADV_PHASE_TRIALS);
    progress.trial_done = (uint64_t)atomic_load(&run->trial_control->done_cost);
    progress.trial_planned = (uint64_t)run->trial_planned;
    progress.widest_half_width = run->widest;
    report_progress(run, &progress);
}

static struct sample_config sample_config(const struct run *run)
{
    struct sample_config config = {.memory_max_bytes = run->memory.contents_bytes,
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
                                 .wants_probes = !options->is_exact,
                                 .jobs = options->jobs,
                                 .wants_ids = options->is_exact &&
                                              run->setup.encryption->id_hash == TARGET_SHA256,
                                 .stdin_name = options->stdin_name,
                                 .is_read_special = options->is_read_special,
                                 .archive_max_bytes = options->archive_max_bytes,
                                 .pack_item = run->target->pack_item,
                                 .pack_chunk = run->target->pack_chunk,
                                 .stop = stop_word(),
                                 .progress = &run->counters,
                                 .tick = tick_scan,
                                 .tick_ctx = run,
                                 .interim_wanted = stop_interim_wanted(),
                                 .interim = interim_of_scan,
                                 .chunk_lane_bytes = run->memory.lane_bytes,
                                 .items_max_bytes = run->memory.items_bytes};
    config.sample.inline_count = inline_count;
    run->is_scanning = true;
    enum cadv_status status = scan_run(&config, &run->record, &run->content_sample, err);
    run->is_scanning = false;
    stop_note(run, true);
    interim_deliver(run);
    if (options->max_memory_bytes > 0) {
        /* What the set of chunks and the buffers took is to be there for the trials. */
        (void)malloc_trim(0);
    }
    walk_patterns_free(patterns, options->exclude_count);
    return status;
}

static void warn_of_streams(struct run *run)
{
    if (run->record.partial_archives > 0) {
        run_warn(run,
                 "%llu of the archives could not be read to the end, see the problems: the "
                 "figures cover what was read",
                 (unsigned long long)run->record.partial_archives);
    }
    if (run_command_count(run) > 1) {
        run_warn(run, "trees, archives and standard input take a run of Borg each: in each "
                      "command, name the archive differently");
    }
    bool has_archive = false;
    for (size_t i = 0; run->options.inputs != NULL && i < run->options.path_count; i++) {
        has_archive = has_archive || run->options.inputs[i] == CADV_INPUT_ARCHIVE;
    }
    if (has_archive && run->options.exclude_count > 0) {
        run_warn(run, "--exclude leaves nothing out of archives: import-tar takes all members");
    }
}

enum cadv_status run_scan(struct run *run, struct cadv_error *err)
{
    struct walk_root *roots = NULL;
    plan_scan(&run->rows, run->options.is_exact, run->options.sample_budget_bytes, &run->plan);
    run->record.levels = run->plan.levels;
    run->record.salt = run->options.sample_salt;
    enum cadv_status status =
        memory_plan(&run->options, &run->record.levels, &run->memory, err);
    if (status != CADV_OK) {
        return status;
    }
    status = walk_roots_open(run->options.paths, run->options.inputs, run->options.path_count,
                             &roots, err);
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
    if (status == CADV_OK) {
        warn_of_streams(run);
    }
    return status;
}

enum cadv_status run_trial(struct run *run, struct record_population *population,
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

    struct trial_control control = {.stop = stop_word(),
                                    .cost = plan_cost,
                                    .tick = tick_trials,
                                    .tick_ctx = run,
                                    .interim_wanted = stop_interim_wanted(),
                                    .interim = population->purpose == RECORD_CONTENT
                                                   ? interim_of_content
                                                   : interim_of_items,
                                    .jobs = run->options.jobs};
    if (run->watcher.progress != NULL && population->purpose == RECORD_CONTENT) {
        control.peek = widest_of_content;
    }
    run->widest = -1.0;
    run->trial_control = &control;
    run->trial_planned = plan->cost;
    bool is_complete = true;
    enum cadv_status status = trial_stage(population, &run->record.levels, plan->counts, sample,
                                          &control, &is_complete, err);
    run->trial_control = NULL;
    stop_note(run, false);
    interim_deliver(run);
    run->record.are_trials_complete = run->record.are_trials_complete && is_complete;
    run->record.trial_cpu_s += control.cpu_s;
    free(plan);
    return status;
}

/* The ratio at lz4, for stored sizes that items mention and no trial knows. */
static double lz4_ratio(const struct run *run, const struct record_population *content)
{
    size_t level = record_level_index(&run->record.levels,
                                      (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0});
    uint64_t bytes = record_unique_bytes(content);
    if (level == SIZE_MAX || bytes == 0 || !run->content.sizes[level].is_known) {
        return 1.0;
    }
    return run->content.sizes[level].est / (double)bytes;
}

enum cadv_status run_count_items(struct run *run, struct cadv_error *err)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    struct sample_config config = {.salt = run->options.sample_salt,
                                   .spool_directory = run->spool_directory};
    return metadata_build(&run->record, run->target, &run->setup, lz4_ratio(run, content),
                          &config, &run->items_sample, err);
}

/*
 * The streams of those levels where every item, and every stored size that it mentions, is known.
 * *is_whole says that these are all. Padding is not known, it is expected.
 */
static enum cadv_status run_streams(struct run *run, bool *is_whole, struct cadv_error *err)
{
    bool is_wanted[CADV_LEVELS_MAX] = {false};
    size_t wanted = 0;
    *is_whole = false;
    if (!run->options.is_exact || !record_items_are_complete(&run->record.items)) {
        return CADV_OK;
    }
    for (size_t level = 0; level < run->record.levels.count; level++) {
        is_wanted[level] = run->content.sizes[level].is_exact &&
                           run->record.levels.items[level].obfuscate == 0;
        wanted += is_wanted[level];
    }
    *is_whole = wanted == run->record.levels.count;
    struct metadata_request request = {.record = &run->record,
                                       .target = run->target,
                                       .setup = &run->setup,
                                       .jobs = run->options.jobs,
                                       .is_wanted = is_wanted,
                                       .stop = stop_word()};
    return metadata_streams(&request, run->streams, err);
}

enum cadv_status run_items(struct run *run, struct cadv_error *err)
{
    struct record_population *content = &run->record.populations[RUN_CONTENT];
    struct sample_config config = sample_config(run);
    config.memory_max_bytes = run->memory.items_contents_bytes;
    config.inline_count = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        if (run->options.is_exact) {
            config.content_max[s] = SIZE_MAX;
            config.content_max_bytes[s] = UINT64_MAX;
        }
    }
    enum cadv_status status =
        metadata_build(&run->record, run->target, &run->setup, lz4_ratio(run, content), &config,
                       &run->items_sample, err);
    if (status != CADV_OK) {
        return status;
    }
    if (run->setup.encryption->is_keyed) {
        status = seams_count(&run->record, &run->seam_squares, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    bool is_whole = false;
    status = run_streams(run, &is_whole, err);
    if (status != CADV_OK || is_whole) {
        return status;
    }
    uint64_t budget = run->options.is_exact
                          ? UINT64_MAX
                          : plan_metadata_budget(run->options.sample_budget_bytes);
    return run_trial(run, &run->record.populations[RUN_ITEMS], run->items_sample, budget, err);
}
