/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/items.h"
#include "record/record.h"
#include "support/near.h"
#include "support/unit.h"

static void the_size_measure_is_the_fifth_root_of_the_cube(void **state)
{
    (void)state;
    assert_near(record_size_measure(1), 1.0, 0.0);
    assert_near(record_size_measure(32), 8.0, 1e-14);
    assert_near(record_size_measure(243), 27.0, 1e-13);
    assert_near(record_size_measure(100000), 1000.0, 1e-12);
    assert_near(record_size_measure(1U << 20), 4096.0, 1e-11);
    for (uint64_t bytes = 1; bytes <= UINT32_MAX; bytes = bytes * 3 / 2 + 1) {
        double cube = (double)bytes * (double)bytes * (double)bytes;
        double z = record_size_measure((uint32_t)bytes);
        assert_near(z * z * z * z * z / cube, 1.0, 1e-14);
    }
}

static void the_size_measure_is_the_power_of_three_fifths(void **state)
{
    (void)state;
    for (uint64_t bytes = 1; bytes <= UINT32_MAX; bytes += 1 + bytes / 500) {
        double power = pow((double)bytes, 0.6);
        assert_near(record_size_measure((uint32_t)bytes) / power, 1.0, 1e-12);
    }
    assert_near(record_size_measure(UINT32_MAX) / pow(UINT32_MAX, 0.6), 1.0, 1e-12);
}

static void strata_part_at_half_a_mebibyte(void **state)
{
    (void)state;
    assert_int_equal(record_stratum_of(1), RECORD_SMALL);
    assert_int_equal(record_stratum_of(524287), RECORD_SMALL);
    assert_int_equal(record_stratum_of(524288), RECORD_LARGE);
    assert_int_equal(record_stratum_of(UINT32_MAX), RECORD_LARGE);
}

static void levels_are_found_by_codec_and_number(void **state)
{
    (void)state;
    static struct record record;
    record_init(&record);
    record.levels.items[0] = (struct cadv_level){.codec = CADV_CODEC_NONE, .level = 0};
    record.levels.items[1] = (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0};
    record.levels.items[2] = (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = -4};
    record.levels.count = 3;
    assert_int_equal(
        record_level_index(&record.levels,
                           (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0}),
        1);
    assert_int_equal(
        record_level_index(&record.levels,
                           (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = -4}),
        2);
    assert_true(record_level_index(&record.levels,
                                   (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 4}) ==
                SIZE_MAX);
    record_fini(&record);
}

static void populations_are_found_by_purpose_and_cutter(void **state)
{
    (void)state;
    static struct record record;
    record_init(&record);
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_BUZHASH, .min_exp = 19};
    record.populations[0].chunker = params;
    record.populations[0].strata[RECORD_LARGE].unique_chunks = 2;
    record.populations[0].strata[RECORD_LARGE].unique_bytes = 2000000;
    record.populations[0].strata[RECORD_SMALL].unique_chunks = 3;
    record.populations[0].strata[RECORD_SMALL].unique_bytes = 30;
    record.population_count = 1;

    const struct record_population *found = record_find(&record, RECORD_CONTENT, &params);
    assert_ptr_equal(found, &record.populations[0]);
    assert_int_equal(record_unique_chunks(found), 5);
    assert_int_equal(record_unique_bytes(found), 2000030);
    assert_null(record_find(&record, RECORD_METADATA, &params));
    params.seed = 1;
    assert_null(record_find(&record, RECORD_CONTENT, &params));
    record_fini(&record);
}

static void *owned(void)
{
    void *memory = malloc(16);
    assert_non_null(memory);
    memset(memory, 0, 16);
    return memory;
}

/* The leak checker is the judge of this one. */
static void fini_frees_everything_and_leaves_an_empty_record(void **state)
{
    (void)state;
    static struct record record;
    record_init(&record);
    record.population_count = 1;
    record.populations[0].strata[RECORD_SMALL].chunks = owned();
    record.populations[0].strata[RECORD_LARGE].trials[7] = owned();
    record.items.blocks = calloc(1, sizeof *record.items.blocks);
    assert_non_null(record.items.blocks);
    record.items.block_count = 1;
    struct record_item item = {.name = "name", .user = "user"};
    assert_int_equal(record_item_block_init(&record.items.blocks[0], "folder", 0, 0, &item, 1),
                     CADV_OK);
    record.problems.listed = calloc(1, sizeof *record.problems.listed);
    assert_non_null(record.problems.listed);
    record.problems.listed_count = 1;
    record.problems.listed[0].path = owned();

    record_fini(&record);
    assert_int_equal(record.population_count, 0);
    assert_null(record.items.blocks);
    record_fini(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_measure_is_the_fifth_root_of_the_cube),
        cmocka_unit_test(the_size_measure_is_the_power_of_three_fifths),
        cmocka_unit_test(strata_part_at_half_a_mebibyte),
        cmocka_unit_test(levels_are_found_by_codec_and_number),
        cmocka_unit_test(populations_are_found_by_purpose_and_cutter),
        cmocka_unit_test(fini_frees_everything_and_leaves_an_empty_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
