/* SPDX-License-Identifier: BSD-2-Clause */
/* support/near.h - comparing doubles: cmocka 1.1 compares floats only. Include support/unit.h
 * too. */
#ifndef SUPPORT_NEAR_H
#define SUPPORT_NEAR_H

#include <stdbool.h>
#include <stdio.h>

/** True when `value` is within `slack` of `expected`; says so on stderr when not. */
static inline bool is_near(double value, double expected, double slack)
{
    bool is_inside = value >= expected - slack && value <= expected + slack;
    if (!is_inside) {
        (void)fprintf(stderr, "%.17g is not %.17g\n", value, expected);
    }
    return is_inside;
}

#define assert_near(value, expected, slack) assert_true(is_near(value, expected, slack))

#endif
