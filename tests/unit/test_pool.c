/* SPDX-License-Identifier: BSD-2-Clause */
/* The worker pool. A pool that hangs is ended by an alarm, which fails the test. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "par/pool.h"
#include "support/unit.h"

#define JOBS_MAX 3000
#define WATCHDOG_S 120U

/** What the tasks of one test did. */
struct board {
    struct par_pool *pool;
    atomic_uint ran[JOBS_MAX];
    atomic_uint dropped[JOBS_MAX];
    atomic_uint next_id;
    atomic_uint order_count;
    /** Ids in the order they ran. */
    unsigned order[JOBS_MAX];
    atomic_uint ticks;
};

struct job {
    struct par_task task;
    struct board *board;
    unsigned id;
    /** What it does: 0 or more of these. */
    unsigned depth;
    unsigned push_count;
    unsigned push_lane;
    unsigned sleep_ms;
    unsigned ticks_awaited;
    /** Waits until so many tasks have started. */
    unsigned starts_awaited;
    /** What its children await. */
    unsigned child_awaits;
    bool fails;
};

struct worker_state {
    atomic_uint users;
    atomic_uint tasks;
    atomic_bool was_shared;
};

static struct board board;

static void setup(void)
{
    board.pool = par_pool_new();
    assert_non_null(board.pool);
    for (size_t i = 0; i < JOBS_MAX; i++) {
        atomic_store(&board.ran[i], 0);
        atomic_store(&board.dropped[i], 0);
    }
    atomic_store(&board.next_id, 0);
    atomic_store(&board.order_count, 0);
    atomic_store(&board.ticks, 0);
}

static void teardown(void)
{
    par_pool_free(board.pool);
}

static void sleep_ms(unsigned ms)
{
    struct timespec pause = {.tv_sec = 0, .tv_nsec = (long)ms * 1000000L};
    (void)nanosleep(&pause, NULL);
}

static void drop_job(struct par_task *task)
{
    const struct job *job = (const struct job *)task;
    atomic_fetch_add(&job->board->dropped[job->id], 1);
    free(task);
}

static enum cadv_status run_job(struct par_task *task, void *worker, struct cadv_error *err);

static struct job *job_new(void)
{
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        abort();
    }
    job->task.run = run_job;
    job->task.drop = drop_job;
    job->board = &board;
    job->id = atomic_fetch_add(&board.next_id, 1);
    return job;
}

static struct job *push(unsigned lane)
{
    struct job *job = job_new();
    par_pool_push(board.pool, lane, &job->task);
    return job;
}

static enum cadv_status run_job(struct par_task *task, void *worker, struct cadv_error *err)
{
    struct job *job = (struct job *)task;
    struct worker_state *state = worker;
    if (atomic_fetch_add(&state->users, 1) != 0) {
        atomic_store(&state->was_shared, true);
    }
    atomic_fetch_add(&state->tasks, 1);
    atomic_fetch_add(&job->board->ran[job->id], 1);
    job->board->order[atomic_fetch_add(&job->board->order_count, 1)] = job->id;

    sleep_ms(job->sleep_ms);
    while (atomic_load(&job->board->order_count) < job->starts_awaited) {
        sleep_ms(1);
    }
    while (atomic_load(&job->board->ticks) < job->ticks_awaited) {
        sleep_ms(1);
    }
    for (unsigned i = 0; i < job->push_count; i++) {
        struct job *child = job_new();
        child->starts_awaited = job->child_awaits;
        child->depth = job->depth == 0 ? 0 : job->depth - 1;
        child->push_count = child->depth > 0 ? job->push_count : 0;
        par_pool_push(job->board->pool, job->push_lane, &child->task);
    }
    enum cadv_status status = CADV_OK;
    if (job->fails) {
        status = error_set(err, CADV_ERR_CODEC, "job %u failed", job->id);
    }
    free(job);
    atomic_fetch_sub(&state->users, 1);
    return status;
}

static void count_tick(void *ctx)
{
    atomic_fetch_add(&((struct board *)ctx)->ticks, 1);
}

/* Runs the pool; checks that no worker's state was used by two tasks at a time. */
static enum cadv_status run_on(size_t workers, struct cadv_error *err)
{
    struct worker_state states[8];
    void *pointers[8];
    assert_in_range(workers, 1, 8);
    for (size_t i = 0; i < workers; i++) {
        atomic_init(&states[i].users, 0);
        atomic_init(&states[i].tasks, 0);
        atomic_init(&states[i].was_shared, false);
        pointers[i] = &states[i];
    }
    unsigned before = atomic_load(&board.order_count);
    enum cadv_status status =
        par_pool_run(board.pool, pointers, workers, count_tick, &board, err);
    unsigned sum = 0;
    for (size_t i = 0; i < workers; i++) {
        assert_false(atomic_load(&states[i].was_shared));
        sum += atomic_load(&states[i].tasks);
    }
    assert_int_equal(sum, atomic_load(&board.order_count) - before);
    return status;
}

/* Every task made so far ran once, and none was dropped. */
static void assert_all_ran_once(void)
{
    for (unsigned id = 0; id < atomic_load(&board.next_id); id++) {
        assert_int_equal(atomic_load(&board.ran[id]), 1);
        assert_int_equal(atomic_load(&board.dropped[id]), 0);
    }
}

/* Every task made so far ran or was dropped, once; returns how many ran. */
static unsigned assert_all_ended_once(void)
{
    unsigned ran = 0;
    for (unsigned id = 0; id < atomic_load(&board.next_id); id++) {
        assert_int_equal(atomic_load(&board.ran[id]) + atomic_load(&board.dropped[id]), 1);
        ran += atomic_load(&board.ran[id]);
    }
    return ran;
}

static const size_t worker_counts[] = {1, 2, 8};
#define EACH_WORKER_COUNT(i)                                                                   \
    size_t i = 0;                                                                              \
    i < sizeof worker_counts / sizeof worker_counts[0];                                        \
    i++

static void every_task_runs_once(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        setup();
        for (unsigned n = 0; n < 1000; n++) {
            (void)push(n % PAR_LANES_MAX);
        }
        assert_int_equal(run_on(worker_counts[i], NULL), CADV_OK);
        assert_int_equal(atomic_load(&board.next_id), 1000);
        assert_all_ran_once();
        teardown();
    }
}

static void tasks_may_push_tasks(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        setup();
        struct job *root = push(1);
        root->depth = 10;
        root->push_count = 2;
        assert_int_equal(run_on(worker_counts[i], NULL), CADV_OK);
        assert_int_equal(atomic_load(&board.next_id), 2047);
        assert_all_ran_once();
        teardown();
    }
}

static void an_empty_pool_is_done_at_once(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        setup();
        assert_int_equal(run_on(worker_counts[i], NULL), CADV_OK);
        teardown();
    }
}

static void one_worker_drains_lane_after_lane_each_from_the_top(void **state)
{
    (void)state;
    static const unsigned lanes[] = {2, 0, 3, 1, 0, 2, 1, 3, 0};
    static const unsigned expected[] = {8, 4, 1, 6, 3, 5, 0, 7, 2};
    setup();
    for (size_t n = 0; n < sizeof lanes / sizeof lanes[0]; n++) {
        (void)push(lanes[n]);
    }
    assert_int_equal(run_on(1, NULL), CADV_OK);
    assert_int_equal(atomic_load(&board.order_count), 9);
    assert_memory_equal(board.order, expected, sizeof expected);
    teardown();
}

static void push_bytes(unsigned lane, size_t bytes)
{
    struct job *job = job_new();
    job->task.bytes = bytes;
    par_pool_push(board.pool, lane, &job->task);
}

/* Ids 0 to 2 in lane 2, 3 to 5 in lane 1: lane 2 first, until lane 1 holds enough. */
static void a_lane_may_be_preferred_while_another_holds_little(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        unsigned order[6];
    } cases[] = {
        {31, {2, 1, 0, 5, 4, 3}}, {30, {5, 2, 1, 0, 4, 3}}, {15, {5, 4, 2, 1, 0, 3}},
        {10, {5, 4, 3, 2, 1, 0}}, {0, {5, 4, 3, 2, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setup();
        par_pool_prefer(board.pool, 2, 1, cases[i].bytes);
        for (unsigned n = 0; n < 6; n++) {
            push_bytes(n < 3 ? 2 : 1, n < 3 ? 1000 : 10);
        }
        assert_int_equal(run_on(1, NULL), CADV_OK);
        assert_memory_equal(board.order, cases[i].order, sizeof cases[i].order);
        teardown();
    }
}

static void what_a_task_pushes_to_an_earlier_lane_runs_next(void **state)
{
    (void)state;
    setup();
    (void)push(3);
    struct job *maker = push(2);
    maker->push_count = 1;
    maker->push_lane = 0;
    assert_int_equal(run_on(1, NULL), CADV_OK);
    static const unsigned expected[] = {1, 2, 0};
    assert_int_equal(atomic_load(&board.order_count), 3);
    assert_memory_equal(board.order, expected, sizeof expected);
    teardown();
}

static bool try_push(unsigned lane, size_t bytes, size_t bytes_max)
{
    struct job *job = job_new();
    job->task.bytes = bytes;
    bool is_taken = par_pool_try_push(board.pool, lane, &job->task, bytes_max);
    if (!is_taken) {
        /* Still the caller's; its id is given back. */
        free(job);
        atomic_fetch_sub(&board.next_id, 1);
    }
    return is_taken;
}

static void a_full_lane_takes_no_more_until_it_is_drained(void **state)
{
    (void)state;
    setup();
    assert_true(try_push(1, 10, 25));
    assert_true(try_push(1, 15, 25));
    assert_false(try_push(1, 1, 25));
    assert_true(try_push(1, 0, 25));
    assert_true(try_push(0, 25, 25));
    assert_false(try_push(2, 26, 25));
    assert_int_equal(run_on(2, NULL), CADV_OK);
    assert_int_equal(atomic_load(&board.next_id), 4);
    assert_all_ran_once();
    assert_true(try_push(1, 25, 25));
    assert_false(try_push(1, 1, 25));
    assert_int_equal(run_on(2, NULL), CADV_OK);
    assert_all_ran_once();
    teardown();
}

static void a_failure_ends_the_run_and_drops_the_rest(void **state)
{
    (void)state;
    struct cadv_error err = {0};
    setup();
    for (unsigned n = 0; n < 100; n++) {
        push(0)->fails = n == 90;
    }
    assert_int_equal(run_on(1, &err), CADV_ERR_CODEC);
    assert_int_equal(err.status, CADV_ERR_CODEC);
    assert_string_equal(err.message, "job 90 failed");
    assert_int_equal(assert_all_ended_once(), 10);
    teardown();
}

static void the_details_of_a_failure_may_be_unwanted(void **state)
{
    (void)state;
    setup();
    push(0)->fails = true;
    assert_int_equal(run_on(2, NULL), CADV_ERR_CODEC);
    teardown();
}

static void one_of_many_failures_is_the_result(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        struct cadv_error err = {0};
        char expected[64];
        setup();
        for (unsigned n = 0; n < 500; n++) {
            struct job *job = push(n % PAR_LANES_MAX);
            job->fails = true;
            job->sleep_ms = 1;
        }
        assert_int_equal(run_on(worker_counts[i], &err), CADV_ERR_CODEC);
        unsigned ran = assert_all_ended_once();
        assert_in_range(ran, 1, worker_counts[i]);
        bool is_known = false;
        for (unsigned n = 0; n < ran; n++) {
            (void)snprintf(expected, sizeof expected, "job %u failed", board.order[n]);
            is_known = is_known || strcmp(expected, err.message) == 0;
        }
        assert_true(is_known);
        teardown();
    }
}

static void the_first_failure_is_the_result(void **state)
{
    (void)state;
    struct cadv_error err = {0};
    setup();
    for (unsigned n = 0; n < 2; n++) {
        struct job *job = push(n);
        job->fails = true;
        job->starts_awaited = 2;
        job->ticks_awaited = n == 0 ? 4 : 0;
    }
    assert_int_equal(run_on(2, &err), CADV_ERR_CODEC);
    assert_string_equal(err.message, "job 1 failed");
    assert_int_equal(assert_all_ended_once(), 2);
    teardown();
}

/* The sleep lets the others find nothing to do and wait; none may be left behind. */
static void a_failure_ends_workers_that_wait(void **state)
{
    (void)state;
    setup();
    struct job *job = push(3);
    job->sleep_ms = 100;
    job->fails = true;
    job->push_count = 50;
    struct cadv_error err = {0};
    assert_int_equal(run_on(8, &err), CADV_ERR_CODEC);
    assert_string_equal(err.message, "job 0 failed");
    (void)assert_all_ended_once();
    teardown();
}

/* The children end only when all eight run at once: no worker may have left for want of work. */
static void workers_that_wait_get_the_work_that_comes(void **state)
{
    (void)state;
    setup();
    struct job *job = push(3);
    job->sleep_ms = 100;
    job->push_count = 8;
    job->child_awaits = 9;
    assert_int_equal(run_on(8, NULL), CADV_OK);
    assert_int_equal(atomic_load(&board.next_id), 9);
    assert_all_ran_once();
    teardown();
}

static void a_pool_may_run_again_after_success_and_after_failure(void **state)
{
    (void)state;
    for (EACH_WORKER_COUNT(i)) {
        setup();
        (void)push(0);
        assert_int_equal(run_on(worker_counts[i], NULL), CADV_OK);
        push(1)->fails = true;
        assert_int_equal(run_on(worker_counts[i], NULL), CADV_ERR_CODEC);
        struct job *maker = push(2);
        maker->push_count = 20;
        assert_int_equal(run_on(worker_counts[i], NULL), CADV_OK);
        assert_int_equal(atomic_load(&board.next_id), 23);
        assert_all_ran_once();
        teardown();
    }
}

static void freeing_a_pool_drops_what_is_left(void **state)
{
    (void)state;
    setup();
    for (unsigned n = 0; n < 40; n++) {
        (void)push(n % PAR_LANES_MAX);
    }
    teardown();
    for (unsigned id = 0; id < 40; id++) {
        assert_int_equal(atomic_load(&board.dropped[id]), 1);
    }
    par_pool_free(NULL);
}

static void the_calling_thread_ticks_while_tasks_run(void **state)
{
    (void)state;
    setup();
    push(0)->ticks_awaited = 3;
    assert_int_equal(run_on(2, NULL), CADV_OK);
    assert_true(atomic_load(&board.ticks) >= 3);
    teardown();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(tasks_may_push_tasks),
        cmocka_unit_test(an_empty_pool_is_done_at_once),
        cmocka_unit_test(one_worker_drains_lane_after_lane_each_from_the_top),
        cmocka_unit_test(a_lane_may_be_preferred_while_another_holds_little),
        cmocka_unit_test(what_a_task_pushes_to_an_earlier_lane_runs_next),
        cmocka_unit_test(a_full_lane_takes_no_more_until_it_is_drained),
        cmocka_unit_test(a_failure_ends_the_run_and_drops_the_rest),
        cmocka_unit_test(the_details_of_a_failure_may_be_unwanted),
        cmocka_unit_test(one_of_many_failures_is_the_result),
        cmocka_unit_test(the_first_failure_is_the_result),
        cmocka_unit_test(a_failure_ends_workers_that_wait),
        cmocka_unit_test(workers_that_wait_get_the_work_that_comes),
        cmocka_unit_test(a_pool_may_run_again_after_success_and_after_failure),
        cmocka_unit_test(freeing_a_pool_drops_what_is_left),
        cmocka_unit_test(the_calling_thread_ticks_while_tasks_run),
    };
    (void)alarm(WATCHDOG_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
