/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kneedle.c - the second opinion (Satopaa, Albrecht, Irwin, Raghavan: Finding a "Kneedle" in a
 * Haystack, 2011). Both axes are scaled to the range shown, so the answer depends on which
 * levels are shown; a report that prints it says the range.
 *
 * Of the local maxima that Kneedle may declare, the deepest is taken. It is declared with the
 * paper's threshold at sensitivity 1: the depth must fall by more than the mean spacing of x
 * before the curve ends, and at the end the depth is 0.
 */
#include "advise/advise.h"

struct range {
    double wall_lo;
    double wall_hi;
    double bytes_lo;
    double bytes_hi;
    size_t count;
};

static bool is_counted(const struct advise_point *point)
{
    return point->is_offered && !point->is_dominated;
}

static void widen(double value, double *lo, double *hi)
{
    *lo = value < *lo ? value : *lo;
    *hi = value > *hi ? value : *hi;
}

static struct range find_range(const struct advise_point *points, size_t count)
{
    struct range r = {0};
    for (size_t i = 0; i < count; i++) {
        if (!is_counted(&points[i])) {
            continue;
        }
        if (r.count == 0) {
            r.wall_lo = r.wall_hi = points[i].wall_s;
            r.bytes_lo = r.bytes_hi = points[i].bytes;
        }
        widen(points[i].wall_s, &r.wall_lo, &r.wall_hi);
        widen(points[i].bytes, &r.bytes_lo, &r.bytes_hi);
        r.count++;
    }
    return r;
}

size_t advise_kneedle(const struct advise_point *points, size_t count)
{
    struct range r = find_range(points, count);
    if (r.count < 3 || r.wall_lo == r.wall_hi || r.bytes_lo == r.bytes_hi) {
        return ADVISE_NONE;
    }
    size_t best = ADVISE_NONE;
    double best_depth = 1.0 / (double)(r.count - 1);
    for (size_t i = 0; i < count; i++) {
        if (!is_counted(&points[i])) {
            continue;
        }
        double x = (points[i].wall_s - r.wall_lo) / (r.wall_hi - r.wall_lo);
        double y = (points[i].bytes - r.bytes_lo) / (r.bytes_hi - r.bytes_lo);
        double depth = 1 - x - y;
        if (depth > best_depth) {
            best = i;
            best_depth = depth;
        }
    }
    return best;
}
