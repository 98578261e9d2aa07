/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * advise/advise.h - from size and time per level to a choice. Pure.
 *
 * Points are (seconds, bytes) per level. All functions mark or pick among points whose
 * `is_offered` is set; the others are never recommended.
 *
 * May include: base.
 */
#ifndef ADVISE_ADVISE_H
#define ADVISE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>

/** No point. */
#define ADVISE_NONE ((size_t)-1)

struct advise_point {
    /** Wall seconds of the run; CPU seconds of the run; bytes of the repository. */
    double wall_s;
    double cpu_s;
    double bytes;
    bool is_offered;
    /** Results of advise_mark(). */
    bool is_dominated;
    bool is_on_hull;
};

/** What a byte and a second are worth; see options.h. */
struct advise_prices {
    double storage_per_gb_month;
    double cpu_per_core_hour;
    double keep_months;
};

/**
 * Sets is_dominated (another offered point has bytes <= and wall_s <=, one of them strictly) and
 * is_on_hull (on the lower convex hull of wall_s against bytes, dominated points never).
 */
void advise_mark(struct advise_point *points, size_t count);

/** A step of the hull beyond a point. */
struct advise_step {
    /** Where it leads; ADVISE_NONE when the point is the last. */
    size_t to;
    /** What the bytes saved are worth, and what the CPU seconds cost; 0 without a step. */
    double saved;
    double cost;
};

/**
 * The price-based knee: walking the hull from the fastest point to the smallest, the last point
 * whose step still saved more (bytes at the storage price over keep_months) than it cost (CPU
 * seconds at the CPU price, once). The step beyond it goes to the optional `next`. Call
 * advise_mark() first.
 */
size_t advise_knee(const struct advise_point *points, size_t count,
                   const struct advise_prices *prices, struct advise_step *next);

/**
 * Kneedle (Satopaa et al. 2011, sensitivity 1) on bytes over wall_s, both scaled to [0,1] over the
 * offered points that are not dominated: the point furthest below the straight line between the
 * ends. ADVISE_NONE with fewer than three such points.
 */
size_t advise_kneedle(const struct advise_point *points, size_t count);

/**
 * For daily backups: the smallest offered point whose wall time is at most `slack` (for instance
 * 1.10) times that of the fastest one, so that compression is not what the backup waits for.
 * Ties go to the faster.
 */
size_t advise_daily(const struct advise_point *points, size_t count, double slack);

/** For archives: lowest storage over keep_months plus CPU once. */
size_t advise_archive(const struct advise_point *points, size_t count,
                      const struct advise_prices *prices);

/** Total cost of a point: storage over keep_months plus CPU once. */
double advise_cost(const struct advise_point *point, const struct advise_prices *prices);

#endif
