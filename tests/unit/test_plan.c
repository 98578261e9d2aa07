/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "plan/plan.h"
#include "support/fake_population.h"
#include "support/near.h"
#include "support/unit.h"

#define MEBIBYTE (1024U * 1024U)

static struct cadv_level_list all_levels(void)
{
    struct cadv_level_list levels = {.count = 0};
    fake_level(&levels, CADV_CODEC_NONE, 0);
    fake_level(&levels, CADV_CODEC_LZ4, 0);
    for (int level = 1; level <= 22; level++) {
        fake_level(&levels, CADV_CODEC_ZSTD, level);
    }
    return levels;
}

/* Chunks of 2 MiB and of 32 KiB; what they compress to plays no role here. */
static void make(struct fake_data *data, const struct cadv_level_list *levels, size_t large,
                 size_t small)
{
    fake_data_init(data, levels, large + small);
    for (size_t i = 0; i < data->count; i++) {
        data->bytes[i] = i < large ? 2 * MEBIBYTE : MEBIBYTE / 32;
    }
}

struct setting {
    struct fake_data data;
    struct plan_scan scan;
    struct fake_sample sample;
    struct plan_request request;
};

static void set_up_levels(struct setting *setting, const struct cadv_level_list *levels,
                          size_t large, size_t small, uint64_t budget_bytes)
{
    memset(setting, 0, sizeof *setting);
    plan_scan(levels, false, budget_bytes, &setting->scan);
    make(&setting->data, &setting->scan.levels, large, small);
    fake_sample_init(&setting->sample, &setting->data, &setting->scan, 1);
    setting->request.population = &setting->sample.population;
    setting->request.levels = &setting->data.levels;
    setting->request.budget_bytes = budget_bytes;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        setting->request.contents_available[s] = setting->sample.contents_available[s];
    }
}

static void set_up(struct setting *setting, size_t large, size_t small, uint64_t budget_bytes)
{
    struct cadv_level_list levels = all_levels();
    set_up_levels(setting, &levels, large, small, budget_bytes);
}

static void tear_down(struct setting *setting)
{
    fake_sample_fini(&setting->sample);
    fake_data_fini(&setting->data);
}

static void costs_rise_with_the_level(void **state)
{
    (void)state;
    struct cadv_level_list levels = all_levels();
    assert_true(plan_cost(levels.items[0]) == 0.0);
    for (size_t i = 1; i < levels.count; i++) {
        assert_true(plan_cost(levels.items[i]) > plan_cost(levels.items[i - 1]));
    }
    assert_true(plan_cost((struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 19}) == 1.0);
    assert_true(plan_cost((struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = -128}) > 0.0);
}

static void a_dear_level_brings_its_helpers_in_table_order(void **state)
{
    (void)state;
    struct cadv_level_list levels = {.count = 0};
    struct plan_scan scan;
    fake_level(&levels, CADV_CODEC_ZSTD, 3);
    fake_level(&levels, CADV_CODEC_ZSTD, 19);
    plan_scan(&levels, false, 600000000, &scan);
    assert_int_equal(scan.levels.count, 5);
    assert_int_equal(scan.levels.items[0].codec, CADV_CODEC_LZ4);
    assert_int_equal(scan.levels.items[1].level, 1);
    assert_int_equal(scan.levels.items[2].level, 3);
    assert_int_equal(scan.levels.items[3].level, 9);
    assert_int_equal(scan.levels.items[4].level, 19);
    assert_true(scan.is_inline[0] && !scan.is_inline[1] && !scan.is_inline[4]);
}

static void none_and_lz4_need_no_helpers(void **state)
{
    (void)state;
    struct cadv_level_list levels = {.count = 0};
    struct plan_scan scan;
    fake_level(&levels, CADV_CODEC_NONE, 0);
    fake_level(&levels, CADV_CODEC_LZ4, 0);
    plan_scan(&levels, false, 600000000, &scan);
    assert_int_equal(scan.levels.count, 2);
    assert_true(!scan.is_inline[0] && scan.is_inline[1]);
}

static void exact_trials_everything_on_the_way_and_keeps_nothing(void **state)
{
    (void)state;
    struct cadv_level_list levels = all_levels();
    struct plan_scan scan;
    plan_scan(&levels, true, 1, &scan);
    assert_int_equal(scan.levels.count, levels.count);
    assert_true(!scan.is_inline[0] && scan.is_inline[1] && scan.is_inline[23]);
    assert_true(scan.order_max[RECORD_LARGE] == SIZE_MAX);
    assert_true(scan.content_max_bytes[RECORD_SMALL] == 0);
}

static void limits_shrink_with_the_budget_down_to_a_floor(void **state)
{
    (void)state;
    struct cadv_level_list levels = all_levels();
    struct plan_scan usual, less, least;
    plan_scan(&levels, false, 600000000, &usual);
    plan_scan(&levels, false, 300000000, &less);
    plan_scan(&levels, false, 1, &least);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        assert_true(usual.order_max[s] > less.order_max[s]);
        assert_int_equal(least.order_max[s], s == RECORD_LARGE ? 96 : 320);
        assert_true(least.content_max_bytes[s] > 0);
    }
    assert_int_equal(usual.content_max_bytes[0] + usual.content_max_bytes[1],
                     1536 * (uint64_t)MEBIBYTE);
}

static void small_data_are_trialled_whole(void **state)
{
    (void)state;
    struct setting setting;
    struct plan_trials trials;
    set_up(&setting, 10, 200, 600000000);
    plan_trials(&setting.request, &trials);
    assert_true(trials.is_everything);
    assert_int_equal(trials.counts[RECORD_LARGE][23], 10);
    assert_int_equal(trials.counts[RECORD_SMALL][23], 200);
    assert_int_equal(trials.counts[RECORD_SMALL][0], 0);
    assert_true(trials.cost + trials.spent <= 600e6);
    tear_down(&setting);
}

/* 3000 chunks of 2 MiB at 0.0065, of which 1400 stay: 1400 (1 + ln(30/14)) are trialled. */
static void what_the_scan_spent_counts(void **state)
{
    (void)state;
    struct setting setting;
    struct plan_trials trials;
    set_up(&setting, 3000, 0, 600000000);
    plan_trials(&setting.request, &trials);
    assert_near(trials.spent, 1400 * 1.7621401 * 2097152.0 * 0.0065, 2000.0);
    tear_down(&setting);
}

static void large_data_fill_the_budget_and_stay_inside(void **state)
{
    (void)state;
    struct setting setting;
    struct plan_trials trials;
    set_up(&setting, 5000, 20000, 600000000);
    plan_trials(&setting.request, &trials);
    assert_false(trials.is_everything);
    assert_true(trials.cost + trials.spent <= 600e6);
    assert_true(trials.cost + trials.spent > 590e6);
    assert_true(plan_minimum(&setting.request) < 600e6);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        for (size_t l = 2; l < setting.data.levels.count; l++) {
            assert_true(trials.counts[s][l] <= setting.request.contents_available[s]);
            assert_true(trials.counts[s][l] >= 8);
        }
        assert_true(trials.counts[s][20] >= 24);
    }
    tear_down(&setting);
}

/* Trials of zstd,19 for each of zstd,15. */
static double dear_share(const struct cadv_level_list *levels)
{
    struct setting setting;
    struct plan_trials trials;
    set_up_levels(&setting, levels, 0, 200000, 600000000);
    plan_trials(&setting.request, &trials);
    size_t dear = 0, less = 0;
    for (size_t l = 0; l < setting.data.levels.count; l++) {
        int level = setting.data.levels.items[l].level;
        dear = level == 19 ? trials.counts[RECORD_SMALL][l] : dear;
        less = level == 15 ? trials.counts[RECORD_SMALL][l] : less;
    }
    tear_down(&setting);
    assert_true(less > 50 && dear > 80);
    return (double)dear / (double)less;
}

/* Of all 22 levels 16, 17, 18, 20, 21 and 22 are built on 19: its error is in seven
 * totals, so it gets sqrt(7) of what it would get alone, but for whole chunks. */
static void what_others_are_built_on_gets_more(void **state)
{
    (void)state;
    struct cadv_level_list few = {.count = 0};
    struct cadv_level_list all = all_levels();
    fake_level(&few, CADV_CODEC_ZSTD, 15);
    fake_level(&few, CADV_CODEC_ZSTD, 19);
    assert_near(dear_share(&all) / dear_share(&few), 2.6457513, 0.1);
}

static void a_budget_too_small_gets_the_floors_and_their_price(void **state)
{
    (void)state;
    struct setting setting;
    struct plan_trials trials;
    set_up(&setting, 500, 2000, 1000);
    plan_trials(&setting.request, &trials);
    assert_int_equal(trials.counts[RECORD_LARGE][20], 24);
    assert_int_equal(trials.counts[RECORD_LARGE][23], 8);
    assert_int_equal(trials.counts[RECORD_LARGE][4], 96);
    assert_int_equal(trials.counts[RECORD_SMALL][20], 80);
    assert_true(trials.cost > 1000.0);
    assert_near(trials.cost + trials.spent, plan_minimum(&setting.request), 1.0);
    tear_down(&setting);
}

static void a_larger_budget_never_plans_fewer_trials(void **state)
{
    (void)state;
    struct setting setting;
    struct plan_trials before, now;
    set_up(&setting, 400, 3000, 600000000);
    setting.request.budget_bytes = 1;
    plan_trials(&setting.request, &before);
    for (uint64_t budget = 20000000; budget < 20000000000; budget = budget * 6 / 5) {
        setting.request.budget_bytes = budget;
        plan_trials(&setting.request, &now);
        for (size_t l = 0; l < setting.data.levels.count; l++) {
            assert_true(now.counts[RECORD_LARGE][l] >= before.counts[RECORD_LARGE][l]);
            assert_true(now.counts[RECORD_SMALL][l] >= before.counts[RECORD_SMALL][l]);
        }
        before = now;
    }
    assert_int_equal(before.counts[RECORD_LARGE][23],
                     setting.request.contents_available[RECORD_LARGE]);
    tear_down(&setting);
}

static void derived_levels_bring_what_they_are_made_of(void **state)
{
    struct cadv_level_list asked = {.count = 0};
    struct plan_scan scan;
    (void)state;
    assert_int_equal(cadv_levels_add(&asked, "obfuscate:110,auto,lzma:2", NULL), CADV_OK);
    for (int is_exact = 0; is_exact < 2; is_exact++) {
        plan_scan(&asked, is_exact != 0, 600000000, &scan);
        assert_true(
            cadv_levels_contain(&scan.levels, (struct cadv_level){.codec = CADV_CODEC_LZ4}));
        assert_true(cadv_levels_contain(
            &scan.levels, (struct cadv_level){.codec = CADV_CODEC_LZMA, .level = 2}));
        assert_true(cadv_levels_contain(
            &scan.levels,
            (struct cadv_level){.codec = CADV_CODEC_LZMA, .level = 2, .is_auto = true}));
        for (size_t i = 0; i < scan.levels.count; i++) {
            struct cadv_level level = scan.levels.items[i];
            bool is_plain = !level.is_auto && level.obfuscate == 0;
            assert_int_equal(plan_cost(level) > 0.0, is_plain);
            assert_int_equal(scan.is_inline[i],
                             is_plain && (is_exact != 0 || level.codec == CADV_CODEC_LZ4));
        }
    }
}

static void any_list_that_can_be_asked_for_fits_with_its_helpers(void **state)
{
    struct cadv_level_list asked = {.count = 0};
    struct plan_scan scan;
    (void)state;
    assert_int_equal(cadv_levels_add(&asked,
                                     "obfuscate:1,auto,zstd:-128-22,obfuscate:2,auto,zlib:0-9,"
                                     "obfuscate:3,auto,lzma:0-9,obfuscate:4,auto,zstd:1-22,"
                                     "obfuscate:5,auto,zstd:1-8",
                                     NULL),
                     CADV_OK);
    assert_int_equal(asked.count, CADV_LEVELS_ASKED_MAX);
    plan_scan(&asked, false, 600000000, &scan);
    assert_true(scan.levels.count > asked.count && scan.levels.count <= CADV_LEVELS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_rise_with_the_level),
        cmocka_unit_test(a_dear_level_brings_its_helpers_in_table_order),
        cmocka_unit_test(none_and_lz4_need_no_helpers),
        cmocka_unit_test(exact_trials_everything_on_the_way_and_keeps_nothing),
        cmocka_unit_test(limits_shrink_with_the_budget_down_to_a_floor),
        cmocka_unit_test(small_data_are_trialled_whole),
        cmocka_unit_test(what_the_scan_spent_counts),
        cmocka_unit_test(large_data_fill_the_budget_and_stay_inside),
        cmocka_unit_test(what_others_are_built_on_gets_more),
        cmocka_unit_test(a_budget_too_small_gets_the_floors_and_their_price),
        cmocka_unit_test(a_larger_budget_never_plans_fewer_trials),
        cmocka_unit_test(derived_levels_bring_what_they_are_made_of),
        cmocka_unit_test(any_list_that_can_be_asked_for_fits_with_its_helpers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
