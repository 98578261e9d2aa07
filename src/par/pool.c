/* SPDX-License-Identifier: BSD-2-Clause */
#include "par/pool.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "par/sync.h"

/* How often the calling thread wakes to tick. */
#define TICK_S 0.1

struct par_pool {
    pthread_mutex_t lock;
    /** A task was pushed, or the run is over. */
    pthread_cond_t work;
    /** The last worker left. */
    pthread_cond_t done;
    /** The last worker came to rest. */
    pthread_cond_t rest;
    /** The pause is over. */
    pthread_cond_t resumed;
    /** Workers are to rest. Written under the lock; par_pool_checkpoint() looks without it. */
    atomic_bool is_paused;
    /** All below: guarded by lock. */
    struct par_task *lanes[PAR_LANES_MAX];
    size_t lane_bytes[PAR_LANES_MAX];
    /** See par_pool_prefer(). Fixed before the run. */
    unsigned preferred;
    unsigned preferred_to;
    size_t preferred_bytes;
    size_t busy;
    /** Of the busy ones: those that rest inside their task. */
    size_t parked;
    size_t running;
    bool is_stopped;
    enum cadv_status status;
    struct cadv_error error;
};

struct worker {
    struct par_pool *pool;
    void *state;
    pthread_t thread;
};

struct par_pool *par_pool_new(void)
{
    struct par_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    par_mutex_init(&pool->lock);
    par_cond_init(&pool->work);
    par_cond_init(&pool->done);
    par_cond_init(&pool->rest);
    par_cond_init(&pool->resumed);
    return pool;
}

void par_pool_prefer(struct par_pool *pool, unsigned lane, unsigned other, size_t bytes)
{
    CADV_ASSERT(lane < PAR_LANES_MAX && other < PAR_LANES_MAX);
    pool->preferred = lane;
    pool->preferred_to = other;
    pool->preferred_bytes = bytes;
}

/* Call with the lock held, or when no thread runs. */
static struct par_task *take_from(struct par_pool *pool, unsigned lane)
{
    struct par_task *task = pool->lanes[lane];
    if (task != NULL) {
        pool->lanes[lane] = task->next;
        pool->lane_bytes[lane] -= task->bytes;
    }
    return task;
}

/* Call with the lock held, or when no thread runs. */
static struct par_task *take(struct par_pool *pool)
{
    struct par_task *task = NULL;
    for (unsigned lane = 0; lane < PAR_LANES_MAX && task == NULL; lane++) {
        if (lane == pool->preferred_to && pool->lane_bytes[lane] < pool->preferred_bytes) {
            task = take_from(pool, pool->preferred);
        }
        if (task == NULL) {
            task = take_from(pool, lane);
        }
    }
    return task;
}

static void drop_all(struct par_pool *pool)
{
    for (struct par_task *task = take(pool); task != NULL; task = take(pool)) {
        task->drop(task);
    }
}

void par_pool_free(struct par_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    drop_all(pool);
    par_cond_fini(&pool->resumed);
    par_cond_fini(&pool->rest);
    par_cond_fini(&pool->done);
    par_cond_fini(&pool->work);
    par_mutex_fini(&pool->lock);
    free(pool);
}

/* Call with the lock held. */
static void put(struct par_pool *pool, unsigned lane, struct par_task *task)
{
    CADV_ASSERT(lane < PAR_LANES_MAX);
    task->next = pool->lanes[lane];
    pool->lanes[lane] = task;
    pool->lane_bytes[lane] += task->bytes;
    par_wake_one(&pool->work);
}

void par_pool_push(struct par_pool *pool, unsigned lane, struct par_task *task)
{
    par_lock(&pool->lock);
    put(pool, lane, task);
    par_unlock(&pool->lock);
}

bool par_pool_try_push(struct par_pool *pool, unsigned lane, struct par_task *task,
                       size_t lane_bytes_max)
{
    par_lock(&pool->lock);
    bool fits = pool->lane_bytes[lane] + task->bytes <= lane_bytes_max;
    if (fits) {
        put(pool, lane, task);
    }
    par_unlock(&pool->lock);
    return fits;
}

/* Call with the lock held. */
static bool is_at_rest(const struct par_pool *pool)
{
    return pool->busy == pool->parked;
}

/* Call with the lock held. */
static void wake_if_at_rest(struct par_pool *pool)
{
    if (is_at_rest(pool)) {
        par_wake_all(&pool->rest);
    }
}

void par_pool_pause(struct par_pool *pool)
{
    par_lock(&pool->lock);
    atomic_store(&pool->is_paused, true);
    while (!is_at_rest(pool)) {
        par_wait(&pool->rest, &pool->lock);
    }
    par_unlock(&pool->lock);
}

void par_pool_resume(struct par_pool *pool)
{
    par_lock(&pool->lock);
    atomic_store(&pool->is_paused, false);
    par_wake_all(&pool->resumed);
    par_unlock(&pool->lock);
}

void par_pool_checkpoint(struct par_pool *pool)
{
    if (!atomic_load_explicit(&pool->is_paused, memory_order_relaxed)) {
        return;
    }
    par_lock(&pool->lock);
    while (atomic_load(&pool->is_paused)) {
        pool->parked++;
        wake_if_at_rest(pool);
        par_wait(&pool->resumed, &pool->lock);
        pool->parked--;
    }
    par_unlock(&pool->lock);
}

/* Call with the lock held: the next task, or NULL when the run is over. */
static struct par_task *wait_for_task(struct par_pool *pool)
{
    for (;;) {
        while (atomic_load(&pool->is_paused)) {
            par_wait(&pool->resumed, &pool->lock);
        }
        struct par_task *task = pool->is_stopped ? NULL : take(pool);
        if (task != NULL || pool->is_stopped || pool->busy == 0) {
            return task;
        }
        par_wait(&pool->work, &pool->lock);
    }
}

static void *worker_body(void *arg)
{
    struct worker *worker = arg;
    struct par_pool *pool = worker->pool;
    par_lock(&pool->lock);
    for (;;) {
        struct par_task *task = wait_for_task(pool);
        if (task == NULL) {
            break;
        }
        pool->busy++;
        par_unlock(&pool->lock);

        struct cadv_error error = {0};
        enum cadv_status status = task->run(task, worker->state, &error);

        par_lock(&pool->lock);
        pool->busy--;
        wake_if_at_rest(pool);
        if (status != CADV_OK) {
            if (pool->status == CADV_OK) {
                pool->status = status;
                pool->error = error;
            }
            pool->is_stopped = true;
        }
    }
    par_wake_all(&pool->work);
    pool->running--;
    if (pool->running == 0) {
        par_wake_all(&pool->done);
    }
    par_unlock(&pool->lock);
    return NULL;
}

static void wait_until_done(struct par_pool *pool, void (*tick)(void *ctx), void *ctx)
{
    par_lock(&pool->lock);
    while (pool->running > 0) {
        par_wait_for(&pool->done, &pool->lock, TICK_S);
        if (tick != NULL) {
            par_unlock(&pool->lock);
            tick(ctx);
            par_lock(&pool->lock);
        }
    }
    par_unlock(&pool->lock);
}

enum cadv_status par_pool_run(struct par_pool *pool, void *const *workers, size_t worker_count,
                              void (*tick)(void *ctx), void *ctx, struct cadv_error *err)
{
    struct worker *threads = calloc(worker_count, sizeof *threads);
    if (threads == NULL) {
        return error_nomem(err, "starting workers");
    }
    /* Workers started early must not see an idle pool and leave: they wait for this lock. */
    par_lock(&pool->lock);
    size_t started = 0;
    int refusal = 0;
    while (started < worker_count && refusal == 0) {
        threads[started] = (struct worker){.pool = pool, .state = workers[started]};
        refusal = par_thread_start(&threads[started].thread, worker_body, &threads[started]);
        started += refusal == 0;
    }
    pool->running = started;
    par_unlock(&pool->lock);

    wait_until_done(pool, tick, ctx);
    for (size_t i = 0; i < started; i++) {
        par_thread_join(threads[i].thread);
    }
    free(threads);
    drop_all(pool);
    pool->is_stopped = false;

    enum cadv_status status = pool->status;
    if (started == 0) {
        return cadv_error_set(err, CADV_ERR_SYSTEM, refusal, "cannot start a thread");
    }
    if (status != CADV_OK && err != NULL) {
        *err = pool->error;
    }
    pool->status = CADV_OK;
    return status;
}
