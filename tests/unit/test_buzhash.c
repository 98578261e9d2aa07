/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hashes and cut lengths that Borg 1.2.4's own chunker gave, on data from a formula, and the
 * corners of the cut rule.
 */
#include <stdlib.h>
#include <string.h>

#include "chunk/buzhash_rule.h"
#include "support/unit.h"

enum { DATA_BYTES = 20000000 };

/* The low bits of a linear congruential generator; sha256 8fd0ffb6474e85b2... */
static uint8_t *formula_data(void)
{
    uint8_t *data = malloc(DATA_BYTES);
    uint32_t x = 1;
    assert_non_null(data);
    for (size_t i = 0; i < DATA_BYTES; i++) {
        x = (x * UINT32_C(1103515245) + 12345) & 0x7fffffff;
        data[i] = (uint8_t)(x >> 16);
    }
    return data;
}

static int make_data(void **state)
{
    *state = formula_data();
    return 0;
}

static int free_data(void **state)
{
    free(*state);
    return 0;
}

static uint32_t hash_of(const void *data, uint32_t window_bytes, uint32_t seed)
{
    struct buzhash hash;
    struct cadv_chunker_params params = {
        .mask_bits = 6, .window_bytes = window_bytes, .seed = seed};
    buzhash_init(&hash, &params);
    return buzhash_of(&hash, data);
}

static void hashes_are_those_of_borg(void **state)
{
    assert_int_equal(hash_of("abcdefghijklmnop", 16, 0), 0xe239c8c9);
    assert_int_equal(hash_of("abcdefghijklmnop", 16, 1), 0xe2393736);
    assert_int_equal(hash_of(*state, 4095, 0), 0xa6819c21);
}

static void hash_of_one_byte_is_its_table_entry(void **state)
{
    (void)state;
    assert_int_equal(hash_of("\0", 1, 0), 0xe7f831ec);
    assert_int_equal(hash_of("\1", 1, 0xffffffff), 0xf4026465 ^ 0xffffffff);
}

/* `expected` ends with a 0. */
static void assert_cuts(const uint8_t *data, size_t data_bytes,
                        struct cadv_chunker_params params, const size_t *expected)
{
    struct cadv_cutter *cutter = cadv_cutter_new(&params);
    assert_non_null(cutter);
    cadv_cutter_start(cutter);
    size_t at = 0;
    for (; *expected != 0; expected++) {
        assert_int_equal(cadv_cutter_next(cutter, data + at, data_bytes - at, true), *expected);
        at += *expected;
    }
    assert_int_equal(at, data_bytes);
    cadv_cutter_free(cutter);
}

static void default_cuts_are_those_of_borg(void **state)
{
    static const size_t expected[] = {4475240, 638167,  652234,  2508517, 3561451,
                                      1939246, 1310714, 4914431, 0};
    assert_cuts(*state, DATA_BYTES, cadv_chunker_default(), expected);
}

static void keyed_cuts_are_those_of_borg(void **state)
{
    static const size_t expected[] = {2735788, 1129828, 1305064, 1063495, 4771513,
                                      2007057, 1479620, 5020639, 486996,  0};
    struct cadv_chunker_params params = cadv_chunker_default();
    params.seed = 0x12345678;
    assert_cuts(*state, DATA_BYTES, params, expected);
}

static void fine_cuts_are_those_of_borg(void **state)
{
    static const size_t expected[] = {51516,  58928,  59936,  40304, 60468,  228958,
                                      62369,  84555,  194530, 75017, 111546, 69949,
                                      111080, 133637, 157207, 0};
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_BUZHASH,
                                         .min_exp = 15,
                                         .max_exp = 19,
                                         .mask_bits = 17,
                                         .window_bytes = 4095};
    assert_cuts(*state, 1500000, params, expected);
}

/* Small enough to follow by hand: chunks of 64 to 256 bytes, a window of 16. */
static const struct cadv_chunker_params small = {.kind = CADV_CHUNKER_BUZHASH,
                                                 .min_exp = 6,
                                                 .max_exp = 8,
                                                 .mask_bits = 8,
                                                 .window_bytes = 16};

static void constant_data_is_cut_at_the_maximum(void **state)
{
    static const size_t expected[] = {256, 256, 88, 0};
    uint8_t zeros[600] = {0};
    (void)state;
    assert_cuts(zeros, sizeof zeros, small, expected);
}

static void file_of_minimum_and_window_is_one_chunk(void **state)
{
    struct cadv_chunker_params params = small;
    const uint8_t *data = *state;
    /* With the least mask allowed a match right at the minimum is soon found. */
    params.mask_bits = 6;
    struct buzhash hash;
    buzhash_init(&hash, &params);
    size_t at = buzhash_find(&hash, data, 64, DATA_BYTES - 16) - 64;
    const size_t whole[] = {80, 0};
    const size_t cut[] = {64, 17, 0};
    assert_cuts(data + at, 80, params, whole);
    assert_cuts(data + at, 81, params, cut);
}

static void match_whose_window_ends_at_the_maximum_is_no_cut(void **state)
{
    const uint8_t *data = *state;
    struct buzhash hash;
    buzhash_init(&hash, &small);
    /* A match after so long a gap that the chunk before it holds no other. */
    size_t match = 0;
    size_t before = 0;
    do {
        before = match;
        match = buzhash_find(&hash, data, match + 1, DATA_BYTES - 16);
        assert_true(match < DATA_BYTES - 16);
    } while (match - before <= 256);

    const size_t forced[] = {256, 1, 0};
    const size_t content[] = {239, 18, 0};
    assert_cuts(data + match - 240, 257, small, forced);
    assert_cuts(data + match - 239, 257, small, content);
}

static void cut_is_returned_as_soon_as_it_is_certain(void **state)
{
    const uint8_t *data = *state;
    struct cadv_cutter *cutter = cadv_cutter_new(&small);
    struct buzhash hash;
    buzhash_init(&hash, &small);
    size_t at = buzhash_find(&hash, data, 100, DATA_BYTES) - 100;
    size_t cut = buzhash_find(&hash, data + at, 64, 240);
    assert_true(cut <= 100);

    cadv_cutter_start(cutter);
    assert_int_equal(cadv_cutter_next(cutter, data + at, 0, true), 0);
    assert_int_equal(cadv_cutter_next(cutter, data + at, 10, false), 0);
    assert_int_equal(cadv_cutter_next(cutter, data + at, cut + 16, false), 0);
    assert_int_equal(cadv_cutter_next(cutter, data + at, cut + 17, false), cut);
    cadv_cutter_free(cutter);
}

static void forced_cut_needs_no_end_of_file(void **state)
{
    uint8_t zeros[256] = {0};
    struct cadv_cutter *cutter = cadv_cutter_new(&small);
    (void)state;
    cadv_cutter_start(cutter);
    assert_int_equal(cadv_cutter_max_bytes(cutter), 256);
    assert_int_equal(cadv_cutter_next(cutter, zeros, 255, false), 0);
    assert_int_equal(cadv_cutter_next(cutter, zeros, 256, false), 256);
    cadv_cutter_free(cutter);
}

static void starting_a_file_forgets_an_unfinished_one(void **state)
{
    const uint8_t *data = *state;
    uint8_t zeros[256] = {0};
    struct cadv_cutter *cutter = cadv_cutter_new(&small);
    struct buzhash hash;
    buzhash_init(&hash, &small);
    size_t at = buzhash_find(&hash, data, 100, DATA_BYTES) - 100;
    size_t cut = buzhash_find(&hash, data + at, 64, 240);

    cadv_cutter_start(cutter);
    assert_int_equal(cadv_cutter_next(cutter, zeros, 255, false), 0);
    cadv_cutter_start(cutter);
    assert_int_equal(cadv_cutter_next(cutter, data + at, 256, false), cut);
    cadv_cutter_free(cutter);
}

static void full_list_of_candidates_says_where_to_go_on(void **state)
{
    uint64_t positions[2];
    struct buzhash hash;
    struct buzhash_candidates found = {.positions = positions, .capacity = 2};
    buzhash_init(&hash, &small);
    size_t first = buzhash_find(&hash, *state, 0, 100000);
    size_t second = buzhash_find(&hash, *state, first + 1, 100000);

    buzhash_collect(&hash, *state, 100000, 7000, &found);
    assert_int_equal(found.count, 2);
    assert_int_equal(positions[0], 7000 + first);
    assert_int_equal(positions[1], 7000 + second);
    assert_int_equal(found.from, 7000);
    assert_int_equal(found.to, 7000 + second + 1);
}

static void segment_shorter_than_the_window_has_no_position(void **state)
{
    uint64_t positions[1];
    struct buzhash hash;
    struct buzhash_candidates found = {.positions = positions, .capacity = 1};
    buzhash_init(&hash, &small);
    buzhash_collect(&hash, *state, 15, 40, &found);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.to, 40);
    buzhash_collect(&hash, *state, 16, 40, &found);
    assert_int_equal(found.to, 41);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_borg),
        cmocka_unit_test(hash_of_one_byte_is_its_table_entry),
        cmocka_unit_test(default_cuts_are_those_of_borg),
        cmocka_unit_test(keyed_cuts_are_those_of_borg),
        cmocka_unit_test(fine_cuts_are_those_of_borg),
        cmocka_unit_test(constant_data_is_cut_at_the_maximum),
        cmocka_unit_test(file_of_minimum_and_window_is_one_chunk),
        cmocka_unit_test(match_whose_window_ends_at_the_maximum_is_no_cut),
        cmocka_unit_test(cut_is_returned_as_soon_as_it_is_certain),
        cmocka_unit_test(forced_cut_needs_no_end_of_file),
        cmocka_unit_test(starting_a_file_forgets_an_unfinished_one),
        cmocka_unit_test(full_list_of_candidates_says_where_to_go_on),
        cmocka_unit_test(segment_shorter_than_the_window_has_no_position),
    };
    return cmocka_run_group_tests_name("buzhash", tests, make_data, free_data);
}
