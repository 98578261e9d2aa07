/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/estimate.h"

#include <stdlib.h>

#include "base/error.h"
#include "estimate/chain.h"
#include "estimate/interval.h"

static enum cadv_status estimate_measure(const struct record_population *population,
                                         const struct cadv_level_list *levels,
                                         const struct measure *measure, struct estimate *out,
                                         struct cadv_error *err)
{
    const size_t count = levels->count;
    struct chain_level *chains = calloc(RECORD_STRATUM_COUNT * count + 1, sizeof *chains);
    if (chains == NULL) {
        return error_nomem(err, "estimating totals");
    }

    enum cadv_status status = CADV_OK;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT && status == CADV_OK; s++) {
        status = chain_run(&population->strata[s], levels, measure, chains + s * count, err);
    }

    uint64_t unique_bytes = record_unique_bytes(population);
    for (size_t level = 0; level < count && status == CADV_OK; level++) {
        const struct chain_level *strata[RECORD_STRATUM_COUNT];
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            strata[s] = &chains[s * count + level];
        }
        out[level] = interval_make(strata, unique_bytes,
                                   measure_is_capped(measure, levels->items[level]));
    }
    free(chains);
    return status;
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
