/* SPDX-License-Identifier: BSD-2-Clause */
/* The set of digests does what a list of flags does, from one thread and from many. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "index/index.h"
#include "support/crowd.h"
#include "support/noise.h"
#include "support/unit.h"

#define UNIVERSE 20000
#define DRAWS 60000
#define THREADS 6

struct digest {
    uint64_t high;
    uint64_t low;
};

struct world {
    struct digest digests[UNIVERSE];
    /** The naive set. */
    bool is_in[UNIVERSE];
    struct index *index;
    uint64_t seed;
    /** What each thread found, and drew. */
    size_t news[THREADS];
    size_t failures[THREADS];
    bool drew[THREADS][UNIVERSE];
};

static struct world world;

static int by_value(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct digest));
}

/* Different digests: zeros, ones that differ in one half or in few bits, and random ones. */
static void make_world(struct noise *noise)
{
    memset(&world, 0, sizeof world);
    world.index = index_new();
    assert_non_null(world.index);
    struct digest *digests = world.digests;
    for (size_t i = 1; i < UNIVERSE; i++) {
        struct digest fresh = {noise_next(noise), noise_next(noise)};
        switch (i % 4) {
        case 1:
            fresh.high = digests[i - 1].high;
            break;
        case 2:
            fresh.low = digests[i - 1].low;
            break;
        default:
            break;
        }
        digests[i] = fresh;
    }
    static struct digest sorted[UNIVERSE];
    memcpy(sorted, digests, sizeof sorted);
    qsort(sorted, UNIVERSE, sizeof sorted[0], by_value);
    for (size_t i = 1; i < UNIVERSE; i++) {
        assert_true(by_value(&sorted[i - 1], &sorted[i]) != 0);
    }
}

static enum index_outcome insert(size_t i)
{
    return index_insert(world.index, world.digests[i].high, world.digests[i].low);
}

static void outcomes_are_those_of_a_naive_set(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct noise noise = {seed};
        print_message("seed %llu\n", (unsigned long long)seed);
        make_world(&noise);
        for (size_t n = 0; n < DRAWS; n++) {
            size_t i = (size_t)noise_below(&noise, UNIVERSE);
            assert_int_equal(insert(i), world.is_in[i] ? INDEX_AGAIN : INDEX_NEW);
            world.is_in[i] = true;
        }
        index_free(world.index);
    }
}

static void draw_and_insert(size_t thread, void *ctx)
{
    (void)ctx;
    struct noise noise = {world.seed * 100 + thread};
    for (size_t n = 0; n < UNIVERSE; n++) {
        size_t i = (size_t)noise_below(&noise, UNIVERSE);
        enum index_outcome outcome = insert(i);
        world.news[thread] += outcome == INDEX_NEW;
        world.failures[thread] += outcome == INDEX_NOMEM;
        world.drew[thread][i] = true;
    }
}

static void many_threads_find_each_digest_new_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct noise noise = {1000 + seed};
        print_message("seed %llu\n", (unsigned long long)seed);
        make_world(&noise);
        world.seed = seed;
        crowd_run(THREADS, draw_and_insert, NULL);
        size_t news = 0;
        for (size_t t = 0; t < THREADS; t++) {
            assert_int_equal(world.failures[t], 0);
            news += world.news[t];
        }
        size_t different = 0;
        for (size_t i = 0; i < UNIVERSE; i++) {
            bool was_drawn = false;
            for (size_t t = 0; t < THREADS; t++) {
                was_drawn = was_drawn || world.drew[t][i];
            }
            different += was_drawn;
            assert_int_equal(insert(i), was_drawn ? INDEX_AGAIN : INDEX_NEW);
        }
        assert_int_equal(news, different);
        index_free(world.index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_those_of_a_naive_set),
        cmocka_unit_test(many_threads_find_each_digest_new_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
