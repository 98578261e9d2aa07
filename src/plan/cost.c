/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/plan.h"

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

/* zstd,-1 to zstd,-7, and the faster ones, whose cost hardly falls any further. */
#define NEGATIVE_COST 0.01
#define FASTEST_COST 0.008
#define FASTEST_LEVEL (-8)

double plan_cost(struct cadv_level level)
{
    if (level.codec == CADV_CODEC_NONE) {
        return 0.0;
    }
    if (level.codec == CADV_CODEC_LZ4) {
        return LZ4_COST;
    }
    if (level.level <= 0) {
        return level.level <= FASTEST_LEVEL ? FASTEST_COST : NEGATIVE_COST;
    }
    return zstd_cost[level.level < 22 ? level.level : 22];
}
