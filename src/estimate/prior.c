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

/*
 * zlib lies between zstd 1 and 3 and lzma about zstd,19, with 3.5 and 3 % of their own: 8.8 MB of
 * libraries, programs, headers and documentation, zlib 1.2.13 and liblzma 5.4.1. zlib,6 against
 * zstd,1 2 to 4 %, zstd,3 2 to 3.5 %, lz4 5.5 to 8 %, zlib,1 2 to 2.5 %; lzma,6 against zstd,19
 * 2.5 to 3 %, zstd,9 3.5 to 5 %, zstd,3 6 to 7 %, lzma,0 3 %. zlib,0 compresses nothing.
 */
static const double zlib_position[10] = {-0.007, 0.001,  0.0011, 0.0012, 0.0014,
                                         0.0015, 0.0016, 0.0017, 0.0017, 0.0017};
#define ZLIB_OWN 0.0012
static const double lzma_position[10] = {0.0054, 0.0055, 0.0055, 0.0055, 0.0063,
                                         0.0063, 0.0063, 0.0063, 0.0063, 0.0063};
#define LZMA_OWN 0.001

/* What slices say of a chunk at the level that they are compressed at: 11 % on large chunks of
 * libraries, programs and documentation. */
#define PROBE_OWN 0.012

/* Where a level stands on the scale of zstd, and its codec's own variance beside it. */
struct place {
    double position;
    double own;
};

/* Cumulated variance from zstd,1; negative below it. */
static double zstd_position(int level)
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

static struct place place_of(struct cadv_level level)
{
    switch (level.codec) {
    case CADV_CODEC_LZ4:
        return (struct place){zstd_position(LZ4_LIKE), LZ4_OWN};
    case CADV_CODEC_ZLIB:
        return (struct place){zlib_position[level.level], ZLIB_OWN};
    case CADV_CODEC_LZMA:
        return (struct place){lzma_position[level.level], LZMA_OWN};
    case CADV_CODEC_ZSTD:
    case CADV_CODEC_NONE:
    case CADV_CODEC_COUNT:
        break;
    }
    return (struct place){zstd_position(level.level), 0.0};
}

double prior_probe_gap(struct cadv_level level)
{
    static const struct cadv_level probe = {.codec = CADV_CODEC_ZSTD, .level = 1};
    return PROBE_OWN + prior_gap(level, probe);
}

double prior_gap(struct cadv_level a, struct cadv_level b)
{
    if (cadv_level_compare(a, b) == 0) {
        return 0.0;
    }
    struct place place_a = place_of(a);
    struct place place_b = place_of(b);
    double gap = place_a.position - place_b.position;
    gap = gap < 0.0 ? -gap : gap;
    if (a.codec != b.codec) {
        gap += place_a.own + place_b.own;
    }
    return gap > PRIOR_GAP_MIN ? gap : PRIOR_GAP_MIN;
}
