/* SPDX-License-Identifier: BSD-2-Clause */
/* The run: make the parts, push the roots, let the workers work, add up their sums. */
#include "scan/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "par/sync.h"
#include "record/items.h"
#include "scan/pipeline.h"

/* Folders are listed ahead of reading files while the entries that wait take less than this: then it
 * is known early how much there is to read. Some 30,000 entries. */
#define AHEAD_BYTES ((size_t)8 * 1024 * 1024)

/* A worker's buffer holds two of the longest chunks, so that reads stay large, but at least this. */
#define BUFFER_MIN_BYTES ((size_t)4 * 1024 * 1024)

static enum cadv_status push_root_directory(struct scan *scan, uint32_t root,
                                            struct cadv_error *err)
{
    const struct walk_root *given = &scan->config->roots[root];
    struct walk_directory *directory = walk_directory_new(given, root);
    return directory == NULL ? error_nomem(err, "opening the roots")
                             : scan_push_directory(scan, directory, err);
}

static enum cadv_status push_root_item(struct scan *scan, uint32_t root, struct cadv_error *err)
{
    const struct walk_root *given = &scan->config->roots[root];
    struct walk_entry entry = {.type = given->type, .status = given->status};
    entry.name = strdup(given->path);
    entry.link_target = given->link_target == NULL ? NULL : strdup(given->link_target);
    bool is_copied =
        entry.name != NULL && (entry.link_target != NULL || given->link_target == NULL);
    enum cadv_status status = is_copied ? scan_push_batch(scan, NULL, root, 0, &entry, 1, err)
                                        : error_nomem(err, "opening the roots");
    free(entry.name);
    free(entry.link_target);
    return status;
}

static enum cadv_status push_root(struct scan *scan, uint32_t root, struct cadv_error *err)
{
    const struct walk_root *given = &scan->config->roots[root];
    const struct walk_filter *filter = scan->config->filter;
    bool is_tree = given->input == CADV_INPUT_TREE;
    if (is_tree && (walk_is_earlier_root(filter, &given->status, root) ||
                    walk_is_excluded(filter, given->archive_path))) {
        return CADV_OK;
    }
    if (given->input == CADV_INPUT_ARCHIVE) {
        return scan_push_archive(scan, root, err);
    }
    if (given->input == CADV_INPUT_STREAM) {
        return scan_push_stream(scan, root, err);
    }
    if (given->type == WALK_DIRECTORY) {
        enum cadv_status status = push_root_directory(scan, root, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    return push_root_item(scan, root, err);
}

static bool worker_init(struct scan_worker *worker, struct scan *scan)
{
    *worker = (struct scan_worker){.scan = scan};
    chunk_list_init(&worker->list, RECORD_BLOCK_MAX_REFS, scan->config->pack_chunk);
    worker->cutter = cadv_cutter_new(&scan->config->chunker);
    if (worker->cutter == NULL) {
        return false;
    }
    size_t twice = size_mul(2, cadv_cutter_max_bytes(worker->cutter));
    worker->buffer_bytes = twice < BUFFER_MIN_BYTES ? BUFFER_MIN_BYTES : twice;
    worker->buffer = malloc(worker->buffer_bytes);
    worker->trials = calloc(scan->config->inline_count + 1, sizeof *worker->trials);
    return worker->buffer != NULL && worker->trials != NULL;
}

static void worker_fini(struct scan_worker *worker)
{
    walk_place_leave(&worker->place);
    cadv_cutter_free(worker->cutter);
    trial_workspace_fini(&worker->workspace);
    free(worker->buffer);
    free(worker->trials);
    chunk_list_fini(&worker->list);
    record_ids_fini(&worker->ids);
}

void scan_add_up(const struct scan_worker *worker, struct record_population *content,
                 struct record *record)
{
    content->total_chunks += worker->total_chunks;
    content->original_bytes += worker->original_bytes;
    content->medium_chunks += worker->medium_chunks;
    content->medium_bytes += worker->medium_bytes;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        content->strata[s].unique_chunks += worker->unique_chunks[s];
        content->strata[s].unique_bytes += worker->unique_bytes[s];
        content->strata[s].probe_bytes += worker->probe_bytes[s];
    }
    for (size_t t = 0; t < RECORD_ITEM_TYPES; t++) {
        record->items.count_by_type[t] += worker->count_by_type[t];
    }
    record->items.hardlinks += worker->hardlinks;
    record->items.skipped_special += worker->skipped_special;
    record->items.packed_bytes += worker->packed_bytes;
    record->items.unlisted_chunks += worker->unlisted_chunks;
    record->partial_archives += worker->partial_archives;
    record->read_s += worker->read_s;
    record->trial_cpu_s += worker->trial_s;
}

static void tick(void *ctx)
{
    struct scan *scan = ctx;
    const struct scan_config *config = scan->config;
    if (config->tick != NULL) {
        config->tick(config->tick_ctx);
    }
    if (config->interim_wanted != NULL && atomic_exchange(config->interim_wanted, 0) != 0) {
        scan_show(scan);
    }
}

static enum cadv_status start_workers(struct scan *scan, struct scan_worker *workers,
                                      void **states, struct cadv_error *err)
{
    for (unsigned i = 0; i < scan->config->jobs; i++) {
        states[i] = &workers[i];
        if (!worker_init(&workers[i], scan)) {
            return error_nomem(err, "starting the scan");
        }
    }
    for (uint32_t root = (uint32_t)scan->config->root_count; root-- > 0;) {
        enum cadv_status status = push_root(scan, root, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    return par_pool_run(scan->pool, states, scan->config->jobs, tick, scan, err);
}

static enum cadv_status run_workers(struct scan *scan, struct scan_worker *workers,
                                    struct cadv_error *err)
{
    void **states = calloc(scan->config->jobs, sizeof(void *));
    if (states == NULL) {
        return error_nomem(err, "starting the scan");
    }
    enum cadv_status status = start_workers(scan, workers, states, err);
    free(states);
    return status;
}

static enum cadv_status scan_init(struct scan *scan, struct record *record,
                                  struct cadv_error *err)
{
    scan->record = record;
    scan->levels = &record->levels;
    record->archives = calloc(scan->config->root_count + 1, sizeof *record->archives);
    record->archive_count = record->archives == NULL ? 0 : scan->config->root_count;
    scan->archives = record->archives;
    scan->problems = &record->problems;
    scan->pool = par_pool_new();
    scan->index = index_new();
    scan->refused = index_new();
    scan->sample = sample_new(&scan->config->sample);
    scan->hardlinks = walk_hardlinks_new();
    scan->owners = walk_owners_new();
    if (scan->pool != NULL) {
        par_pool_prefer(scan->pool, SCAN_LANE_DIRECTORIES, SCAN_LANE_FILES, AHEAD_BYTES);
    }
    par_mutex_init(&scan->problems_lock);
    scan_collector_init(&scan->collector, scan->config->items_max_bytes);
    bool is_made = scan->archives != NULL && scan->pool != NULL && scan->index != NULL &&
                   scan->refused != NULL && scan->sample != NULL && scan->hardlinks != NULL &&
                   scan->owners != NULL;
    return is_made ? CADV_OK : error_nomem(err, "starting the scan");
}

static void scan_fini(struct scan *scan)
{
    par_pool_free(scan->pool);
    index_free(scan->index);
    index_free(scan->refused);
    sample_free(scan->sample);
    walk_hardlinks_free(scan->hardlinks);
    walk_owners_free(scan->owners);
    scan_collector_fini(&scan->collector);
    par_mutex_fini(&scan->problems_lock);
}

enum cadv_status scan_run(const struct scan_config *config, struct record *record,
                          struct sample **sample, struct cadv_error *err)
{
    double start = clock_wall_s();
    CADV_ASSERT(record->population_count < RECORD_POPULATIONS_MAX);
    struct record_population *content = &record->populations[record->population_count++];
    content->name = "content";
    content->purpose = RECORD_CONTENT;
    content->chunker = config->chunker;

    struct scan scan = {.config = config, .start_s = start};
    enum cadv_status status = scan_init(&scan, record, err);
    struct scan_worker *workers = calloc(config->jobs, sizeof *workers);
    scan.workers = workers;
    if (workers == NULL) {
        status = error_nomem(err, "starting the scan");
    } else if (status == CADV_OK) {
        status = run_workers(&scan, workers, err);
    }
    if (status == CADV_OK && walk_owners_ran_short(scan.owners)) {
        status = error_nomem(err, "looking up the names of owners");
    }
    for (unsigned i = 0; workers != NULL && i < config->jobs; i++) {
        scan_add_up(&workers[i], content, record);
        if (status == CADV_OK) {
            status = record_ids_merge(&record->ids, &workers[i].ids, err);
        }
        worker_fini(&workers[i]);
    }
    free(workers);
    record_ids_sort(&record->ids);
    if (status == CADV_OK) {
        status = sample_finish(scan.sample, content, config->inline_levels, err);
    }
    if (status == CADV_OK) {
        record->is_scan_complete = !scan_is_stopped(&scan);
        scan_count_unread(&scan, content, record);
        record->scan_s = clock_wall_s() - start;
        scan_collector_finish(&scan.collector, &record->items);
        *sample = scan.sample;
        scan.sample = NULL;
    }
    scan_fini(&scan);
    return status;
}
