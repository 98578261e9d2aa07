/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The item stream of each level by itself: items packed with that level's stored sizes, cut, and
 * every chunk compressed. A task a level; each writes its own result only.
 */
#include <stdlib.h>

#include "par/pool.h"
#include "session/chunk_sizes.h"
#include "session/item_stream.h"
#include "session/metadata.h"
#include "session/stored.h"

struct level_task {
    struct par_task task;
    const struct metadata_request *request;
    size_t level;
    struct metadata_stream *result;
};

/** One level's sums while its stream is made; one thread. */
struct level_sums {
    const struct metadata_request *request;
    size_t index;
    struct cadv_level level;
    struct trial_workspace *workspace;
    struct metadata_stream sum;
};

static bool is_stopped(const struct metadata_request *request)
{
    return request->stop != NULL && atomic_load(request->stop) != 0;
}

static uint64_t noted_csize(void *ctx, const struct record_chunk_ref *chunk)
{
    const struct level_sums *sums = ctx;
    const struct metadata_request *request = sums->request;
    uint32_t raw = chunk_sizes_raw(request->sizes, chunk->digest, sums->index);
    uint64_t stored =
        request->target->stored_bytes(chunk->bytes, raw == 0 ? chunk->bytes : raw, sums->level);
    return request->target->noted_csize(stored, request->setup);
}

static enum cadv_status add_chunk(void *ctx, const uint8_t *data, uint32_t bytes,
                                  struct record_digest digest, struct cadv_error *err)
{
    struct level_sums *sums = ctx;
    struct stored stored;
    (void)digest;
    enum cadv_status status = stored_make(sums->workspace, sums->request->target, sums->level,
                                          data, bytes, &stored, err);
    if (status == CADV_OK) {
        sums->sum.unique_chunks++;
        sums->sum.original_bytes += bytes;
        sums->sum.stored_bytes += stored.bytes;
        sums->sum.compress_s += stored.compress_s;
        sums->sum.decompress_s += stored.decompress_s;
    }
    return status;
}

static enum cadv_status run_level(struct par_task *base, void *worker, struct cadv_error *err)
{
    struct level_task *task = (struct level_task *)base;
    const struct metadata_request *request = task->request;
    struct level_sums sums = {.request = request,
                              .index = task->level,
                              .level = request->record->levels.items[task->level],
                              .workspace = worker};
    const struct item_stream stream = {
        .target = request->target,
        .chunker = request->target->items_chunker(request->setup->chunker),
        .ids = &request->record->ids,
        .csize = noted_csize,
        .take = add_chunk,
        .ctx = &sums,
        .stop = request->stop};
    struct item_stream_repeats repeats;
    enum cadv_status status = item_stream_make(&stream, &request->record->items, &repeats, err);
    sums.sum.repeated_chunks = repeats.chunks;
    sums.sum.original_bytes += repeats.bytes;
    if (status == CADV_OK && !is_stopped(request)) {
        *task->result = sums.sum;
        task->result->is_known = true;
    }
    free(task);
    return status;
}

static void drop_level(struct par_task *base)
{
    free(base);
}

/* Later levels are dearer, and a lane is a stack: so the dearest starts first. */
static enum cadv_status push_levels(struct par_pool *pool,
                                    const struct metadata_request *request,
                                    struct metadata_stream *streams, struct cadv_error *err)
{
    for (size_t level = 0; level < request->record->levels.count; level++) {
        if (!request->is_wanted[level]) {
            continue;
        }
        struct level_task *task = malloc(sizeof *task);
        if (task == NULL) {
            return error_nomem(err, "packing the items");
        }
        *task = (struct level_task){.task = {.run = run_level, .drop = drop_level},
                                    .request = request,
                                    .level = level,
                                    .result = &streams[level]};
        par_pool_push(pool, 0, &task->task);
    }
    return CADV_OK;
}

static enum cadv_status run_pool(struct par_pool *pool, const struct metadata_request *request,
                                 struct cadv_error *err)
{
    struct trial_workspace *workspaces = calloc(request->jobs, sizeof *workspaces);
    void **workers = calloc(request->jobs, sizeof *workers);
    enum cadv_status status = CADV_OK;
    if (workspaces == NULL || workers == NULL) {
        status = error_nomem(err, "packing the items");
    } else {
        for (unsigned i = 0; i < request->jobs; i++) {
            workers[i] = &workspaces[i];
        }
        status = par_pool_run(pool, workers, request->jobs, NULL, NULL, err);
        for (unsigned i = 0; i < request->jobs; i++) {
            trial_workspace_fini(&workspaces[i]);
        }
    }
    free(workspaces);
    free(workers);
    return status;
}

enum cadv_status metadata_streams(struct metadata_request *request,
                                  struct metadata_stream *streams, struct cadv_error *err)
{
    struct chunk_sizes sizes = {0};
    struct par_pool *pool = par_pool_new();
    enum cadv_status status = CADV_OK;
    if (pool == NULL || !chunk_sizes_init(&sizes, &request->record->populations[RUN_CONTENT])) {
        status = error_nomem(err, "packing the items");
    }
    request->sizes = &sizes;
    if (status == CADV_OK) {
        status = push_levels(pool, request, streams, err);
    }
    if (status == CADV_OK) {
        status = run_pool(pool, request, err);
    }
    request->sizes = NULL;
    par_pool_free(pool);
    chunk_sizes_fini(&sizes);
    return status;
}
