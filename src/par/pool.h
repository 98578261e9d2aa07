/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * par/pool.h - workers that draw tasks from lanes.
 *
 * A lane is a stack. A free worker takes from the first lane that holds anything, so lane 0 drains
 * before lane 1 is touched: put the work that frees memory first (chunks), the work that makes more
 * of it last (directories). Tasks may push further tasks. Nothing ever waits for room: a producer
 * whose lane is full (par_pool_try_push) does the work itself, so there is no way to deadlock.
 *
 * The run ends when all lanes are empty and no worker is busy. The first failure ends it too and is
 * its result; what is left is then dropped. To end early, tasks look at a flag of their own.
 *
 * The order in which tasks run is not defined; nothing may depend on it.
 */
#ifndef PAR_POOL_H
#define PAR_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "compadvise/error.h"

#define PAR_LANES_MAX 4

/** Embedded as first member of a concrete task. */
struct par_task {
    /** Link within a lane; the pool's. */
    struct par_task *next;
    /** Does the work and frees the task. `worker` is the calling worker's own state. */
    enum cadv_status (*run)(struct par_task *task, void *worker, struct cadv_error *err);
    /** Frees the task without doing the work. */
    void (*drop)(struct par_task *task);
    /** Memory held, for the lane's bound. */
    size_t bytes;
};

struct par_pool;

/** A pool without tasks; NULL when memory ran out. */
struct par_pool *par_pool_new(void);

/** Drops what is left; NULL is fine. Not while it runs. */
void par_pool_free(struct par_pool *pool);

/** While `other` holds less than `bytes`, `lane` is drained before it. Before the run; one pair. */
void par_pool_prefer(struct par_pool *pool, unsigned lane, unsigned other, size_t bytes);

/** Gives `task` to the pool. Before the run, or from a running task. */
void par_pool_push(struct par_pool *pool, unsigned lane, struct par_task *task);

/** As par_pool_push() if the lane then holds at most `lane_bytes_max`; else false, not taken. */
bool par_pool_try_push(struct par_pool *pool, unsigned lane, struct par_task *task,
                       size_t lane_bytes_max);

/**
 * Runs until done on `worker_count` threads, one for each entry of `workers` (their own state,
 * borrowed); the calling thread calls `tick` (may be NULL) about ten times a second. Goes on with
 * fewer threads if the system refuses some, fails if it refuses all.
 */
enum cadv_status par_pool_run(struct par_pool *pool, void *const *workers, size_t worker_count,
                              void (*tick)(void *ctx), void *ctx, struct cadv_error *err);

/**
 * From `tick` only: waits until no worker runs anything but par_pool_checkpoint(), so that the
 * calling thread may look at what they made; then lets them go on. A task that never comes to a
 * checkpoint is waited for to its end. Pauses do not nest.
 */
void par_pool_pause(struct par_pool *pool);
void par_pool_resume(struct par_pool *pool);

/**
 * From a running task, where what it made so far is in order: rests there while the pool is
 * paused. Cheap when it is not.
 */
void par_pool_checkpoint(struct par_pool *pool);

#endif
