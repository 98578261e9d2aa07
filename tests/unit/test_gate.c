/* SPDX-License-Identifier: BSD-2-Clause */
/* The gate: never more memory at once than it allows, and everybody gets through. */
#include <stdatomic.h>
#include <time.h>

#include "par/sync.h"
#include "support/unit.h"
#include "trial/gate.h"

enum { THREADS = 6, TURNS = 20 };

static atomic_uint_fast64_t inside_bytes;
static atomic_uint_fast64_t most_bytes;

static void stay_inside(uint64_t bytes)
{
    gate_enter(bytes);
    uint64_t now = atomic_fetch_add(&inside_bytes, bytes) + bytes;
    uint64_t most = atomic_load(&most_bytes);
    while (now > most && !atomic_compare_exchange_weak(&most_bytes, &most, now)) {
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    atomic_fetch_sub(&inside_bytes, bytes);
    gate_leave(bytes);
}

static void *come_and_go(void *bytes)
{
    for (int turn = 0; turn < TURNS; turn++) {
        stay_inside(*(const uint64_t *)bytes);
    }
    return NULL;
}

static uint64_t most_of(uint64_t bytes)
{
    pthread_t threads[THREADS];
    atomic_store(&most_bytes, 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(par_thread_start(&threads[i], come_and_go, &bytes), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        par_thread_join(threads[i]);
    }
    return atomic_load(&most_bytes);
}

static void large_ones_go_one_by_one(void **state)
{
    (void)state;
    assert_int_equal(most_of(GATE_MAX_BYTES / 2 + 1), GATE_MAX_BYTES / 2 + 1);
}

static void what_fits_together_goes_together(void **state)
{
    (void)state;
    assert_true(most_of(GATE_MAX_BYTES / 3) <= GATE_MAX_BYTES);
    assert_true(most_of(GATE_MAX_BYTES / 3) >= 2 * (GATE_MAX_BYTES / 3));
}

static void one_that_is_too_large_still_gets_through(void **state)
{
    (void)state;
    assert_int_equal(most_of(3 * GATE_MAX_BYTES), 3 * GATE_MAX_BYTES);
}

static void small_ones_pass_freely(void **state)
{
    (void)state;
    gate_enter(GATE_MAX_BYTES);
    gate_enter(0);
    gate_leave(0);
    gate_leave(GATE_MAX_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_ones_go_one_by_one),
        cmocka_unit_test(what_fits_together_goes_together),
        cmocka_unit_test(one_that_is_too_large_still_gets_through),
        cmocka_unit_test(small_ones_pass_freely),
    };
    return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
