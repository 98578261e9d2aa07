/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/wls.h"
#include "support/near.h"
#include "support/unit.h"

#define EXACT 1e-12

/* (2*4 + 1*11) / (2*10 + 1*20) = 19/40. */
static void size_alone_is_the_weighted_ratio(void **state)
{
    (void)state;
    struct wls_sums sums = {0};
    wls_add(&sums, 2.0, 10.0, 0.0, 4.0);
    wls_add(&sums, 1.0, 20.0, 0.0, 11.0);
    struct wls_fit fit = wls_solve(&sums, WLS_SIZE);
    assert_near(fit.beta_x, 19.0 / 40.0, EXACT);
    assert_near(wls_predict(&fit, 100.0, 7.0), 47.5, EXACT);
    assert_near(wls_leverage(&sums, WLS_SIZE, 2.0, 10.0, 0.0), 0.5, EXACT);
}

/* (2*4 + 1*11) / (2*5 + 1*9) = 1. */
static void parent_alone_is_the_ratio_to_the_parent(void **state)
{
    (void)state;
    struct wls_sums sums = {0};
    wls_add(&sums, 2.0, 10.0, 5.0, 4.0);
    wls_add(&sums, 1.0, 20.0, 9.0, 11.0);
    struct wls_fit fit = wls_solve(&sums, WLS_PARENT);
    assert_near(fit.beta_p, 1.0, EXACT);
    assert_near(fit.beta_x, 0.0, EXACT);
    assert_near(wls_leverage(&sums, WLS_PARENT, 1.0, 20.0, 9.0), 9.0 / 19.0, EXACT);
}

/* With x = 1 it is a straight line through (0,1), (1,2), (2,4): slope 3/2, at zero 5/6; and the
   textbook's leverages 5/6, 1/3, 5/6. */
static void both_are_a_straight_line_when_sizes_are_equal(void **state)
{
    (void)state;
    struct wls_sums sums = {0};
    wls_add(&sums, 1.0, 1.0, 0.0, 1.0);
    wls_add(&sums, 1.0, 1.0, 1.0, 2.0);
    wls_add(&sums, 1.0, 1.0, 2.0, 4.0);
    struct wls_fit fit = wls_solve(&sums, WLS_BOTH);
    assert_int_equal(fit.model, WLS_BOTH);
    assert_near(fit.beta_p, 1.5, EXACT);
    assert_near(fit.beta_x, 5.0 / 6.0, EXACT);
    assert_near(wls_leverage(&sums, WLS_BOTH, 1.0, 1.0, 0.0), 5.0 / 6.0, EXACT);
    assert_near(wls_leverage(&sums, WLS_BOTH, 1.0, 1.0, 1.0), 1.0 / 3.0, EXACT);
    assert_near(wls_leverage(&sums, WLS_BOTH, 1.0, 1.0, 2.0), 5.0 / 6.0, EXACT);
}

static void proportional_covariates_fall_back_to_the_parent(void **state)
{
    (void)state;
    struct wls_sums sums = {0};
    wls_add(&sums, 1.0, 10.0, 5.0, 4.0);
    wls_add(&sums, 3.0, 30.0, 15.0, 12.0);
    struct wls_fit fit = wls_solve(&sums, WLS_BOTH);
    assert_int_equal(fit.model, WLS_PARENT);
    assert_near(fit.beta_p, 0.8, EXACT);
}

static void a_parent_that_is_always_zero_falls_back_to_size(void **state)
{
    (void)state;
    struct wls_sums sums = {0};
    wls_add(&sums, 1.0, 10.0, 0.0, 5.0);
    wls_add(&sums, 1.0, 30.0, 0.0, 15.0);
    struct wls_fit fit = wls_solve(&sums, WLS_BOTH);
    assert_int_equal(fit.model, WLS_SIZE);
    assert_near(fit.beta_x, 0.5, EXACT);
}

static void subtracting_sums_is_leaving_chunks_out(void **state)
{
    (void)state;
    struct wls_sums all = {0}, one = {0}, rest = {0};
    wls_add(&all, 2.0, 8.0, 4.0, 2.0);
    wls_add(&all, 1.0, 16.0, 9.0, 6.0);
    wls_add(&one, 2.0, 8.0, 4.0, 2.0);
    wls_add(&rest, 1.0, 16.0, 9.0, 6.0);
    struct wls_sums left = wls_minus(&all, &one);
    assert_memory_equal(&left, &rest, sizeof rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_alone_is_the_weighted_ratio),
        cmocka_unit_test(parent_alone_is_the_ratio_to_the_parent),
        cmocka_unit_test(both_are_a_straight_line_when_sizes_are_equal),
        cmocka_unit_test(proportional_covariates_fall_back_to_the_parent),
        cmocka_unit_test(a_parent_that_is_always_zero_falls_back_to_size),
        cmocka_unit_test(subtracting_sums_is_leaving_chunks_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
