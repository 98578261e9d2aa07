/* SPDX-License-Identifier: BSD-2-Clause */
/* Pauses of the worker pool. A pool that hangs is ended by an alarm, which fails the test. */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "par/pool.h"
#include "support/unit.h"

#define WATCHDOG_S 120U
#define WORKERS_MAX 8
#define LOOKS 5
#define BRANCHES 4U

static const size_t worker_counts[] = {1, 2, WORKERS_MAX};
#define EACH_WORKER_COUNT(i)                                                                   \
    size_t i = 0;                                                                              \
    i < sizeof worker_counts / sizeof worker_counts[0];                                        \
    i++

static struct par_pool *pool;

/* Steps between checkpoints, and when the calling thread looked: the state of one test. */
static struct {
    atomic_uint steps;
    atomic_bool is_done;
    unsigned looks;
    bool has_moved;
} walk;

static void setup(void)
{
    pool = par_pool_new();
    assert_non_null(pool);
    atomic_store(&walk.steps, 0);
    atomic_store(&walk.is_done, false);
    walk.looks = 0;
    walk.has_moved = false;
}

static void teardown(void)
{
    par_pool_free(pool);
}

static void sleep_ms(unsigned ms)
{
    struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)ms * 1000000L};
    (void)nanosleep(&pause, NULL);
}

static void drop(struct par_task *task)
{
    free(task);
}

static void push(enum cadv_status (*run)(struct par_task *, void *, struct cadv_error *))
{
    struct par_task *task = calloc(1, sizeof *task);
    if (task == NULL) {
        abort();
    }
    task->run = run;
    task->drop = drop;
    par_pool_push(pool, 0, task);
}

static enum cadv_status run_steps(struct par_task *task, void *worker, struct cadv_error *err)
{
    (void)worker;
    (void)err;
    while (!atomic_load(&walk.is_done)) {
        par_pool_checkpoint(pool);
        atomic_fetch_add(&walk.steps, 1);
    }
    free(task);
    return CADV_OK;
}

static enum cadv_status run_one_step(struct par_task *task, void *worker,
                                     struct cadv_error *err)
{
    (void)worker;
    (void)err;
    par_pool_checkpoint(pool);
    atomic_fetch_add(&walk.steps, 1);
    free(task);
    return CADV_OK;
}

/* Makes work for the others until it is told that it is enough. */
static enum cadv_status run_maker(struct par_task *task, void *worker, struct cadv_error *err)
{
    (void)worker;
    (void)err;
    free(task);
    if (!atomic_load(&walk.is_done)) {
        push(run_maker);
        for (unsigned i = 0; i < BRANCHES; i++) {
            push(run_one_step);
        }
    }
    return CADV_OK;
}

/* Nothing may move while the pool rests. */
static unsigned look_once(unsigned rest_ms)
{
    par_pool_pause(pool);
    unsigned before = atomic_load(&walk.steps);
    sleep_ms(rest_ms);
    walk.has_moved = walk.has_moved || atomic_load(&walk.steps) != before;
    par_pool_resume(pool);
    walk.looks++;
    return before;
}

/* And everything goes on after it. */
static void look(void *ctx)
{
    (void)ctx;
    unsigned before = look_once(20);
    while (walk.looks < LOOKS && atomic_load(&walk.steps) == before) {
        sleep_ms(1);
    }
    atomic_store(&walk.is_done, walk.looks == LOOKS);
}

static void look_many_times(void *ctx)
{
    (void)ctx;
    for (unsigned i = 0; i < 300; i++) {
        (void)look_once(0);
    }
    atomic_store(&walk.is_done, true);
}

static enum cadv_status run_on(size_t workers, void (*tick)(void *ctx))
{
    void *states[WORKERS_MAX] = {NULL};
    return par_pool_run(pool, states, workers, tick, NULL, NULL);
}

static void a_pause_lets_no_worker_move_until_it_is_over(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        setup();
        /* More tasks than workers: those that wait must not be begun either. */
        for (unsigned n = 0; n < WORKERS_MAX + 2; n++) {
            push(run_steps);
        }
        assert_int_equal(run_on(worker_counts[i], look), CADV_OK);
        assert_false(walk.has_moved);
        assert_true(walk.looks >= LOOKS);
        teardown();
    }
}

/* A worker may be anywhere when a pause begins: in a task, between two, or without one. */
static void pauses_may_follow_each_other_closely(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        setup();
        push(run_maker);
        assert_int_equal(run_on(worker_counts[i], look_many_times), CADV_OK);
        assert_false(walk.has_moved);
        assert_true(atomic_load(&walk.steps) > 0);
        teardown();
    }
}

static void an_idle_pool_rests_at_once(void **state)
{
    (void)state;
    setup();
    par_pool_pause(pool);
    par_pool_resume(pool);
    push(run_one_step);
    assert_int_equal(run_on(2, NULL), CADV_OK);
    assert_int_equal(atomic_load(&walk.steps), 1);
    teardown();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_lets_no_worker_move_until_it_is_over),
        cmocka_unit_test(pauses_may_follow_each_other_closely),
        cmocka_unit_test(an_idle_pool_rests_at_once),
    };
    (void)alarm(WATCHDOG_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
