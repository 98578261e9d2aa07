/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knee.c - choices by price: a byte kept costs its storage, a CPU second costs its share of a
 * core-hour. Unlike Kneedle, the price knee does not move when levels off the hull are added.
 */
#include "advise/advise.h"

static double storage_cost(double bytes, const struct advise_prices *prices)
{
    return bytes / 1e9 * prices->storage_per_gb_month * prices->keep_months;
}

static double cpu_cost(double cpu_s, const struct advise_prices *prices)
{
    return cpu_s / 3600 * prices->cpu_per_core_hour;
}

double advise_cost(const struct advise_point *point, const struct advise_prices *prices)
{
    return storage_cost(point->bytes, prices) + cpu_cost(point->cpu_s, prices);
}

/* The hull's point with the least wall time above that of `from`, or the fastest of all. */
static size_t hull_after(const struct advise_point *points, size_t count, size_t from)
{
    size_t next = ADVISE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (points[i].is_on_hull &&
            (from == ADVISE_NONE || points[i].wall_s > points[from].wall_s) &&
            (next == ADVISE_NONE || points[i].wall_s < points[next].wall_s)) {
            next = i;
        }
    }
    return next;
}

size_t advise_knee(const struct advise_point *points, size_t count,
                   const struct advise_prices *prices, struct advise_step *next)
{
    struct advise_step step = {.to = ADVISE_NONE};
    size_t knee = hull_after(points, count, ADVISE_NONE);
    while (knee != ADVISE_NONE) {
        step = (struct advise_step){.to = hull_after(points, count, knee)};
        if (step.to == ADVISE_NONE) {
            break;
        }
        step.saved = storage_cost(points[knee].bytes - points[step.to].bytes, prices);
        step.cost = cpu_cost(points[step.to].cpu_s - points[knee].cpu_s, prices);
        if (step.saved <= step.cost) {
            break;
        }
        knee = step.to;
    }
    if (next != NULL) {
        *next = step;
    }
    return knee;
}

/* Cheaper; at the same cost (both free, say) smaller, then faster. */
static bool is_better(const struct advise_point *a, const struct advise_point *b,
                      const struct advise_prices *prices)
{
    double cost_a = advise_cost(a, prices);
    double cost_b = advise_cost(b, prices);
    if (cost_a != cost_b) {
        return cost_a < cost_b;
    }
    if (a->bytes != b->bytes) {
        return a->bytes < b->bytes;
    }
    return a->wall_s < b->wall_s;
}

size_t advise_archive(const struct advise_point *points, size_t count,
                      const struct advise_prices *prices)
{
    size_t best = ADVISE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (points[i].is_offered &&
            (best == ADVISE_NONE || is_better(&points[i], &points[best], prices))) {
            best = i;
        }
    }
    return best;
}
