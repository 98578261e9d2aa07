/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>

#include "estimate/tquantile.h"
#include "support/near.h"
#include "support/unit.h"

/* Abramowitz and Stegun, table 26.10, column 0.95 two-sided. */
static void whole_degrees_give_the_published_values(void **state)
{
    (void)state;
    assert_near(tquantile_975(1.0), 12.706, 5e-4);
    assert_near(tquantile_975(2.0), 4.303, 5e-4);
    assert_near(tquantile_975(5.0), 2.571, 5e-4);
    assert_near(tquantile_975(10.0), 2.228, 5e-4);
    assert_near(tquantile_975(25.0), 2.060, 5e-4);
    assert_near(tquantile_975(120.0), 1.980, 1e-3);
    assert_near(tquantile_975(1e12), 1.960, 5e-4);
}

/* True values by integrating the density: 35 degrees 2.0301, 50 degrees 2.0086. */
static void between_the_published_values_it_is_never_too_small(void **state)
{
    (void)state;
    assert_true(tquantile_975(35.0) >= 2.0301 - 5e-4 && tquantile_975(35.0) < 2.0311);
    assert_true(tquantile_975(50.0) >= 2.0086 - 5e-4 && tquantile_975(50.0) < 2.0096);
}

static void fewer_degrees_never_give_a_smaller_quantile(void **state)
{
    (void)state;
    double before = tquantile_975(0.0);
    assert_near(before, 12.706, 5e-4);
    for (double degrees = 0.5; degrees < 200.0; degrees += 0.01) {
        double now = tquantile_975(degrees);
        assert_true(now <= before);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_degrees_give_the_published_values),
        cmocka_unit_test(between_the_published_values_it_is_never_too_small),
        cmocka_unit_test(fewer_degrees_never_give_a_smaller_quantile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
