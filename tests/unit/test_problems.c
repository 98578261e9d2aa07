/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting what went wrong with files, and the list of the first by path. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/problems.h"
#include "support/noise.h"
#include "support/shuffle.h"
#include "support/unit.h"

#define PROBLEMS 260

/* Paths whose byte order is not the order of their numbers, nor that of letters: some hold bytes
   above 127, some are beginnings of others. */
static void make_path(size_t number, char *path, size_t path_bytes)
{
    static const char *const folders[] = {"z/", "", "\xff/", "a/", "a", "A/b/", "\xc3\xa9/"};
    (void)snprintf(path, path_bytes, "%s%zu", folders[number % 7], number / 7 * 37 % 1000);
}

/* Byte order, spelt out. */
static bool comes_after(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a > (unsigned char)*b;
}

static void the_first_paths_in_byte_order_are_listed_in_any_order_of_calls(void **state)
{
    (void)state;
    static char sorted[PROBLEMS][32];
    for (size_t i = 0; i < PROBLEMS; i++) {
        char path[32];
        make_path(i, path, sizeof path);
        size_t at = i;
        while (at > 0 && comes_after(sorted[at - 1], path)) {
            memcpy(sorted[at], sorted[at - 1], sizeof sorted[at]);
            at--;
        }
        memset(sorted[at], 0, sizeof sorted[at]);
        memcpy(sorted[at], path, strlen(path));
    }
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct noise noise = {seed};
        struct record_problems problems = {0};
        size_t order[PROBLEMS];
        shuffle(&noise, order, PROBLEMS);
        for (size_t i = 0; i < PROBLEMS; i++) {
            char path[32];
            make_path(order[i], path, sizeof path);
            assert_true(record_problems_add(&problems, RECORD_VANISHED, ENOENT, 0, path));
            memset(path, '#', sizeof path);
        }
        assert_int_equal(problems.listed_count, RECORD_PROBLEMS_MAX);
        for (size_t i = 0; i < RECORD_PROBLEMS_MAX; i++) {
            assert_string_equal(problems.listed[i].path, sorted[i]);
        }
        assert_int_equal(problems.count, PROBLEMS);
        record_problems_fini(&problems);
    }
}

static void every_problem_is_counted_by_kind_and_bytes(void **state)
{
    (void)state;
    struct record_problems problems = {0};
    uint64_t expected[RECORD_PROBLEM_KINDS] = {0};
    for (unsigned i = 0; i < 500; i++) {
        enum record_problem_kind kind = (enum record_problem_kind)(i % RECORD_PROBLEM_KINDS);
        char path[32];
        (void)snprintf(path, sizeof path, "%u", i);
        assert_true(record_problems_add(&problems, kind, 0, i, path));
        expected[kind]++;
    }
    assert_int_equal(problems.count, 500);
    assert_int_equal(problems.bytes, 499 * 500 / 2);
    assert_memory_equal(problems.count_by_kind, expected, sizeof expected);
    record_problems_fini(&problems);
    assert_int_equal(problems.count, 0);
    assert_null(problems.listed);
}

static void a_listed_problem_keeps_its_details(void **state)
{
    (void)state;
    struct record_problems problems = {0};
    assert_true(record_problems_add(&problems, RECORD_UNREADABLE, EACCES, 17, "b"));
    assert_true(record_problems_add(&problems, RECORD_SHRANK, 0, 4, "a"));
    assert_true(record_problems_add(&problems, RECORD_GREW, 0, 5, "b"));
    assert_int_equal(problems.listed_count, 3);
    assert_string_equal(problems.listed[0].path, "a");
    assert_int_equal(problems.listed[0].kind, RECORD_SHRANK);
    assert_int_equal(problems.listed[0].bytes, 4);
    assert_int_equal(problems.listed[1].kind, RECORD_UNREADABLE);
    assert_int_equal(problems.listed[1].saved_errno, EACCES);
    assert_int_equal(problems.listed[1].bytes, 17);
    assert_int_equal(problems.listed[2].kind, RECORD_GREW);
    record_problems_fini(&problems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_paths_in_byte_order_are_listed_in_any_order_of_calls),
        cmocka_unit_test(every_problem_is_counted_by_kind_and_bytes),
        cmocka_unit_test(a_listed_problem_keeps_its_details),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
