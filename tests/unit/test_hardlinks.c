/* SPDX-License-Identifier: BSD-2-Clause */
/* The set of inodes with several links. */
#include <stdatomic.h>
#include <string.h>

#include "support/crowd.h"
#include "support/noise.h"
#include "support/unit.h"
#include "walk/walk.h"

#define DEVICES 3
#define INODES 3000
#define THREADS 6

static void an_inode_is_first_once_on_each_device(void **state)
{
    (void)state;
    static bool is_in[DEVICES][INODES];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct noise noise = {seed};
        struct walk_hardlinks *links = walk_hardlinks_new();
        assert_non_null(links);
        memset(is_in, 0, sizeof is_in);
        for (size_t n = 0; n < 20000; n++) {
            size_t device = (size_t)noise_below(&noise, DEVICES);
            size_t inode = (size_t)noise_below(&noise, INODES);
            assert_int_equal(walk_hardlinks_add(links, device, inode),
                             is_in[device][inode] ? WALK_LINK_AGAIN : WALK_LINK_FIRST);
            is_in[device][inode] = true;
        }
        walk_hardlinks_free(links);
    }
    walk_hardlinks_free(NULL);
}

static void an_inode_of_zero_is_one_like_any_other(void **state)
{
    (void)state;
    struct walk_hardlinks *links = walk_hardlinks_new();
    assert_non_null(links);
    assert_int_equal(walk_hardlinks_add(links, 0, 0), WALK_LINK_FIRST);
    assert_int_equal(walk_hardlinks_add(links, 0, 0), WALK_LINK_AGAIN);
    assert_int_equal(walk_hardlinks_add(links, UINT64_MAX, UINT64_MAX), WALK_LINK_FIRST);
    assert_int_equal(walk_hardlinks_add(links, UINT64_MAX, UINT64_MAX), WALK_LINK_AGAIN);
    walk_hardlinks_free(links);
}

struct shared {
    struct walk_hardlinks *links;
    atomic_uint firsts[DEVICES][INODES];
    atomic_uint failures;
};

static void add_all(size_t thread, void *ctx)
{
    struct shared *shared = ctx;
    for (size_t n = 0; n < INODES; n++) {
        size_t inode = thread % 2 == 0 ? n : INODES - 1 - n;
        for (size_t device = 0; device < DEVICES; device++) {
            enum walk_link link = walk_hardlinks_add(shared->links, device, inode);
            atomic_fetch_add(&shared->firsts[device][inode], link == WALK_LINK_FIRST);
            atomic_fetch_add(&shared->failures, link == WALK_LINK_NOMEM);
        }
    }
}

static void of_many_threads_one_is_first(void **state)
{
    (void)state;
    static struct shared shared;
    shared.links = walk_hardlinks_new();
    assert_non_null(shared.links);
    crowd_run(THREADS, add_all, &shared);
    assert_int_equal(atomic_load(&shared.failures), 0);
    for (size_t device = 0; device < DEVICES; device++) {
        for (size_t inode = 0; inode < INODES; inode++) {
            assert_int_equal(atomic_load(&shared.firsts[device][inode]), 1);
        }
    }
    walk_hardlinks_free(shared.links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inode_is_first_once_on_each_device),
        cmocka_unit_test(an_inode_of_zero_is_one_like_any_other),
        cmocka_unit_test(of_many_threads_one_is_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
