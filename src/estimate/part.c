/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/part.h"

#include <stdlib.h>

#include "base/array.h"

/* Ranks in the whole of the part's chunks. */
static size_t collect_ranks(const struct record_stratum *whole, part_fn belongs,
                            const void *ctx, size_t *ranks)
{
    size_t count = 0;
    for (size_t rank = 0; rank < whole->chunk_count; rank++) {
        if (belongs(&whole->chunks[rank], ctx)) {
            ranks[count++] = rank;
        }
    }
    return count;
}

static bool copy_trials(struct record_stratum *part, const struct record_stratum *whole,
                        const size_t *ranks, size_t level)
{
    size_t count = 0;
    while (count < part->chunk_count && ranks[count] < whole->trialled[level]) {
        count++;
    }
    part->trialled[level] = count;
    if (count == 0) {
        return true;
    }
    part->trials[level] = malloc(size_mul(count, sizeof *part->trials[level]));
    for (size_t i = 0; part->trials[level] != NULL && i < count; i++) {
        part->trials[level][i] = whole->trials[level][ranks[i]];
    }
    return part->trials[level] != NULL;
}

static bool copy_stratum(struct record_stratum *part, const struct record_stratum *whole,
                         size_t level_count, const size_t *ranks, size_t count)
{
    part->chunk_count = count;
    part->chunks = malloc(size_mul(count + 1, sizeof *part->chunks));
    if (part->chunks == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        part->chunks[i] = whole->chunks[ranks[i]];
    }
    /* Of the chunks left out of the part none comes before the first left out of the whole. */
    part->threshold = count < part->unique_chunks ? whole->threshold : 0.0;
    for (size_t level = 0; level < level_count; level++) {
        if (!copy_trials(part, whole, ranks, level)) {
            return false;
        }
    }
    return true;
}

enum cadv_status part_init(struct record_population *part,
                           const struct record_population *whole, size_t level_count,
                           part_fn belongs, const void *ctx, const struct part_counts *counts,
                           struct cadv_error *err)
{
    *part = (struct record_population){
        .name = whole->name, .purpose = whole->purpose, .chunker = whole->chunker};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *from = &whole->strata[s];
        part->strata[s].unique_chunks = counts->unique_chunks[s];
        part->strata[s].unique_bytes = counts->unique_bytes[s];
        size_t *ranks = malloc(size_mul(from->chunk_count + 1, sizeof *ranks));
        bool is_copied =
            ranks != NULL && copy_stratum(&part->strata[s], from, level_count, ranks,
                                          collect_ranks(from, belongs, ctx, ranks));
        free(ranks);
        if (!is_copied) {
            record_population_fini(part);
            return error_nomem(err, "estimating a part");
        }
    }
    return CADV_OK;
}
