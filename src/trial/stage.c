/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stage after the scan. A task is one chunk: at all the cheap levels planned for it, or at one
 * dear level. Each worker writes only the trials of its own task, into arrays made beforehand; a
 * trial that was not run has no bytes. A lock is taken for the write, so that who looks on sees
 * whole trials.
 * The stage may be ended at any time, so tasks come in the order of trial/task_order.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "par/pool.h"
#include "par/sync.h"
#include "trial/task_order.h"
#include "trial/trial.h"

/* From this cost on (zstd,10 has 0.08, zstd,11 0.12) a level gets tasks of its own: so the wait for
 * the trial in hand is short, and what chunks share (reading the content) counts for little. */
#define DEAR_COST 0.1

/* Between looks on: an estimate of all levels takes some hundredths of a second. */
#define PEEK_INTERVAL_S 3.0

struct stage {
    struct record_population *population;
    const struct cadv_level_list *levels;
    size_t (*counts)[CADV_LEVELS_MAX];
    const struct sample *sample;
    struct trial_control *control;
    struct par_pool *pool;
    /** Guards the trials of the population that are not yet part of a head. */
    pthread_mutex_t results_lock;
    /** When the last look on was; the calling thread's. */
    double peek_s;
    /** By level index: what a byte costs. */
    double cost[CADV_LEVELS_MAX];
    /** Ranks with any trial to run. */
    size_t ranks[RECORD_STRATUM_COUNT];
    /** In no order until sorted; they go to the pool then. */
    struct chunk_task **tasks;
    size_t task_count;
    size_t task_capacity;
};

struct chunk_task {
    struct par_task task;
    struct stage *stage;
    struct trial_place place;
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

static bool is_dear(const struct stage *stage, size_t level)
{
    return stage->cost[level] >= DEAR_COST;
}

static bool is_planned(const struct stage *stage, enum record_stratum_id id, size_t level,
                       size_t rank)
{
    const struct record_stratum *stratum = &stage->population->strata[id];
    return rank >= stratum->trialled[level] && rank < stage->counts[id][level];
}

static bool is_in_task(const struct chunk_task *task, size_t level)
{
    const struct stage *stage = task->stage;
    bool is_meant = task->place.level == TRIAL_CHEAP_LEVELS ? !is_dear(stage, level)
                                                            : task->place.level == level;
    return is_meant && is_planned(stage, task->place.stratum, level, task->place.rank);
}

static enum cadv_status run_levels(struct stage *stage, const struct chunk_task *task,
                                   struct stage_worker *worker, struct cadv_error *err)
{
    struct record_stratum *stratum = &stage->population->strata[task->place.stratum];
    uint32_t bytes = stratum->chunks[task->place.rank].bytes;
    bool is_warm = task->place.level != TRIAL_CHEAP_LEVELS;
    for (size_t level = 0; level < stage->levels->count; level++) {
        if (!is_in_task(task, level)) {
            continue;
        }
        par_pool_checkpoint(stage->pool);
        if (atomic_load(stage->control->stop) != 0) {
            return CADV_OK;
        }
        struct record_trial trial;
        enum cadv_status status = CADV_OK;
        if (!is_warm) {
            /* The first one finds content and buffers cold, and would look slower than its
             * neighbours. The lists begin with the cheapest level, so this costs little. */
            status = trial_run(&worker->workspace, stage->levels->items[level], worker->content,
                               bytes, &trial, err);
            is_warm = true;
        }
        if (status == CADV_OK) {
            status = trial_run(&worker->workspace, stage->levels->items[level], worker->content,
                               bytes, &trial, err);
        }
        if (status != CADV_OK) {
            return status;
        }
        par_lock(&stage->results_lock);
        stratum->trials[level][task->place.rank] = trial;
        par_unlock(&stage->results_lock);
        worker->cpu_s += (double)trial.compress_s + (double)trial.decompress_s;
        double cost = stage->control->cost(stage->levels->items[level]) * bytes;
        atomic_fetch_add(&stage->control->done_cost, (uint64_t)cost);
    }
    return CADV_OK;
}

static enum cadv_status run_task(struct par_task *base, void *state, struct cadv_error *err)
{
    struct chunk_task *task = (struct chunk_task *)base;
    struct stage_worker *worker = state;
    struct stage *stage = task->stage;
    uint32_t bytes =
        stage->population->strata[task->place.stratum].chunks[task->place.rank].bytes;
    enum cadv_status status = CADV_OK;
    if (bytes > worker->content_bytes) {
        free(worker->content);
        worker->content = malloc(bytes);
        worker->content_bytes = worker->content == NULL ? 0 : bytes;
    }
    if (worker->content == NULL) {
        status = error_nomem(err, "reading a kept chunk");
    } else {
        status = sample_read(stage->sample, task->place.stratum, task->place.rank,
                             worker->content, err);
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
        size_t had = stratum->trialled[level];
        if (count <= had) {
            continue;
        }
        CADV_ASSERT(count <= sample_content_count(stage->sample, id));
        struct record_trial *trials =
            realloc(stratum->trials[level], count * sizeof *stratum->trials[level]);
        if (trials == NULL) {
            return CADV_ERR_NOMEM;
        }
        memset(trials + had, 0, (count - had) * sizeof *trials);
        stratum->trials[level] = trials;
        if (count > stage->ranks[id]) {
            stage->ranks[id] = count;
        }
    }
    return CADV_OK;
}

static enum cadv_status add_task(struct stage *stage, enum record_stratum_id id, size_t rank,
                                 size_t level)
{
    struct chunk_task **tasks = array_reserve(stage->tasks, &stage->task_capacity,
                                              stage->task_count + 1, sizeof(void *));
    if (tasks == NULL) {
        return CADV_ERR_NOMEM;
    }
    stage->tasks = tasks;
    struct chunk_task *task = malloc(sizeof *task);
    if (task == NULL) {
        return CADV_ERR_NOMEM;
    }
    *task = (struct chunk_task){
        .task = {.run = run_task, .drop = drop_task},
        .stage = stage,
        .place = {.stratum = id,
                  .rank = rank,
                  .level = level,
                  .cost = level == TRIAL_CHEAP_LEVELS ? 0.0 : stage->cost[level]}};
    tasks[stage->task_count++] = task;
    return CADV_OK;
}

/* The tasks of one chunk: one for all the cheap levels, if any is planned, and the dear ones. */
static enum cadv_status add_chunk(struct stage *stage, enum record_stratum_id id, size_t rank)
{
    enum cadv_status status = CADV_OK;
    bool has_cheap = false;
    for (size_t level = 0; level < stage->levels->count && status == CADV_OK; level++) {
        if (!is_planned(stage, id, level, rank)) {
            continue;
        }
        if (is_dear(stage, level)) {
            status = add_task(stage, id, rank, level);
        }
        has_cheap = has_cheap || !is_dear(stage, level);
    }
    return status == CADV_OK && has_cheap ? add_task(stage, id, rank, TRIAL_CHEAP_LEVELS)
                                          : status;
}

static int by_worth(const void *left, const void *right)
{
    const struct chunk_task *a = *(struct chunk_task *const *)left;
    const struct chunk_task *b = *(struct chunk_task *const *)right;
    return trial_place_compare(&a->place, &b->place);
}

/* The lane is a stack: what is to run first is pushed last. */
static void push_tasks(struct stage *stage)
{
    if (stage->task_count > 0) {
        qsort(stage->tasks, stage->task_count, sizeof(void *), by_worth);
    }
    while (stage->task_count > 0) {
        par_pool_push(stage->pool, 0, &stage->tasks[--stage->task_count]->task);
    }
}

static enum cadv_status plan_tasks(struct stage *stage)
{
    enum cadv_status status = CADV_OK;
    for (size_t level = 0; level < stage->levels->count; level++) {
        stage->cost[level] = stage->control->cost(stage->levels->items[level]);
    }
    for (size_t s = 0; s < RECORD_STRATUM_COUNT && status == CADV_OK; s++) {
        enum record_stratum_id id = (enum record_stratum_id)s;
        status = make_room(stage, id);
        for (size_t rank = 0; rank < stage->ranks[s] && status == CADV_OK; rank++) {
            status = add_chunk(stage, id, rank);
        }
    }
    if (status == CADV_OK) {
        push_tasks(stage);
    }
    for (size_t i = 0; i < stage->task_count; i++) {
        free(stage->tasks[i]);
    }
    free(stage->tasks);
    stage->tasks = NULL;
    return status;
}

/* Sets `trialled` to the heads that are there, at every level; true when that is all of the plan. */
static bool settle(const struct stage *stage, struct record_population *population)
{
    bool is_complete = true;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        struct record_stratum *stratum = &population->strata[s];
        for (size_t level = 0; level < stage->levels->count; level++) {
            size_t count = stage->counts[s][level];
            size_t done = stratum->trialled[level];
            while (done < count && stratum->trials[level][done].raw_bytes != 0) {
                done++;
            }
            stratum->trialled[level] = done;
            is_complete = is_complete && done >= count;
        }
    }
    return is_complete;
}

/* A copy without anything of its own: good while the workers rest. */
static void show(const struct stage *stage)
{
    struct record_population *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        return;
    }
    par_pool_pause(stage->pool);
    *copy = *stage->population;
    (void)settle(stage, copy);
    stage->control->interim(stage->control->tick_ctx, copy);
    par_pool_resume(stage->pool);
    free(copy);
}

/* As show(), while the workers go on: trials that are in a head are not written again. */
static void peek(struct stage *stage)
{
    double now_s = clock_wall_s();
    struct record_population *copy =
        now_s - stage->peek_s < PEEK_INTERVAL_S ? NULL : malloc(sizeof *copy);
    if (copy == NULL) {
        return;
    }
    *copy = *stage->population;
    par_lock(&stage->results_lock);
    (void)settle(stage, copy);
    par_unlock(&stage->results_lock);
    stage->control->peek(stage->control->tick_ctx, copy);
    free(copy);
    stage->peek_s = clock_wall_s();
}

static void tick(void *ctx)
{
    struct stage *stage = ctx;
    const struct trial_control *control = stage->control;
    if (control->peek != NULL) {
        peek(stage);
    }
    if (control->tick != NULL) {
        control->tick(control->tick_ctx);
    }
    if (control->interim_wanted != NULL && atomic_exchange(control->interim_wanted, 0) != 0) {
        show(stage);
    }
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
        status = par_pool_run(stage->pool, states, jobs, tick, stage, err);
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
                          .peek_s = clock_wall_s(),
                          .pool = par_pool_new()};
    par_mutex_init(&stage.results_lock);
    enum cadv_status status = stage.pool == NULL ? CADV_ERR_NOMEM : plan_tasks(&stage);
    if (status != CADV_OK) {
        (void)error_nomem(err, "planning the trials");
    } else {
        status = run_workers(&stage, err);
    }
    if (status == CADV_OK) {
        *is_complete = settle(&stage, population);
    }
    par_pool_free(stage.pool);
    par_mutex_fini(&stage.results_lock);
    return status;
}
