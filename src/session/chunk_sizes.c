/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/chunk_sizes.h"

#include <stdlib.h>

#include "base/array.h"

static int by_digest(const void *left, const void *right)
{
    const struct record_digest *a = &((const struct chunk_place *)left)->digest;
    const struct record_digest *b = &((const struct chunk_place *)right)->digest;
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->low > b->low) - (a->low < b->low);
}

bool chunk_sizes_init(struct chunk_sizes *sizes, const struct record_population *population)
{
    *sizes = (struct chunk_sizes){.population = population};
    size_t count = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        count += population->strata[s].chunk_count;
    }
    sizes->places = malloc(size_mul(count + 1, sizeof *sizes->places));
    if (sizes->places == NULL) {
        return false;
    }
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &population->strata[s];
        for (size_t i = 0; i < stratum->chunk_count; i++) {
            sizes->places[sizes->count++] =
                (struct chunk_place){.digest = stratum->chunks[i].digest,
                                     .stratum = (uint32_t)s,
                                     .rank = (uint32_t)i};
        }
    }
    qsort(sizes->places, sizes->count, sizeof *sizes->places, by_digest);
    return true;
}

void chunk_sizes_fini(struct chunk_sizes *sizes)
{
    free(sizes->places);
    *sizes = (struct chunk_sizes){0};
}

uint32_t chunk_sizes_raw(const struct chunk_sizes *sizes, struct record_digest digest,
                         size_t level)
{
    struct chunk_place wanted = {.digest = digest};
    if (sizes->count == 0) {
        return 0;
    }
    const struct chunk_place *found =
        bsearch(&wanted, sizes->places, sizes->count, sizeof wanted, by_digest);
    if (found == NULL) {
        return 0;
    }
    const struct record_stratum *stratum = &sizes->population->strata[found->stratum];
    return found->rank < stratum->trialled[level]
               ? stratum->trials[level][found->rank].raw_bytes
               : 0;
}
