/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hull.c - which points are worth a look: dominated ones, and the lower convex hull.
 *
 * The hull is wrapped like a gift (Jarvis 1973): from the fastest point, always on to the one
 * that saves most bytes per second. That is quadratic, which is nothing for two hundred levels,
 * and it needs neither sorting nor memory.
 */
#include "advise/advise.h"

static bool dominates(const struct advise_point *a, const struct advise_point *b)
{
    return a->is_offered && a->bytes <= b->bytes && a->wall_s <= b->wall_s &&
           (a->bytes < b->bytes || a->wall_s < b->wall_s);
}

static bool is_dominated(const struct advise_point *points, size_t count, size_t which)
{
    for (size_t i = 0; i < count; i++) {
        if (dominates(&points[i], &points[which])) {
            return true;
        }
    }
    return false;
}

static bool is_candidate(const struct advise_point *point)
{
    return point->is_offered && !point->is_dominated;
}

/* Candidates differ in wall_s unless they are equal in both; of equals the first counts. */
static size_t fastest(const struct advise_point *points, size_t count)
{
    size_t best = ADVISE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (is_candidate(&points[i]) &&
            (best == ADVISE_NONE || points[i].wall_s < points[best].wall_s)) {
            best = i;
        }
    }
    return best;
}

/* The next corner after `from`; of several on one straight line the nearest. */
static size_t next_corner(const struct advise_point *points, size_t count, size_t from)
{
    size_t best = ADVISE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (!is_candidate(&points[i]) || points[i].wall_s <= points[from].wall_s) {
            continue;
        }
        if (best == ADVISE_NONE) {
            best = i;
            continue;
        }
        /* saved_i / seconds_i against saved_best / seconds_best, without dividing. */
        double seconds_i = points[i].wall_s - points[from].wall_s;
        double seconds_best = points[best].wall_s - points[from].wall_s;
        double slope_i = (points[from].bytes - points[i].bytes) * seconds_best;
        double slope_best = (points[from].bytes - points[best].bytes) * seconds_i;
        if (slope_i > slope_best || (slope_i == slope_best && seconds_i < seconds_best)) {
            best = i;
        }
    }
    return best;
}

void advise_mark(struct advise_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        points[i].is_on_hull = false;
        points[i].is_dominated = is_dominated(points, count, i);
    }
    size_t corner = fastest(points, count);
    while (corner != ADVISE_NONE) {
        points[corner].is_on_hull = true;
        corner = next_corner(points, count, corner);
    }
}
