/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "estimate/chain.h"
#include "estimate/difference.h"
#include "estimate/interval.h"

/* The chains of all strata, and what they look at. */
struct chains {
    double *sizes[RECORD_STRATUM_COUNT];
    /** By level index. */
    struct chain_level *strata[RECORD_STRATUM_COUNT];
};

static void chains_fini(struct chains *chains)
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        free(chains->sizes[s]);
        free(chains->strata[s]);
    }
    *chains = (struct chains){0};
}

static enum cadv_status chains_init(struct chains *chains,
                                    const struct record_population *population,
                                    const struct cadv_level_list *levels,
                                    const struct measure *measure, struct cadv_error *err)
{
    *chains = (struct chains){0};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &population->strata[s];
        chains->sizes[s] = calloc(stratum->chunk_count + 1, sizeof *chains->sizes[s]);
        chains->strata[s] = calloc(levels->count + 1, sizeof *chains->strata[s]);
        if (chains->sizes[s] == NULL || chains->strata[s] == NULL) {
            chains_fini(chains);
            return error_nomem(err, "estimating totals");
        }
        for (size_t rank = 0; rank < stratum->chunk_count; rank++) {
            chains->sizes[s][rank] = record_size_measure(stratum->chunks[rank].bytes);
        }
        chain_run(stratum, chains->sizes[s], levels, measure, chains->strata[s]);
    }
    return CADV_OK;
}

static struct estimate total_of(const struct record_population *population,
                                const struct cadv_level_list *levels,
                                const struct measure *measure, const struct chains *chains,
                                size_t level)
{
    const struct chain_level *strata[RECORD_STRATUM_COUNT];
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        strata[s] = &chains->strata[s][level];
    }
    return interval_make(strata, record_unique_bytes(population),
                         measure_is_capped(measure, levels->items[level]));
}

static enum cadv_status estimate_measure(const struct record_population *population,
                                         const struct cadv_level_list *levels,
                                         const struct measure *measure, struct estimate *out,
                                         struct cadv_error *err)
{
    struct chains chains;
    enum cadv_status status = chains_init(&chains, population, levels, measure, err);
    if (status != CADV_OK) {
        return status;
    }
    for (size_t level = 0; level < levels->count; level++) {
        out[level] = total_of(population, levels, measure, &chains, level);
    }
    chains_fini(&chains);
    return CADV_OK;
}

static struct estimate difference_total(const struct chains *chains,
                                        const struct estimate_pair *pair)
{
    struct chain_level differences[RECORD_STRATUM_COUNT];
    const struct chain_level *strata[RECORD_STRATUM_COUNT];
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        differences[s] = difference_of(chains->strata[s], pair->from, pair->to);
        strata[s] = &differences[s];
    }
    return interval_free(strata);
}

struct estimate estimate_unrelated(const struct estimate *from, const struct estimate *to)
{
    double est = from->est - to->est;
    return (struct estimate){.est = est,
                             .lo = est - hypot(from->est - from->lo, to->hi - to->est),
                             .hi = est + hypot(from->hi - from->est, to->est - to->lo),
                             .is_exact = from->is_exact && to->is_exact,
                             .is_known = from->is_known && to->is_known};
}

enum cadv_status estimate_differences(const struct record_population *population,
                                      const struct cadv_level_list *levels,
                                      estimate_stored_fn stored,
                                      const struct estimate_pair *pairs, size_t count,
                                      struct estimate *out, struct cadv_error *err)
{
    const struct measure measure = {.kind = MEASURE_STORED, .stored = stored};
    struct chains chains;
    enum cadv_status status = chains_init(&chains, population, levels, &measure, err);
    if (status != CADV_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        struct estimate from = total_of(population, levels, &measure, &chains, pairs[i].from);
        struct estimate to = total_of(population, levels, &measure, &chains, pairs[i].to);
        out[i] = difference_total(&chains, &pairs[i]);
        /* Totals are cut to what is certain, differences cannot be; where that makes totals the
         * better known ones, what they say is used. */
        struct estimate apart = estimate_unrelated(&from, &to);
        if (out[i].is_known && apart.hi - apart.lo < out[i].hi - out[i].lo) {
            out[i] = apart;
        }
    }
    chains_fini(&chains);
    return CADV_OK;
}

enum cadv_status estimate_sizes(const struct record_population *population,
                                const struct cadv_level_list *levels, estimate_stored_fn stored,
                                struct estimate *out, struct cadv_error *err)
{
    const struct measure measure = {.kind = MEASURE_STORED, .stored = stored};
    return estimate_measure(population, levels, &measure, out, err);
}

enum cadv_status estimate_times(const struct record_population *population,
                                const struct cadv_level_list *levels, enum estimate_time which,
                                struct estimate *out, struct cadv_error *err)
{
    const struct measure measure = {.kind = which == ESTIMATE_COMPRESS ? MEASURE_COMPRESS_S
                                                                       : MEASURE_DECOMPRESS_S};
    return estimate_measure(population, levels, &measure, out, err);
}

enum cadv_status estimate_incompressible(const struct record_population *population,
                                         const struct cadv_level_list *levels,
                                         struct estimate *out, struct cadv_error *err)
{
    const struct measure measure = {.kind = MEASURE_KEPT};
    return estimate_measure(population, levels, &measure, out, err);
}
