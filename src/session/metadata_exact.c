/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The item stream of each level by itself: items packed with that level's stored sizes, cut, and
 * every chunk compressed. A task a level; each writes its own result only.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "par/pool.h"
#include "record/items.h"
#include "session/chunk_sizes.h"
#include "session/metadata.h"
#include "session/stored.h"

struct level_task {
    struct par_task task;
    const struct metadata_request *request;
    size_t level;
    struct metadata_stream *result;
};

/* One level's stream while it is packed and cut; one thread. */
struct level_stream {
    const struct metadata_request *request;
    size_t index;
    struct cadv_level level;
    struct trial_workspace *workspace;
    struct cadv_cutter *cutter;
    uint8_t *buffer;
    size_t used;
    size_t capacity;
    struct metadata_stream sum;
};

static bool is_stopped(const struct metadata_request *request)
{
    return request->stop != NULL && atomic_load(request->stop) != 0;
}

static uint64_t noted_csize(void *ctx, const struct record_chunk_ref *chunk)
{
    const struct level_stream *stream = ctx;
    const struct metadata_request *request = stream->request;
    uint32_t raw = chunk_sizes_raw(request->sizes, chunk->digest, stream->index);
    uint64_t stored = request->target->stored_bytes(chunk->bytes, raw == 0 ? chunk->bytes : raw,
                                                    stream->level);
    return request->target->noted_csize(stored, request->setup);
}

static enum cadv_status add_chunk(struct level_stream *stream, const uint8_t *data,
                                  uint32_t bytes, struct cadv_error *err)
{
    struct stored stored;
    enum cadv_status status = stored_make(stream->workspace, stream->request->target,
                                          stream->level, data, bytes, &stored, err);
    if (status == CADV_OK) {
        stream->sum.chunks++;
        stream->sum.original_bytes += bytes;
        stream->sum.stored_bytes += stored.bytes;
        stream->sum.compress_s += stored.compress_s;
        stream->sum.decompress_s += stored.decompress_s;
    }
    return status;
}

/* Cuts what is certain, or everything at the end. */
static enum cadv_status cut(struct level_stream *stream, bool is_last, struct cadv_error *err)
{
    size_t start = 0;
    enum cadv_status status = CADV_OK;
    while (status == CADV_OK && !is_stopped(stream->request)) {
        size_t length = cadv_cutter_next(stream->cutter, stream->buffer + start,
                                         stream->used - start, is_last);
        if (length == 0) {
            break;
        }
        status = add_chunk(stream, stream->buffer + start, (uint32_t)length, err);
        start += length;
    }
    stream->used -= start;
    memmove(stream->buffer, stream->buffer + start, stream->used);
    return status;
}

static enum cadv_status pack(const struct record_item *listed, const char *path,
                             const char *source, void *ctx, struct cadv_error *err)
{
    struct level_stream *stream = ctx;
    const struct target *target = stream->request->target;
    if (is_stopped(stream->request)) {
        return CADV_OK;
    }
    struct record_item with_ids = *listed;
    const struct record_item *item = &with_ids;
    with_ids.ids = &stream->request->record->ids;
    size_t bytes = target->pack_item(item, path, source, noted_csize, stream, NULL, 0);
    uint8_t *buffer =
        array_reserve(stream->buffer, &stream->capacity, size_add(stream->used, bytes), 1);
    if (buffer == NULL) {
        return error_nomem(err, "packing the items");
    }
    stream->buffer = buffer;
    (void)target->pack_item(item, path, source, noted_csize, stream, buffer + stream->used,
                            bytes);
    stream->used += bytes;
    size_t enough = 2 * cadv_cutter_max_bytes(stream->cutter);
    return stream->used < enough ? CADV_OK : cut(stream, false, err);
}

static enum cadv_status run_level(struct par_task *base, void *worker, struct cadv_error *err)
{
    struct level_task *task = (struct level_task *)base;
    const struct metadata_request *request = task->request;
    struct cadv_chunker_params params = request->target->items_chunker(request->setup->chunker);
    struct level_stream stream = {.request = request,
                                  .index = task->level,
                                  .level = request->record->levels.items[task->level],
                                  .workspace = worker,
                                  .cutter = cadv_cutter_new(&params)};
    enum cadv_status status = CADV_OK;
    if (stream.cutter == NULL) {
        status = error_nomem(err, "packing the items");
    } else {
        cadv_cutter_start(stream.cutter);
        status = record_items_visit(&request->record->items, pack, &stream, err);
    }
    if (status == CADV_OK && stream.used > 0) {
        status = cut(&stream, true, err);
    }
    if (status == CADV_OK && !is_stopped(request)) {
        *task->result = stream.sum;
        task->result->is_known = true;
    }
    cadv_cutter_free(stream.cutter);
    free(stream.buffer);
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
    if (pool == NULL || !chunk_sizes_init(&sizes, &request->record->populations[0])) {
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
