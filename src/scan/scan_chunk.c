/* SPDX-License-Identifier: BSD-2-Clause */
/* One chunk: count, look up, and for a new one the trials that are made during the scan. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "scan/pipeline.h"
#include "trial/probe.h"

struct chunk_task {
    struct par_task task;
    struct record_chunk chunk;
    uint8_t content[];
};

bool scan_is_stopped(const struct scan *scan)
{
    return atomic_load_explicit(scan->config->stop, memory_order_relaxed) != 0;
}

static void count_chunk(struct scan_worker *worker, uint32_t bytes)
{
    worker->total_chunks++;
    worker->original_bytes += bytes;
}

/*
 * A new chunk is counted when all is done that is to be done with it. So when a run is stopped, the
 * counts are those of the chunks that the ordering and the trials know, and none is missing there.
 */
static void count_new(struct scan_worker *worker, const struct record_chunk *chunk)
{
    enum record_stratum_id stratum = record_stratum_of(chunk->bytes);
    count_chunk(worker, chunk->bytes);
    worker->unique_chunks[stratum]++;
    worker->unique_bytes[stratum] += chunk->bytes;
    worker->probe_bytes[stratum] += chunk->probe_bytes;
    if (stratum == RECORD_LARGE && chunk->bytes < RECORD_MEDIUM_MAX_BYTES) {
        worker->medium_chunks++;
        worker->medium_bytes += chunk->bytes;
    }
}

/* Trials and offer, on whichever worker has time. */
static enum cadv_status try_and_offer(struct scan_worker *worker,
                                      const struct record_chunk *chunk, const uint8_t *content,
                                      struct cadv_error *err)
{
    const struct scan *scan = worker->scan;
    enum record_stratum_id stratum = record_stratum_of(chunk->bytes);
    if (!sample_wants(scan->sample, stratum, chunk->priority)) {
        count_new(worker, chunk);
        return CADV_OK;
    }
    for (size_t t = 0; t < scan->config->inline_count; t++) {
        par_pool_checkpoint(scan->pool);
        if (scan_is_stopped(scan)) {
            return CADV_OK;
        }
        struct cadv_level level = scan->levels->items[scan->config->inline_levels[t]];
        struct record_trial *trial = &worker->trials[t];
        enum cadv_status status =
            trial_run(&worker->workspace, level, content, chunk->bytes, trial, err);
        if (status != CADV_OK) {
            return status;
        }
        worker->trial_s += (double)trial->compress_s + (double)trial->decompress_s;
    }
    enum cadv_status status = sample_offer(scan->sample, chunk, content, worker->trials, err);
    if (status == CADV_OK) {
        count_new(worker, chunk);
    }
    return status;
}

static enum cadv_status run_chunk(struct par_task *base, void *state, struct cadv_error *err)
{
    struct chunk_task *task = (struct chunk_task *)base;
    enum cadv_status status = try_and_offer(state, &task->chunk, task->content, err);
    free(task);
    return status;
}

static void drop_chunk(struct par_task *task)
{
    free(task);
}

/* Lets another worker do it if one may be idle; does it here when the lane is full. */
static enum cadv_status hand_over(struct scan_worker *worker, const struct record_chunk *chunk,
                                  const uint8_t *data, struct cadv_error *err)
{
    struct chunk_task *task = NULL;
    if (worker->scan->config->jobs > 1 && worker->scan->config->inline_count > 0) {
        task = malloc(sizeof *task + chunk->bytes);
    }
    if (task == NULL) {
        return try_and_offer(worker, chunk, data, err);
    }
    task->task = (struct par_task){
        .run = run_chunk, .drop = drop_chunk, .bytes = sizeof *task + chunk->bytes};
    task->chunk = *chunk;
    memcpy(task->content, data, chunk->bytes);
    if (par_pool_try_push(worker->scan->pool, SCAN_LANE_CHUNKS, &task->task,
                          worker->scan->config->chunk_lane_bytes)) {
        return CADV_OK;
    }
    free(task);
    return try_and_offer(worker, chunk, data, err);
}

enum cadv_status scan_chunk(struct scan_worker *worker, const uint8_t *data, uint32_t bytes,
                            struct cadv_error *err)
{
    const struct scan *scan = worker->scan;
    XXH128_hash_t hash = XXH3_128bits(data, bytes);
    struct record_digest digest = {.high = hash.high64, .low = hash.low64};
    enum cadv_status status = chunk_list_add(&worker->list, digest, bytes, err);
    if (status != CADV_OK) {
        return status;
    }
    atomic_fetch_add_explicit(&scan->config->progress->bytes, bytes, memory_order_relaxed);

    enum index_outcome outcome = index_insert(scan->index, digest.high, digest.low);
    if (outcome == INDEX_NOMEM) {
        return error_nomem(err, "indexing chunks");
    }
    if (outcome == INDEX_AGAIN) {
        count_chunk(worker, bytes);
        return CADV_OK;
    }
    atomic_fetch_add_explicit(&scan->config->progress->unique_bytes, bytes,
                              memory_order_relaxed);

    if (scan->config->wants_ids) {
        status = record_ids_add(&worker->ids, digest, data, bytes, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    struct record_chunk chunk = {.digest = digest,
                                 .bytes = bytes,
                                 .priority =
                                     sample_priority(digest, bytes, scan->config->sample.salt)};
    /* Small chunks are many, and a slice of them is no cheaper than a trial. */
    if (scan->config->wants_probes && record_stratum_of(bytes) == RECORD_LARGE) {
        status = probe_run(&worker->workspace, data, bytes, &chunk.probe_bytes, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    if (!sample_wants(scan->sample, record_stratum_of(bytes), chunk.priority)) {
        count_new(worker, &chunk);
        return CADV_OK;
    }
    return hand_over(worker, &chunk, data, err);
}
