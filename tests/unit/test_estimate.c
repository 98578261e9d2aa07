/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "estimate/estimate.h"
#include "support/fake_population.h"
#include "support/near.h"
#include "support/unit.h"

/* Small chunks, set up by hand: one stratum, lz4 and zstd,1. */
#define CHUNKS_MAX 64

struct hand {
    struct cadv_level_list levels;
    struct record_population population;
    struct record_chunk chunks[CHUNKS_MAX];
    struct record_trial trials[2][CHUNKS_MAX];
};

static void hand_init(struct hand *hand, uint64_t unique_chunks, uint64_t unique_bytes)
{
    memset(hand, 0, sizeof *hand);
    fake_level(&hand->levels, CADV_CODEC_LZ4, 0);
    fake_level(&hand->levels, CADV_CODEC_ZSTD, 1);
    struct record_stratum *small = &hand->population.strata[RECORD_SMALL];
    small->unique_chunks = unique_chunks;
    small->unique_bytes = unique_bytes;
    small->chunks = hand->chunks;
    small->trials[0] = hand->trials[0];
    small->trials[1] = hand->trials[1];
}

static void hand_add(struct hand *hand, uint32_t bytes, double priority, uint32_t lz4_bytes,
                     uint32_t zstd_bytes)
{
    size_t rank = hand->population.strata[RECORD_SMALL].chunk_count++;
    hand->chunks[rank].bytes = bytes;
    hand->chunks[rank].priority = priority;
    hand->trials[0][rank].raw_bytes = lz4_bytes;
    hand->trials[1][rank].raw_bytes = zstd_bytes;
}

static void hand_estimate(struct hand *hand, size_t lz4_trials, size_t zstd_trials,
                          struct estimate out[2])
{
    struct record_stratum *small = &hand->population.strata[RECORD_SMALL];
    small->trialled[0] = lz4_trials;
    small->trialled[1] = zstd_trials;
    assert_int_equal(estimate_sizes(&hand->population, &hand->levels, fake_stored, out, NULL),
                     CADV_OK);
}

static void all_chunks_trialled_is_a_count(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 3, 111);
    hand_add(&hand, 100, 9.0, 60, 50);
    hand_add(&hand, 10, 8.0, 12, 9);
    hand_add(&hand, 1, 7.0, 12, 14);
    hand_estimate(&hand, 3, 3, out);
    assert_true(out[0].is_known && out[0].is_exact);
    assert_true(out[0].est == 71.0 && out[0].lo == 71.0 && out[0].hi == 71.0);
    assert_true(out[1].is_exact && out[1].est == 60.0);
}

/* 2^53 + 1 is no double: summing doubles one by one would lose the ones. */
static uint64_t stored_huge(uint32_t chunk_bytes, uint32_t raw_bytes, struct cadv_level level)
{
    (void)level;
    return raw_bytes == 1 ? 1 : chunk_bytes * (UINT64_C(1) << 53) / 1000;
}

static void exact_sums_are_whole_numbers(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 5, 1004);
    hand_add(&hand, 1000, 9.0, 1000, 1);
    for (int i = 0; i < 4; i++) {
        hand_add(&hand, 1, 8.0, 1, 1);
    }
    struct record_stratum *small = &hand.population.strata[RECORD_SMALL];
    small->trialled[0] = small->trialled[1] = 5;
    assert_int_equal(estimate_sizes(&hand.population, &hand.levels, stored_huge, out, NULL),
                     CADV_OK);
    assert_true(out[0].est == 9007199254740996.0);
}

static void no_trials_is_not_known(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 2, 200);
    hand_add(&hand, 100, 90.0, 60, 50);
    hand_add(&hand, 100, 80.0, 60, 50);
    hand_estimate(&hand, 2, 0, out);
    assert_true(out[0].is_known && !out[1].is_known);
    assert_true(out[1].est == 0.0 && out[1].hi == 0.0 && !out[1].is_exact);
}

static void one_stratum_without_trials_makes_the_whole_unknown(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 1, 100);
    hand_add(&hand, 100, 90.0, 60, 50);
    hand.population.strata[RECORD_LARGE].unique_chunks = 1;
    hand.population.strata[RECORD_LARGE].unique_bytes = 1000000;
    hand_estimate(&hand, 1, 1, out);
    assert_false(out[0].is_known || out[1].is_known);
}

static void an_empty_population_is_exactly_nothing(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 0, 0);
    hand_estimate(&hand, 0, 0, out);
    assert_true(out[0].is_known && out[0].is_exact && out[0].est == 0.0 && out[0].hi == 0.0);
}

static void none_is_exact_without_trials(void **state)
{
    (void)state;
    struct record_population population = {.name = "content"};
    population.strata[RECORD_LARGE].unique_chunks = 7;
    population.strata[RECORD_LARGE].unique_bytes = 7000000;
    struct cadv_level_list levels = {.count = 0};
    fake_level(&levels, CADV_CODEC_NONE, 0);
    struct estimate out;
    assert_int_equal(estimate_sizes(&population, &levels, fake_stored, &out, NULL), CADV_OK);
    assert_true(out.is_known && out.is_exact && out.est == 7e6 && out.lo == 7e6);
    assert_int_equal(estimate_incompressible(&population, &levels, &out, NULL), CADV_OK);
    assert_true(out.is_exact && out.est == 7e6);
    assert_int_equal(estimate_times(&population, &levels, ESTIMATE_COMPRESS, &out, NULL),
                     CADV_OK);
    assert_true(out.is_known && out.est == 0.0);
}

/* Two of three chunks of 100 bytes say 50 and 70: 180 in all, and so little is known that only
   the certain bounds stand: 120 were seen, the third chunk adds at most 100. */
static void two_trials_leave_the_certain_bounds(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 3, 300);
    hand_add(&hand, 100, 160.0, 50, 50);
    hand_add(&hand, 100, 80.0, 70, 70);
    hand_add(&hand, 100, 40.0, 0, 0);
    hand_estimate(&hand, 2, 1, out);
    assert_near(out[0].est, 180.0, 1e-9);
    assert_true(out[0].lo == 120.0 && out[0].hi == 220.0 && !out[0].is_exact);
    assert_true(out[1].lo < 100.0 && out[1].hi > 200.0);
}

/*
 * 40 of 1000 equal chunks, each with weight 25, stored in 40 and 60 by turns: 50,000. Each
 * group holds two of a kind and is left out by s = sqrt(0.96): its total deviates by 1000 * s *
 * 2 * 10 / (40 - 2 s), so the jackknife variance is 19 * 0.96 * 400 * 10^6 / (40 - 2 s)^2
 * = 5.0419e6, more than the 2.5246e6 of the residuals. The floor adds 40 * 25 * 24 * 0.25 *
 * 50^2 * 4/44 = 1.3636e6; t is 2.093 with 19 degrees.
 */
static void an_interval_worked_by_hand(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 1000, 100000);
    double threshold = 25.0 * record_size_measure(100);
    for (int i = 0; i < 40; i++) {
        hand_add(&hand, 100, threshold + 1.0, i % 2 == 0 ? 40 : 60, 0);
    }
    hand.population.strata[RECORD_SMALL].threshold = threshold;
    hand_estimate(&hand, 40, 0, out);
    assert_near(out[0].est, 50000.0, 1e-6);
    double half = 2.093 * sqrt(5.0419e6 + 1.3636e6);
    assert_near(out[0].hi - 50000.0, half, 1.0);
    assert_near(50000.0 - out[0].lo, half, 1.0);
}

/* zstd,1 is 0.5 lz4 + 0.2 size wherever both were tried, and lz4 is known of all chunks: then
   zstd,1's total is that of lz4 and size, whichever chunks were tried. */
static void a_level_inherits_what_its_parent_knows(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 30, 3000);
    uint64_t truth = 0;
    double threshold = 2.5 * record_size_measure(100);
    for (uint32_t i = 0; i < 30; i++) {
        uint32_t lz4_bytes = 20 + 2 * (i * 7 % 30);
        hand_add(&hand, 100, threshold + 1e-6 * (12.0 - i), lz4_bytes, lz4_bytes / 2 + 20);
        truth += lz4_bytes / 2 + 20;
    }
    hand_estimate(&hand, 30, 12, out);
    assert_true(out[0].is_exact);
    assert_near(out[1].est, (double)truth, 1e-6);
    assert_true(out[1].lo < out[1].est && !out[1].is_exact);
    assert_true(out[1].hi - out[1].lo < 0.2 * (double)truth);
}

static void chunks_that_are_all_alike_still_get_an_interval(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 1000, 100000);
    for (int i = 0; i < 20; i++) {
        hand_add(&hand, 100, 500.0, 100, 100);
    }
    hand.population.strata[RECORD_SMALL].threshold = 400.0;
    hand_estimate(&hand, 20, 20, out);
    assert_true(out[0].est == 100000.0 && out[0].hi == 100000.0);
    assert_true(out[0].lo < 99000.0 && out[0].lo >= 2000.0);
}

static void bytes_that_do_not_shrink_are_counted(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 3, 311);
    hand_add(&hand, 100, 90.0, 100, 99);
    hand_add(&hand, 11, 80.0, 20, 11);
    hand_add(&hand, 200, 70.0, 90, 80);
    struct record_stratum *small = &hand.population.strata[RECORD_SMALL];
    small->trialled[0] = small->trialled[1] = 3;
    assert_int_equal(estimate_incompressible(&hand.population, &hand.levels, out, NULL),
                     CADV_OK);
    assert_true(out[0].est == 111.0 && out[1].est == 11.0 && out[1].is_exact);
}

/* Half the bytes took 3 seconds: all take 6, at least the 3 that were seen, with no upper cap.
 */
static void times_grow_with_bytes(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 4, 400);
    hand_add(&hand, 100, 900.0, 50, 50);
    hand_add(&hand, 100, 800.0, 50, 50);
    hand.population.strata[RECORD_SMALL].threshold = 700.0;
    hand.trials[0][0].compress_s = 1.0F;
    hand.trials[0][1].compress_s = 2.0F;
    struct record_stratum *small = &hand.population.strata[RECORD_SMALL];
    small->trialled[0] = 2;
    assert_int_equal(
        estimate_times(&hand.population, &hand.levels, ESTIMATE_COMPRESS, out, NULL), CADV_OK);
    assert_near(out[0].est, 6.0, 1e-9);
    assert_true(out[0].lo == 3.0 && out[0].hi > 9.0);
    assert_false(out[1].is_known);
}

/* Stored bytes that are half of the size and a quarter of the probe: so are the totals, whichever
 * chunks were tried. */
static void probes_carry_what_they_say_to_all_chunks(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate out[2];
    hand_init(&hand, 1000, 1000000);
    hand.population.strata[RECORD_SMALL].probe_bytes = 400000;
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t bytes = 400 + 40 * i;
        uint32_t probe = i % 2 == 0 ? bytes / 10 * 4 : bytes / 5 * 4;
        hand_add(&hand, bytes, 5000.0 - i, bytes / 2 + probe / 4, bytes);
        hand.chunks[i].probe_bytes = probe;
    }
    hand.population.strata[RECORD_SMALL].threshold = 1000.0;
    hand_estimate(&hand, 20, 0, out);
    assert_true(out[0].is_known && !out[0].is_exact);
    assert_near(out[0].est, 500000.0 + 100000.0, 1e-6);

    /* Without their total they say nothing. */
    hand.population.strata[RECORD_SMALL].probe_bytes = 0;
    hand_estimate(&hand, 20, 0, out);
    assert_true(fabs(out[0].est - 600000.0) > 1000.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_chunks_trialled_is_a_count),
        cmocka_unit_test(exact_sums_are_whole_numbers),
        cmocka_unit_test(no_trials_is_not_known),
        cmocka_unit_test(one_stratum_without_trials_makes_the_whole_unknown),
        cmocka_unit_test(an_empty_population_is_exactly_nothing),
        cmocka_unit_test(none_is_exact_without_trials),
        cmocka_unit_test(two_trials_leave_the_certain_bounds),
        cmocka_unit_test(an_interval_worked_by_hand),
        cmocka_unit_test(a_level_inherits_what_its_parent_knows),
        cmocka_unit_test(chunks_that_are_all_alike_still_get_an_interval),
        cmocka_unit_test(bytes_that_do_not_shrink_are_counted),
        cmocka_unit_test(times_grow_with_bytes),
        cmocka_unit_test(probes_carry_what_they_say_to_all_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
