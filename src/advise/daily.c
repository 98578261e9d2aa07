/* SPDX-License-Identifier: BSD-2-Clause */
/* daily.c - the strongest level that the backup does not have to wait for. */
#include "advise/advise.h"

static double fastest_wall(const struct advise_point *points, size_t count)
{
    double fastest = -1;
    for (size_t i = 0; i < count; i++) {
        if (points[i].is_offered && (fastest < 0 || points[i].wall_s < fastest)) {
            fastest = points[i].wall_s;
        }
    }
    return fastest;
}

size_t advise_daily(const struct advise_point *points, size_t count, double slack)
{
    double limit = fastest_wall(points, count) * slack;
    size_t best = ADVISE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (!points[i].is_offered || points[i].wall_s > limit) {
            continue;
        }
        if (best == ADVISE_NONE || points[i].bytes < points[best].bytes ||
            (points[i].bytes == points[best].bytes && points[i].wall_s < points[best].wall_s)) {
            best = i;
        }
    }
    return best;
}
