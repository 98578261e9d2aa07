/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/prior.h"

#include <stddef.h>

/*
 * Relative standard deviation of y(L) about its regression on x and y(L-1), from 0.1 % inside a
 * zstd strategy to 4 % where the strategy changes. Measured with zstd 1.5.4 on shared
 * libraries, headers, documentation, packages and logs (all levels: 1,381 chunks of 32 MB; 1,
 * 3, 6, 9, 12, 15, 19, 22: 4,220 chunks of 146 MB), rounded up; the steps from 15 to 19 are
 * raised towards what kernel sources show (19/15: 6 %). Larger numbers mean more trials at the
 * level and wider intervals while these are few.
 */
static const double step_sd[23] = {
    [1] = 0.0,    [2] = 0.04,   [3] = 0.025,  [4] = 0.015,  [5] = 0.015,  [6] = 0.012,
    [7] = 0.008,  [8] = 0.002,  [9] = 0.002,  [10] = 0.002, [11] = 0.005, [12] = 0.01,
    [13] = 0.016, [14] = 0.02,  [15] = 0.01,  [16] = 0.03,  [17] = 0.02,  [18] = 0.03,
    [19] = 0.01,  [20] = 0.001, [21] = 0.001, [22] = 0.001,
};

/* Variance per step of the negative levels: 7 % from 1 to -1, 14 % from -1 to -20. */
#define FIRST_NEGATIVE_STEP 0.005
#define NEGATIVE_STEP 0.001

/* lz4 behaves like zstd,-3, with 5 % of its own. */
#define LZ4_LIKE (-3)
#define LZ4_OWN 0.0025

/* Cumulated variance from zstd,1; negative below it. */
static double position(int level)
{
    if (level < 1) {
        return -FIRST_NEGATIVE_STEP + NEGATIVE_STEP * (double)(level + 1);
    }
    double sum = 0.0;
    for (int step = 2; step <= level && step <= 22; step++) {
        sum += step_sd[step] * step_sd[step];
    }
    return sum;
}

double prior_gap(struct cadv_level a, struct cadv_level b)
{
    if (a.codec == b.codec && a.level == b.level) {
        return 0.0;
    }
    bool is_a_lz4 = a.codec == CADV_CODEC_LZ4;
    bool is_b_lz4 = b.codec == CADV_CODEC_LZ4;
    double gap =
        position(is_a_lz4 ? LZ4_LIKE : a.level) - position(is_b_lz4 ? LZ4_LIKE : b.level);
    gap = gap < 0.0 ? -gap : gap;
    if (is_a_lz4 != is_b_lz4) {
        gap += LZ4_OWN;
    }
    return gap > PRIOR_GAP_MIN ? gap : PRIOR_GAP_MIN;
}
