/* SPDX-License-Identifier: BSD-2-Clause */
/* The set of digests: single cases, and its stated memory. */
#include "index/index.h"
#include "support/noise.h"
#include "support/unit.h"

static void a_digest_is_new_once(void **state)
{
    (void)state;
    struct index *index = index_new();
    assert_non_null(index);
    assert_int_equal(index_insert(index, 1, 2), INDEX_NEW);
    assert_int_equal(index_insert(index, 1, 2), INDEX_AGAIN);
    assert_int_equal(index_insert(index, 1, 2), INDEX_AGAIN);
    index_free(index);
    index_free(NULL);
}

static void both_halves_of_a_digest_count(void **state)
{
    (void)state;
    struct index *index = index_new();
    assert_non_null(index);
    assert_int_equal(index_insert(index, 5, 6), INDEX_NEW);
    assert_int_equal(index_insert(index, 6, 5), INDEX_NEW);
    assert_int_equal(index_insert(index, 5, 5), INDEX_NEW);
    assert_int_equal(index_insert(index, 6, 6), INDEX_NEW);
    assert_int_equal(index_insert(index, 5, 0), INDEX_NEW);
    assert_int_equal(index_insert(index, 0, 5), INDEX_NEW);
    assert_int_equal(index_insert(index, 5, 6), INDEX_AGAIN);
    assert_int_equal(index_insert(index, 0, 5), INDEX_AGAIN);
    index_free(index);
}

static void the_digest_of_zeros_is_one_like_any_other(void **state)
{
    (void)state;
    struct index *index = index_new();
    assert_non_null(index);
    assert_int_equal(index_insert(index, 0, 0), INDEX_NEW);
    assert_int_equal(index_insert(index, 0, 0), INDEX_AGAIN);
    for (uint64_t low = 2; low < 3000; low++) {
        assert_int_equal(index_insert(index, 0, low), INDEX_NEW);
    }
    assert_int_equal(index_insert(index, 0, 0), INDEX_AGAIN);
    index_free(index);
}

static void the_largest_digests_wrap_around_without_loss(void **state)
{
    (void)state;
    struct index *index = index_new();
    assert_non_null(index);
    for (uint64_t n = 0; n < 2000; n++) {
        assert_int_equal(index_insert(index, UINT64_MAX, UINT64_MAX - n), INDEX_NEW);
    }
    for (uint64_t n = 0; n < 2000; n++) {
        assert_int_equal(index_insert(index, UINT64_MAX, UINT64_MAX - n), INDEX_AGAIN);
    }
    index_free(index);
}

/* Adds digests of noise, none of which was there, until there are `until`. */
static void fill(struct index *index, struct noise *noise, size_t *count, size_t until)
{
    for (; *count < until; (*count)++) {
        uint64_t high = noise_next(noise);
        assert_int_equal(index_insert(index, high, noise_next(noise)), INDEX_NEW);
    }
}

/* Shards hold 300 digests from 76,800 on; the figures are the header's. */
static void a_digest_takes_22_bytes_on_average_and_26_at_most(void **state)
{
    (void)state;
    struct noise noise = {.state = 7};
    struct index *index = index_new();
    assert_non_null(index);
    double sum = 0.0;
    size_t looks = 0;
    size_t count = 0;
    for (size_t next_look = 76800; next_look <= 400000; next_look = next_look * 21 / 20) {
        fill(index, &noise, &count, next_look);
        size_t bytes = index_memory_bytes(index);
        assert_in_range(bytes, count * 16, count * 26);
        sum += (double)bytes / (double)count;
        looks++;
    }
    assert_true(looks > 20);
    assert_true(sum / (double)looks > 21.0);
    assert_true(sum / (double)looks < 23.5);
    index_free(index);
}

/* 2 % more digests take no more than 4 % more memory: shards do not grow in step. */
static void memory_grows_with_the_digests_and_not_in_bursts(void **state)
{
    (void)state;
    struct noise noise = {.state = 8};
    struct index *index = index_new();
    assert_non_null(index);
    size_t last = 0;
    size_t count = 0;
    for (size_t next_look = 200000; next_look <= 600000; next_look += next_look / 50) {
        fill(index, &noise, &count, next_look);
        size_t bytes = index_memory_bytes(index);
        assert_true(last == 0 || bytes <= last + last / 25);
        last = bytes;
    }
    index_free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_new_once),
        cmocka_unit_test(both_halves_of_a_digest_count),
        cmocka_unit_test(the_digest_of_zeros_is_one_like_any_other),
        cmocka_unit_test(the_largest_digests_wrap_around_without_loss),
        cmocka_unit_test(a_digest_takes_22_bytes_on_average_and_26_at_most),
        cmocka_unit_test(memory_grows_with_the_digests_and_not_in_bursts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
