/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stage after the scan. A task is one chunk at all the levels planned for it. Each worker writes
 * only the trials of its own chunk, into arrays made beforehand, so results need no lock; which ranks
 * are complete is worked out when all threads are gone.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "par/pool.h"
#include "trial/trial.h"

struct stage {
    struct record_population *population;
    const struct cadv_level_list *levels;
    size_t (*counts)[CADV_LEVELS_MAX];
    const struct sample *sample;
    struct trial_control *control;
    struct par_pool *pool;
    /** By stratum and rank: the chunk's trials are all in. Written by the chunk's own task only. */
    bool *is_done[RECORD_STRATUM_COUNT];
    /** Ranks with any trial to run. */
    size_t ranks[RECORD_STRATUM_COUNT];
};

struct chunk_task {
    struct par_task task;
    struct stage *stage;
    enum record_stratum_id stratum;
    size_t rank;
};

struct stage_worker {
    struct trial_workspace workspace;
    uint8_t *content;
    size_t content_bytes;
    double cpu_s;
};

static void drop_task(struct par_task *task)
{
    free(task);
}

static enum cadv_status run_levels(struct stage *stage, const struct chunk_task *task,
                                   struct stage_worker *worker, struct cadv_error *err)
{
    struct record_stratum *stratum = &stage->population->strata[task->stratum];
    uint32_t bytes = stratum->chunks[task->rank].bytes;
    bool is_warm = false;
    for (size_t level = 0; level < stage->levels->count; level++) {
        bool is_planned = task->rank >= stratum->trialled[level] &&
                          task->rank < stage->counts[task->stratum][level];
        if (!is_planned) {
            continue;
        }
        if (atomic_load(stage->control->stop) != 0) {
            return CADV_OK;
        }
        struct record_trial *trial = &stratum->trials[level][task->rank];
        enum cadv_status status = CADV_OK;
        if (!is_warm) {
            /* The first one finds content and buffers cold, and would look slower than its
             * neighbours. The lists begin with the cheapest level, so this costs little. */
            status = trial_run(&worker->workspace, stage->levels->items[level], worker->content,
                               bytes, trial, err);
            is_warm = true;
        }
        if (status == CADV_OK) {
            status = trial_run(&worker->workspace, stage->levels->items[level], worker->content,
                               bytes, trial, err);
        }
        if (status != CADV_OK) {
            return status;
        }
        worker->cpu_s += (double)trial->compress_s + (double)trial->decompress_s;
        double cost = stage->control->cost(stage->levels->items[level]) * bytes;
        atomic_fetch_add(&stage->control->done_cost, (uint64_t)cost);
    }
    stage->is_done[task->stratum][task->rank] = true;
    return CADV_OK;
}

static enum cadv_status run_task(struct par_task *base, void *state, struct cadv_error *err)
{
    struct chunk_task *task = (struct chunk_task *)base;
    struct stage_worker *worker = state;
    struct stage *stage = task->stage;
    uint32_t bytes = stage->population->strata[task->stratum].chunks[task->rank].bytes;
    enum cadv_status status = CADV_OK;
    if (bytes > worker->content_bytes) {
        free(worker->content);
        worker->content = malloc(bytes);
        worker->content_bytes = worker->content == NULL ? 0 : bytes;
    }
    if (worker->content == NULL) {
        status = error_nomem(err, "reading a kept chunk");
    } else {
        status = sample_read(stage->sample, task->stratum, task->rank, worker->content, err);
    }
    if (status == CADV_OK) {
        status = run_levels(stage, task, worker, err);
    }
    free(task);
    return status;
}

static enum cadv_status make_room(struct stage *stage, enum record_stratum_id id)
{
    struct record_stratum *stratum = &stage->population->strata[id];
    for (size_t level = 0; level < stage->levels->count; level++) {
        size_t count = stage->counts[id][level];
        if (count <= stratum->trialled[level]) {
            continue;
        }
        CADV_ASSERT(count <= sample_content_count(stage->sample, id));
        struct record_trial *trials =
            realloc(stratum->trials[level], count * sizeof *stratum->trials[level]);
        if (trials == NULL) {
            return CADV_ERR_NOMEM;
        }
        stratum->trials[level] = trials;
        if (count > stage->ranks[id]) {
            stage->ranks[id] = count;
        }
    }
    stage->is_done[id] = calloc(stage->ranks[id] + 1, sizeof *stage->is_done[id]);
    return stage->is_done[id] == NULL ? CADV_ERR_NOMEM : CADV_OK;
}

/* The lane is a stack: pushing the last rank first makes rank 0 run first. */
static enum cadv_status push_tasks(struct stage *stage, enum record_stratum_id id)
{
    for (size_t rank = stage->ranks[id]; rank-- > 0;) {
        struct chunk_task *task = malloc(sizeof *task);
        if (task == NULL) {
            return CADV_ERR_NOMEM;
        }
        *task = (struct chunk_task){.task = {.run = run_task, .drop = drop_task},
                                    .stage = stage,
                                    .stratum = id,
                                    .rank = rank};
        par_pool_push(stage->pool, id, &task->task);
    }
    return CADV_OK;
}

/* Heads that are complete, at every level; true when that is all of the plan. */
static bool settle(struct stage *stage, enum record_stratum_id id)
{
    size_t done = 0;
    while (done < stage->ranks[id] && stage->is_done[id][done]) {
        done++;
    }
    bool is_complete = true;
    struct record_stratum *stratum = &stage->population->strata[id];
    for (size_t level = 0; level < stage->levels->count; level++) {
        size_t count = stage->counts[id][level];
        if (count > stratum->trialled[level]) {
            is_complete = is_complete && done >= count;
            size_t reached = count < done ? count : done;
            if (reached > stratum->trialled[level]) {
                stratum->trialled[level] = reached;
            }
        }
    }
    return is_complete;
}

static enum cadv_status run_workers(struct stage *stage, struct cadv_error *err)
{
    unsigned jobs = stage->control->jobs;
    struct stage_worker *workers = calloc(jobs, sizeof *workers);
    void **states = calloc(jobs, sizeof *states);
    enum cadv_status status = CADV_OK;
    if (workers == NULL || states == NULL) {
        status = error_nomem(err, "starting the trials");
    } else {
        for (unsigned i = 0; i < jobs; i++) {
            states[i] = &workers[i];
        }
        status = par_pool_run(stage->pool, states, jobs, stage->control->tick,
                              stage->control->tick_ctx, err);
    }
    for (unsigned i = 0; workers != NULL && i < jobs; i++) {
        stage->control->cpu_s += workers[i].cpu_s;
        trial_workspace_fini(&workers[i].workspace);
        free(workers[i].content);
    }
    free(workers);
    free(states);
    return status;
}

enum cadv_status trial_stage(struct record_population *population,
                             const struct cadv_level_list *levels,
                             size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX],
                             const struct sample *sample, struct trial_control *control,
                             bool *is_complete, struct cadv_error *err)
{
    struct stage stage = {.population = population,
                          .levels = levels,
                          .counts = counts,
                          .sample = sample,
                          .control = control,
                          .pool = par_pool_new()};
    enum cadv_status status = stage.pool == NULL ? CADV_ERR_NOMEM : CADV_OK;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT && status == CADV_OK; s++) {
        status = make_room(&stage, (enum record_stratum_id)s);
        if (status == CADV_OK) {
            status = push_tasks(&stage, (enum record_stratum_id)s);
        }
    }
    if (status != CADV_OK) {
        (void)error_nomem(err, "planning the trials");
    } else {
        status = run_workers(&stage, err);
    }
    if (status == CADV_OK) {
        *is_complete = true;
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            *is_complete = settle(&stage, (enum record_stratum_id)s) && *is_complete;
        }
    }
    par_pool_free(stage.pool);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        free(stage.is_done[s]);
    }
    return status;
}
