/* SPDX-License-Identifier: BSD-2-Clause */
/* test_archive_limit.c - what an archive may expand to; 64 GiB cannot be tried in a test. */
#include "source/archive_layer.h"
#include "support/unit.h"

#define GIB (1024ULL * 1024 * 1024)

static void a_limit_of_the_users_is_to_the_byte(void **state)
{
    (void)state;
    assert_false(source_expands_beyond(1000, 1, 1000));
    assert_true(source_expands_beyond(1001, 1001, 1000));
}

static void without_one_64_gib_are_free_however_small_the_archive(void **state)
{
    (void)state;
    assert_false(source_expands_beyond(64 * GIB, 1, 0));
    assert_true(source_expands_beyond(64 * GIB + 100, 1, 0));
}

static void beyond_that_a_hundred_times_what_was_read_is_allowed(void **state)
{
    (void)state;
    assert_false(source_expands_beyond(100 * GIB, GIB, 0));
    assert_true(source_expands_beyond(100 * GIB + 100, GIB, 0));
    assert_false(source_expands_beyond(UINT64_MAX, UINT64_MAX / 100, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_of_the_users_is_to_the_byte),
        cmocka_unit_test(without_one_64_gib_are_free_however_small_the_archive),
        cmocka_unit_test(beyond_that_a_hundred_times_what_was_read_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
