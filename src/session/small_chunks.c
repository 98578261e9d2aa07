/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small chunks are mostly whole small files. They compress worse and slower than their bytes in a
 * large chunk would, and Borg 2 splits no chunk under 768 KiB among threads; so a dataset's share
 * of them says much about what a level can do for it.
 */
#include "session/small_chunks.h"

#include <stdlib.h>

#include "estimate/part.h"
#include "session/round.h"

static const uint32_t limits[CADV_SMALL_LIMITS] = {RECORD_LARGE_MIN_BYTES,
                                                   RECORD_MEDIUM_MAX_BYTES};

/* The bounds of the strata and the counts kept beside them make any other limit a guess. */
static struct part_counts counts_below(const struct record_population *content, size_t limit)
{
    const struct record_stratum *small = &content->strata[RECORD_SMALL];
    struct part_counts counts = {0};
    counts.unique_chunks[RECORD_SMALL] = small->unique_chunks;
    counts.unique_bytes[RECORD_SMALL] = small->unique_bytes;
    if (limits[limit] > RECORD_LARGE_MIN_BYTES) {
        counts.unique_chunks[RECORD_LARGE] = content->medium_chunks;
        counts.unique_bytes[RECORD_LARGE] = content->medium_bytes;
    }
    return counts;
}

static bool is_below(const struct record_chunk *chunk, const void *limit)
{
    return chunk->bytes < *(const uint32_t *)limit;
}

void small_chunks_count(struct run *run)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    for (size_t i = 0; i < CADV_SMALL_LIMITS; i++) {
        struct part_counts counts = counts_below(content, i);
        struct cadv_small_chunks *out = &run->result->dataset.small_chunks[i];
        out->limit_bytes = limits[i];
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            out->chunks += counts.unique_chunks[s];
            out->bytes += counts.unique_bytes[s];
        }
    }
}

static void fill_rows(struct run *run, size_t limit, const struct run_estimates *estimates)
{
    struct cadv_result *result = run->result;
    for (size_t i = 0; i < result->row_count; i++) {
        struct cadv_row *row = &result->rows[i];
        size_t level = record_level_index(&run->record.levels, row->level);
        const struct estimate *seconds = &estimates->compress[level];
        row->small_chunks[limit] = (struct cadv_small_row){
            .is_known = estimates->sizes[level].is_known,
            .data_size = round_interval(&estimates->sizes[level]),
            .compress_seconds = {.est = seconds->est, .lo = seconds->lo, .hi = seconds->hi}};
    }
}

enum cadv_status small_chunks_estimate(struct run *run, struct cadv_error *err)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    struct run_estimates *estimates = calloc(1, sizeof *estimates);
    if (estimates == NULL) {
        return error_nomem(err, "estimating the small chunks");
    }
    enum cadv_status status = CADV_OK;
    for (size_t i = 0; i < CADV_SMALL_LIMITS && status == CADV_OK; i++) {
        struct record_population part;
        struct part_counts counts = counts_below(content, i);
        status = part_init(&part, content, run->record.levels.count, is_below, &limits[i],
                           &counts, err);
        if (status == CADV_OK) {
            status = run_estimate(run, &part, estimates, err);
            record_population_fini(&part);
        }
        if (status == CADV_OK) {
            fill_rows(run, i, estimates);
        }
    }
    free(estimates);
    return status;
}
