/* SPDX-License-Identifier: BSD-2-Clause */
/* test_advise.c - hull, knees and choices on numbers worked by hand. */
#include "advise/advise.h"
#include "support/unit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct advise_point point(double seconds, double bytes)
{
    return (struct advise_point){
        .wall_s = seconds, .cpu_s = seconds, .bytes = bytes, .is_offered = true};
}

/* One euro per GB in all, one per 1000 CPU seconds. */
static const struct advise_prices one_to_one = {
    .storage_per_gb_month = 0.1, .keep_months = 10, .cpu_per_core_hour = 3.6};

static void a_slower_and_larger_point_is_dominated(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1, 100), point(2, 110), point(2, 100), point(1, 105),
                               point(3, 90)};
    advise_mark(p, COUNT(p));
    static const bool dominated[] = {false, true, true, true, false};
    for (size_t i = 0; i < COUNT(p); i++) {
        assert_int_equal(p[i].is_dominated, dominated[i]);
        assert_int_equal(p[i].is_on_hull, !dominated[i]);
    }
}

static void equal_points_do_not_dominate_each_other_and_one_is_on_the_hull(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1, 100), point(1, 100), point(2, 50)};
    advise_mark(p, COUNT(p));
    assert_false(p[0].is_dominated);
    assert_false(p[1].is_dominated);
    assert_true(p[0].is_on_hull);
    assert_false(p[1].is_on_hull);
    assert_true(p[2].is_on_hull);
}

static void the_hull_leaves_out_what_lies_above_it_and_keeps_what_lies_on_it(void **state)
{
    (void)state;
    /* From (0,100) to (2,20): (1,61) lies above the line at 60, (1,60) on it. */
    struct advise_point above[] = {point(0, 100), point(1, 61), point(2, 20), point(4, 10)};
    advise_mark(above, COUNT(above));
    assert_false(above[1].is_dominated);
    assert_false(above[1].is_on_hull);
    assert_true(above[0].is_on_hull && above[2].is_on_hull && above[3].is_on_hull);

    struct advise_point on[] = {point(4, 10), point(2, 20), point(1, 60), point(0, 100)};
    advise_mark(on, COUNT(on));
    assert_true(on[0].is_on_hull && on[1].is_on_hull && on[2].is_on_hull && on[3].is_on_hull);
}

static void a_level_that_is_not_offered_dominates_nothing_and_is_never_picked(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1, 10), point(2, 100), point(3, 90)};
    p[0].is_offered = false;
    advise_mark(p, COUNT(p));
    assert_false(p[0].is_on_hull);
    assert_false(p[1].is_dominated);
    assert_true(p[1].is_on_hull && p[2].is_on_hull);
    assert_int_not_equal(advise_knee(p, COUNT(p), &one_to_one, NULL), 0);
    assert_int_equal(advise_archive(p, COUNT(p), &one_to_one), 1);
    assert_int_equal(advise_daily(p, COUNT(p), 1.1), 1);
}

static void the_knee_is_the_last_step_worth_its_cpu(void **state)
{
    (void)state;
    /*
     * A GB costs as much as 1000 s. Steps: 5 GB for 1000 s (5 > 1), 2 GB for 1000 s (2 > 1),
     * 0.5 GB for 2000 s (0.5 < 2): the third point it is.
     */
    struct advise_point p[] = {point(1000, 10e9), point(2000, 5e9), point(3000, 3e9),
                               point(5000, 2.5e9)};
    struct advise_step next;
    advise_mark(p, COUNT(p));
    assert_int_equal(advise_knee(p, COUNT(p), &one_to_one, &next), 2);
    assert_true(next.saved > 0.4999 && next.saved < 0.5001);
    assert_true(next.cost > 1.9999 && next.cost < 2.0001);
    assert_int_equal(next.to, 3);
}

static void the_knee_stays_when_levels_above_the_hull_are_added(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1000, 10e9),  point(1500, 9e9), point(2000, 5e9),
                               point(2500, 4.9e9), point(3000, 3e9), point(5000, 2.5e9),
                               point(9000, 2.49e9)};
    advise_mark(p, COUNT(p));
    assert_int_equal(advise_knee(p, COUNT(p), &one_to_one, NULL), 4);
}

static void the_knee_at_the_end_has_no_step_beyond(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1, 10e9), point(2, 5e9)};
    struct advise_step next = {0, -1, -1};
    advise_mark(p, COUNT(p));
    assert_int_equal(advise_knee(p, COUNT(p), &one_to_one, &next), 1);
    assert_true(next.to == ADVISE_NONE && next.saved == 0 && next.cost == 0);
}

static void a_step_that_just_pays_for_itself_is_not_taken(void **state)
{
    (void)state;
    /* Exactly representable: 2 x 1 x 1e9/1e9 = 2; 3600/3600 x 2 = 2. */
    const struct advise_prices prices = {
        .storage_per_gb_month = 1, .keep_months = 1, .cpu_per_core_hour = 2};
    struct advise_point p[] = {point(0, 4e9), point(3600, 2e9)};
    advise_mark(p, COUNT(p));
    assert_int_equal(advise_knee(p, COUNT(p), &prices, NULL), 0);
}

static void prices_of_zero_decide_by_the_other_one(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1, 10e9), point(2, 5e9), point(900, 4.9e9)};
    advise_mark(p, COUNT(p));
    const struct advise_prices free_cpu = {.storage_per_gb_month = 1, .keep_months = 1};
    const struct advise_prices free_storage = {.cpu_per_core_hour = 1, .keep_months = 1};
    const struct advise_prices all_free = {0};
    assert_int_equal(advise_knee(p, COUNT(p), &free_cpu, NULL), 2);
    assert_int_equal(advise_knee(p, COUNT(p), &free_storage, NULL), 0);
    assert_int_equal(advise_knee(p, COUNT(p), &all_free, NULL), 0);
    assert_int_equal(advise_archive(p, COUNT(p), &free_cpu), 2);
    assert_int_equal(advise_archive(p, COUNT(p), &free_storage), 0);
    assert_int_equal(advise_archive(p, COUNT(p), &all_free), 2);
}

static void a_cost_is_storage_for_the_months_kept_and_cpu_once(void **state)
{
    (void)state;
    /* 500 GB at 0.01 for 12 months is 60; 9000 s at 0.04 an hour is 0.1. */
    const struct advise_prices prices = {
        .storage_per_gb_month = 0.01, .keep_months = 12, .cpu_per_core_hour = 0.04};
    struct advise_point p = point(1, 500e9);
    p.cpu_s = 9000;
    double cost = advise_cost(&p, &prices);
    assert_true(cost > 60.0999 && cost < 60.1001);
}

static void the_archive_weighs_cpu_not_wall(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1000, 10e9), point(1001, 9e9)};
    p[1].cpu_s = 4000; /* 3 more for CPU against 1 saved. */
    assert_int_equal(advise_archive(p, COUNT(p), &one_to_one), 0);
    p[1].cpu_s = 1500;
    assert_int_equal(advise_archive(p, COUNT(p), &one_to_one), 1);
}

static void daily_is_the_smallest_that_hardly_waits(void **state)
{
    (void)state;
    struct advise_point p[] = {point(100, 50), point(104, 40), point(110, 30), point(111, 20)};
    assert_int_equal(advise_daily(p, COUNT(p), 1.10), 2);
    assert_int_equal(advise_daily(p, COUNT(p), 1.00), 0);
    assert_int_equal(advise_daily(p, COUNT(p), 2.00), 3);
    struct advise_point tie[] = {point(104, 40), point(103, 40), point(100, 50)};
    assert_int_equal(advise_daily(tie, COUNT(tie), 1.10), 1);
}

static void nothing_offered_gives_no_advice(void **state)
{
    (void)state;
    struct advise_point p[] = {point(1, 10), point(2, 5), point(3, 4)};
    for (size_t i = 0; i < COUNT(p); i++) {
        p[i].is_offered = false;
    }
    for (size_t count = 0; count <= COUNT(p); count += COUNT(p)) {
        struct advise_step next = {0, -1, -1};
        advise_mark(p, count);
        assert_true(advise_knee(p, count, &one_to_one, &next) == ADVISE_NONE);
        assert_true(next.to == ADVISE_NONE && next.saved == 0 && next.cost == 0);
        assert_true(advise_kneedle(p, count) == ADVISE_NONE);
        assert_true(advise_daily(p, count, 1.1) == ADVISE_NONE);
        assert_true(advise_archive(p, count, &one_to_one) == ADVISE_NONE);
    }
}

static void one_point_is_its_own_advice(void **state)
{
    (void)state;
    struct advise_point p = point(3, 4);
    advise_mark(&p, 1);
    assert_true(p.is_on_hull);
    assert_int_equal(advise_knee(&p, 1, &one_to_one, NULL), 0);
    assert_int_equal(advise_daily(&p, 1, 1.1), 0);
    assert_int_equal(advise_archive(&p, 1, &one_to_one), 0);
    assert_true(advise_kneedle(&p, 1) == ADVISE_NONE);
}

static void when_one_point_dominates_all_it_is_every_advice(void **state)
{
    (void)state;
    struct advise_point p[] = {point(2, 20), point(3, 30), point(1, 10), point(2, 15)};
    advise_mark(p, COUNT(p));
    assert_true(p[0].is_dominated && p[1].is_dominated && p[3].is_dominated);
    assert_int_equal(advise_knee(p, COUNT(p), &one_to_one, NULL), 2);
    assert_int_equal(advise_daily(p, COUNT(p), 1.1), 2);
    assert_int_equal(advise_archive(p, COUNT(p), &one_to_one), 2);
    assert_true(advise_kneedle(p, COUNT(p)) == ADVISE_NONE);
}

static void levels_that_are_not_monotone_are_left_as_they_are(void **state)
{
    (void)state;
    /* The third is larger than the second though slower; the fourth is faster than both. */
    struct advise_point p[] = {point(10, 100), point(20, 60), point(30, 65), point(15, 70),
                               point(40, 40)};
    advise_mark(p, COUNT(p));
    assert_true(p[2].is_dominated);
    assert_false(p[3].is_dominated);
    /* From (10,100): 6 per s to (15,70), 4 to (20,60), 2 to (40,40). */
    assert_true(p[0].is_on_hull && p[3].is_on_hull && p[1].is_on_hull && p[4].is_on_hull);
}

/* lzbench 2.0.1 on silesia.tar (211947520 bytes), zstd 1.5.6, EPYC 9554: bytes and MB/s. */
static const struct {
    int level;
    double bytes;
    double mb_per_s;
} silesia[] = {{-5, 103093752, 573}, {-3, 94674672, 518},  {-1, 86984009, 459},
               {1, 73421914, 422},   {2, 69503444, 344},   {5, 63040310, 125},
               {8, 60015064, 62.9},  {11, 58262299, 34.4}, {15, 57168834, 8.36},
               {18, 53329873, 3.79}, {22, 52333880, 2.08}};

static int kneedle_of_silesia(size_t first, size_t count)
{
    struct advise_point p[COUNT(silesia)];
    for (size_t i = 0; i < count; i++) {
        p[i] = point(211.947520 / silesia[first + i].mb_per_s, silesia[first + i].bytes);
    }
    advise_mark(p, count);
    size_t knee = advise_kneedle(p, count);
    assert_true(knee < count);
    return silesia[first + knee].level;
}

/* By hand for the last: depths 0.181 0.343 0.639 0.707 (level 2) 0.665 0.443. */
static void the_kneedle_moves_when_levels_are_added(void **state)
{
    (void)state;
    assert_int_equal(kneedle_of_silesia(0, 11), 11);
    assert_int_equal(kneedle_of_silesia(0, 10), 8);
    assert_int_equal(kneedle_of_silesia(0, 9), 5);
    assert_int_equal(kneedle_of_silesia(0, 8), 2);
}

static void the_price_knee_of_silesia_does_not_move(void **state)
{
    (void)state;
    /*
     * 1 for 1 GB against 1 for 1000 s, i.e. a step must save 1 MB per second. Per second saved:
     * 2 to 5: 6.46 MB in 1.08 s; 5 to 8: 3.03 in 1.67 s; 8 to 11: 1.75 MB in 2.79 s, less.
     */
    for (size_t count = 8; count <= COUNT(silesia); count++) {
        struct advise_point p[COUNT(silesia)];
        for (size_t i = 0; i < count; i++) {
            p[i] = point(211.947520 / silesia[i].mb_per_s, silesia[i].bytes);
        }
        advise_mark(p, count);
        assert_int_equal(silesia[advise_knee(p, count, &one_to_one, NULL)].level, 8);
    }
}

static void a_straight_line_and_a_bump_have_no_kneedle(void **state)
{
    (void)state;
    struct advise_point line[] = {point(0, 4), point(1, 3), point(2, 2), point(3, 1)};
    struct advise_point bump[] = {point(0, 40), point(1, 39), point(2, 36), point(3, 10)};
    advise_mark(line, COUNT(line));
    advise_mark(bump, COUNT(bump));
    assert_true(advise_kneedle(line, COUNT(line)) == ADVISE_NONE);
    assert_true(advise_kneedle(bump, COUNT(bump)) == ADVISE_NONE);
}

static void a_shallow_bend_is_below_the_sensitivity(void **state)
{
    (void)state;
    /* Three points: the mean spacing is 0.5. Depths 1 - 0.1 - 0.5 = 0.4 and 1 - 0.1 - 0.3. */
    struct advise_point shallow[] = {point(0, 100), point(1, 50), point(10, 0)};
    struct advise_point deep[] = {point(0, 100), point(1, 30), point(10, 0)};
    advise_mark(shallow, COUNT(shallow));
    advise_mark(deep, COUNT(deep));
    assert_true(advise_kneedle(shallow, COUNT(shallow)) == ADVISE_NONE);
    assert_int_equal(advise_kneedle(deep, COUNT(deep)), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slower_and_larger_point_is_dominated),
        cmocka_unit_test(equal_points_do_not_dominate_each_other_and_one_is_on_the_hull),
        cmocka_unit_test(the_hull_leaves_out_what_lies_above_it_and_keeps_what_lies_on_it),
        cmocka_unit_test(a_level_that_is_not_offered_dominates_nothing_and_is_never_picked),
        cmocka_unit_test(the_knee_is_the_last_step_worth_its_cpu),
        cmocka_unit_test(the_knee_stays_when_levels_above_the_hull_are_added),
        cmocka_unit_test(the_knee_at_the_end_has_no_step_beyond),
        cmocka_unit_test(a_step_that_just_pays_for_itself_is_not_taken),
        cmocka_unit_test(prices_of_zero_decide_by_the_other_one),
        cmocka_unit_test(a_cost_is_storage_for_the_months_kept_and_cpu_once),
        cmocka_unit_test(the_archive_weighs_cpu_not_wall),
        cmocka_unit_test(daily_is_the_smallest_that_hardly_waits),
        cmocka_unit_test(nothing_offered_gives_no_advice),
        cmocka_unit_test(one_point_is_its_own_advice),
        cmocka_unit_test(when_one_point_dominates_all_it_is_every_advice),
        cmocka_unit_test(levels_that_are_not_monotone_are_left_as_they_are),
        cmocka_unit_test(the_kneedle_moves_when_levels_are_added),
        cmocka_unit_test(the_price_knee_of_silesia_does_not_move),
        cmocka_unit_test(a_straight_line_and_a_bump_have_no_kneedle),
        cmocka_unit_test(a_shallow_bend_is_below_the_sensitivity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
