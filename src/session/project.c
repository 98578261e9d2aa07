/* SPDX-License-Identifier: BSD-2-Clause */
/* From estimates to rows: what the target makes of each level. */
#include <math.h>
#include <string.h>

#include "estimate/derive.h"
#include "session/round.h"
#include "session/run.h"

enum cadv_status run_estimate(struct run *run, struct record_population *population,
                              struct run_estimates *out, struct cadv_error *err)
{
    const struct cadv_level_list *levels = &run->record.levels;
    const struct derive_rules rules = {.stored = run->target->stored_bytes,
                                       .choose = run->target->choose,
                                       .padding = run->target->padding};
    enum cadv_status status = derive_trials(population, levels, &rules, err);
    if (status == CADV_OK) {
        status = estimate_sizes(population, levels, run->target->stored_bytes, out->sizes, err);
    }
    if (status == CADV_OK) {
        derive_add_padding(population, levels, &rules, out->sizes);
        status = estimate_times(population, levels, ESTIMATE_COMPRESS, out->compress, err);
    }
    if (status == CADV_OK) {
        status = estimate_times(population, levels, ESTIMATE_DECOMPRESS, out->decompress, err);
    }
    return status;
}

static struct estimate counted(double total)
{
    return (struct estimate){
        .est = total, .lo = total, .hi = total, .is_exact = true, .is_known = true};
}

void run_use_streams(struct run *run)
{
    for (size_t level = 0; level < run->record.levels.count; level++) {
        const struct metadata_stream *stream = &run->streams[level];
        if (stream->is_known) {
            run->items.sizes[level] = counted((double)stream->stored_bytes);
            run->items.compress[level] = counted(stream->compress_s);
            run->items.decompress[level] = counted(stream->decompress_s);
        }
    }
}

/* Chunks that do not end a file; all are at least as long as the cutter's shortest. */
static uint64_t cuts_of(const struct run *run)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    uint64_t files = run->result->dataset.nfiles;
    uint64_t large = content->strata[RECORD_LARGE].unique_chunks;
    uint64_t beyond = content->total_chunks > files ? content->total_chunks - files : 0;
    return large > beyond ? large : beyond;
}

/* Of the chunks that were trialled among the large ones, which are those that cuts made: what the
 * codec left. 1 when it ran on none. */
static double large_ratio(const struct run *run, size_t level)
{
    const struct record_stratum *stratum =
        &run->record.populations[RUN_CONTENT].strata[RECORD_LARGE];
    double raw = 0.0;
    double bytes = 0.0;
    for (size_t rank = 0; rank < stratum->trialled[level]; rank++) {
        raw += (double)stratum->trials[level][rank].raw_bytes;
        bytes += (double)stratum->chunks[rank].bytes;
    }
    return bytes > 0.0 ? fmin(raw / bytes, 1.0) : 1.0;
}

static struct target_load load_of(const struct run *run, size_t level)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    const struct record_population *items = &run->record.populations[RUN_ITEMS];
    const struct cadv_dataset *dataset = &run->result->dataset;
    const struct metadata_stream *stream = &run->streams[level];
    return (struct target_load){
        .level = run->record.levels.items[level],
        .setup = &run->setup,
        .content_cuts = cuts_of(run),
        .content_seam_squares = run->seam_squares,
        .content_large_ratio = large_ratio(run, level),
        .is_items_exact = stream->is_known,
        .are_ids_known =
            stream->is_known && run->record.ids.count >= dataset->total_unique_chunks,
        .content_stored_bytes = round_interval(&run->content.sizes[level]).est,
        .content_unique_chunks = dataset->total_unique_chunks,
        .content_unique_bytes = dataset->unique_size,
        .content_total_chunks = content->total_chunks,
        .content_original_bytes = content->original_bytes,
        .items_stored_bytes = round_interval(&run->items.sizes[level]).est,
        .items_unique_chunks =
            stream->is_known ? stream->unique_chunks : record_unique_chunks(items),
        .items_repeated_chunks = stream->is_known
                                     ? stream->repeated_chunks
                                     : items->total_chunks - record_unique_chunks(items),
        .items_original_bytes =
            stream->is_known ? stream->original_bytes : items->original_bytes,
        .file_count = dataset->nfiles,
        .item_count = dataset->nitems,
        .compress_s = run->content.compress[level].est + run->items.compress[level].est,
        .decompress_s = run->content.decompress[level].est + run->items.decompress[level].est,
    };
}

/* Content and items are two independent samples, so the squares of their margins add; the model's
 * own margin comes on top, because it may always lean the same way. */
static struct cadv_interval repository_interval(const struct run *run, size_t level,
                                                const struct target_load *load)
{
    const struct estimate *content = &run->content.sizes[level];
    const struct estimate *items = &run->items.sizes[level];
    uint64_t est = run->target->repository_bytes(load);
    double down = hypot(content->est - content->lo, items->est - items->lo);
    double up = hypot(content->hi - content->est, items->hi - items->est);
    uint64_t margin = run->target->margin_bytes(load);
    uint64_t below = (uint64_t)ceil(down) + margin;
    return (struct cadv_interval){.est = est,
                                  .lo = est > below ? est - below : 0,
                                  .hi = est + (uint64_t)ceil(up) + margin};
}

static void fill_times(const struct run *run, size_t level, const struct target_load *load,
                       struct cadv_row *row)
{
    struct target_time time = run->target->time(load, &run->machine);
    double down = hypot(run->content.compress[level].est - run->content.compress[level].lo,
                        run->items.compress[level].est - run->items.compress[level].lo);
    double up = hypot(run->content.compress[level].hi - run->content.compress[level].est,
                      run->items.compress[level].hi - run->items.compress[level].est);
    row->cpu_seconds = (struct cadv_seconds){
        .est = time.cpu_s, .lo = fmax(time.cpu_s - down, 0.0), .hi = time.cpu_s + up};
    row->wall_seconds = time.wall_s;
    row->cores = time.cores;
    row->restore_seconds = time.restore_s;
    row->bottleneck = time.bottleneck;
    uint64_t each_bytes = 0;
    row->checkpoints = run->target->checkpoints(load, time.wall_s, &each_bytes);
    row->checkpoint_bytes = row->checkpoints * each_bytes;
}

static enum cadv_status fill_row(const struct run *run, size_t level, struct cadv_row *row,
                                 struct cadv_error *err)
{
    char command[1024];
    struct target_load load = load_of(run, level);
    load.command = run_command(run, load.level, command, sizeof command);
    enum cadv_status status = run_objects(&load, run->target, err);
    if (status != CADV_OK) {
        return status;
    }
    *row = (struct cadv_row){.level = load.level,
                             .data_size = round_interval(&run->content.sizes[level]),
                             .repository_size = repository_interval(run, level, &load),
                             .trial_chunks = run->level_chunks[level],
                             .trial_bytes = run->level_bytes[level],
                             .is_exact = run->content.sizes[level].is_exact &&
                                         run->items.sizes[level].is_exact,
                             .is_offered = run->target->accepts(load.level)};
    (void)cadv_level_name(load.level, row->name);
    fill_times(run, level, &load, row);
    return CADV_OK;
}

static uint64_t bound_at(const struct run *run, size_t index, struct cadv_level level)
{
    char command[1024];
    struct target_load load = load_of(run, index);
    load.level = level;
    load.command = run_command(run, load.level, command, sizeof command);
    return run->target->upper_bound_bytes(&load);
}

/* The items were packed with the stored sizes of lz4 (see metadata.h); levels that make data longer
 * may go beyond that. */
static void bound(struct run *run)
{
    uint64_t most = bound_at(run, 0, (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0});
    for (size_t i = 0; i < run->rows.count; i++) {
        size_t index = record_level_index(&run->record.levels, run->rows.items[i]);
        uint64_t at_level = bound_at(run, index, run->rows.items[i]);
        most = at_level > most ? at_level : most;
    }
    run->result->upper_bound = most;
}

enum cadv_status run_project(struct run *run, struct cadv_error *err)
{
    enum cadv_status status = CADV_OK;
    struct cadv_result *result = run->result;
    size_t unknown = 0;
    for (size_t i = 0; i < run->rows.count && status == CADV_OK; i++) {
        size_t level = record_level_index(&run->record.levels, run->rows.items[i]);
        CADV_ASSERT(level != SIZE_MAX);
        if (run->content.sizes[level].is_known && run->items.sizes[level].is_known) {
            status = fill_row(run, level, &result->rows[result->row_count++], err);
        } else {
            unknown++;
        }
    }
    if (status == CADV_OK && unknown > 0 && result->stop_reason == CADV_STOP_NONE) {
        /* Without contents there is nothing to try. */
        return cadv_error_set(err, CADV_ERR_SYSTEM, run_spool_errno(run),
                              "the temporary directory '%s' took no sample for %zu of the "
                              "levels; set TMPDIR to one with more room",
                              run->spool_directory, unknown);
    }
    if (unknown > 0) {
        run_warn(run, "nothing is known yet about %zu of the levels; they are left out",
                 unknown);
    }
    bound(run);
    return status;
}
