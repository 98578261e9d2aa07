/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/interval.h"

#include <math.h>

#include "estimate/tquantile.h"

/* Variance and the sum of V^2/df over independent parts; Satterthwaite's df is V^2 over the
 * sum. */
struct spread {
    double variance;
    double variance_sq_per_df;
    double floor;
};

static struct spread residual_spread(const struct chain_level *const strata[])
{
    struct spread spread = {0};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        spread.variance += strata[s]->chain.variance;
        spread.variance_sq_per_df += strata[s]->chain.variance_sq_per_df;
    }
    return spread;
}

/*
 * Quenouille-Tukey with groups: (G-1)/G times the squared deviations. About their own mean:
 * since only the random part of each chunk is left out, all groups shift alike where small
 * chunks compress unlike large ones, and that shift is no spread. One group that deviates much
 * more than the others is worth fewer degrees of freedom than 19.
 */
static void add_jackknife(const struct chain_level *stratum, struct spread *spread)
{
    double mean = 0.0, sum = 0.0, sum_of_squares = 0.0;
    for (size_t group = 0; group < CHAIN_GROUPS; group++) {
        mean += stratum->without_group[group] / (double)CHAIN_GROUPS;
    }
    for (size_t group = 0; group < CHAIN_GROUPS; group++) {
        double deviation = stratum->without_group[group] - mean;
        sum += deviation * deviation;
        sum_of_squares += deviation * deviation * deviation * deviation;
    }

    double effective = sum_of_squares > 0.0 ? 3.0 * sum * sum / sum_of_squares : 0.0;
    double freedom = fmax(fmin(effective, (double)CHAIN_GROUPS) - 1.0, 1.0);
    double variance = sum * (double)(CHAIN_GROUPS - 1) / (double)CHAIN_GROUPS;
    spread->variance += variance;
    spread->variance_sq_per_df += variance * variance / freedom;
    spread->floor += stratum->chain.floor;
}

static struct spread jackknife_spread(const struct chain_level *const strata[])
{
    struct spread spread = {0};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        add_jackknife(strata[s], &spread);
    }
    return spread;
}

static double half_width(const struct spread *spread)
{
    double total = spread->variance + spread->floor;
    if (total <= 0.0) {
        return 0.0;
    }
    double freedom = spread->variance_sq_per_df > 0.0
                         ? spread->variance * spread->variance / spread->variance_sq_per_df
                         : 1e9;
    return tquantile_975(freedom) * sqrt(total);
}

static double widest_half(const struct chain_level *const strata[])
{
    struct spread residual = residual_spread(strata);
    struct spread jackknife = jackknife_spread(strata);
    return fmax(half_width(&residual), half_width(&jackknife));
}

struct estimate interval_free(const struct chain_level *const strata[RECORD_STRATUM_COUNT])
{
    struct estimate out = {.is_known = true, .is_exact = true};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        out.is_known = out.is_known && strata[s]->is_known;
        out.is_exact = out.is_exact && strata[s]->is_exact;
        out.est += strata[s]->total;
    }
    if (!out.is_known) {
        return (struct estimate){.is_known = false};
    }
    double half = out.is_exact ? 0.0 : widest_half(strata);
    out.lo = out.est - half;
    out.hi = out.est + half;
    return out;
}

struct estimate interval_make(const struct chain_level *const strata[RECORD_STRATUM_COUNT],
                              uint64_t unique_bytes, bool is_capped)
{
    struct estimate out = interval_free(strata);
    if (!out.is_known || out.is_exact) {
        return out;
    }
    double seen_total = 0.0;
    uint64_t seen_bytes = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        seen_total += strata[s]->seen_total;
        seen_bytes += strata[s]->seen_bytes;
    }
    double half = out.hi - out.est;
    double most = is_capped ? seen_total + (double)(unique_bytes - seen_bytes) : INFINITY;
    out.est = fmin(fmax(out.est, seen_total), most);
    out.lo = fmax(out.est - half, seen_total);
    out.hi = fmin(out.est + half, most);
    return out;
}
