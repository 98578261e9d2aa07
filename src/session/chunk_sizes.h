/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/chunk_sizes.h - what the trials know of a content chunk, found by its digest. Read-only
 * once made, so any number of threads may ask.
 */
#ifndef SESSION_CHUNK_SIZES_H
#define SESSION_CHUNK_SIZES_H

#include "record/record.h"

/** Where a chunk stands in the ordering. */
struct chunk_place {
    struct record_digest digest;
    uint32_t stratum;
    uint32_t rank;
};

struct chunk_sizes {
    /** Borrowed. */
    const struct record_population *population;
    /** Sorted by digest; owned. */
    struct chunk_place *places;
    size_t count;
};

/** False when memory ran out. */
bool chunk_sizes_init(struct chunk_sizes *sizes, const struct record_population *population);
void chunk_sizes_fini(struct chunk_sizes *sizes);

/** The codec's raw result for the chunk at `level` (a level's index), or 0 when no trial knows it. */
uint32_t chunk_sizes_raw(const struct chunk_sizes *sizes, struct record_digest digest,
                         size_t level);

#endif
