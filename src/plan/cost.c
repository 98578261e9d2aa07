/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/plan.h"

#include "record/derived.h"

/*
 * Thread CPU time per byte relative to zstd,19, one fresh context per chunk, zstd 1.5.4 and lz4
 * 1.9.4: means of 32 MB of small files at all levels and of 146 MB, more than half of it in
 * large chunks, at nine. The processor (zstd,19: 4.1 MB/s) moves the ratios by some ten
 * percent, the data by a factor of two. Wrong numbers cost CPU or precision, never correctness.
 */
static const double zstd_cost[23] = {
    [1] = 0.012, [2] = 0.0135, [3] = 0.0165, [4] = 0.021, [5] = 0.031, [6] = 0.04,
    [7] = 0.048, [8] = 0.05,   [9] = 0.064,  [10] = 0.08, [11] = 0.12, [12] = 0.17,
    [13] = 0.22, [14] = 0.28,  [15] = 0.35,  [16] = 0.52, [17] = 0.6,  [18] = 0.75,
    [19] = 1.0,  [20] = 1.05,  [21] = 1.1,   [22] = 1.2,
};
#define LZ4_COST 0.0065

/* The same of zlib 1.2.13 and liblzma 5.4.1, on 25 MB of libraries, programs, headers and
 * documentation, three quarters of it in large chunks. */
static const double zlib_cost[10] = {0.003, 0.035, 0.04, 0.048, 0.051,
                                     0.071, 0.1,   0.12, 0.21,  0.39};
static const double lzma_cost[10] = {0.14, 0.18, 0.25, 0.32, 0.8, 1.0, 1.1, 1.1, 1.15, 1.2};

/* zstd,-1 to zstd,-7, and the faster ones, whose cost hardly falls any further. */
#define NEGATIVE_COST 0.01
#define FASTEST_COST 0.008
#define FASTEST_LEVEL (-8)

static double cost_of_zstd(int level)
{
    if (level <= 0) {
        return level <= FASTEST_LEVEL ? FASTEST_COST : NEGATIVE_COST;
    }
    return zstd_cost[level < 22 ? level : 22];
}

double plan_cost(struct cadv_level level)
{
    if (record_is_derived(level)) {
        return 0.0;
    }
    switch (level.codec) {
    case CADV_CODEC_LZ4:
        return LZ4_COST;
    case CADV_CODEC_ZSTD:
        return cost_of_zstd(level.level);
    case CADV_CODEC_ZLIB:
        return zlib_cost[level.level];
    case CADV_CODEC_LZMA:
        return lzma_cost[level.level];
    case CADV_CODEC_NONE:
    case CADV_CODEC_COUNT:
        break;
    }
    return 0.0;
}
