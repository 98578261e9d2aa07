/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/derived.h - levels that need no trials of their own, because a tool makes them of others:
 * `auto` stores what lz4 or what a codec left of a chunk, `obfuscate` adds padding to it. Their
 * trials are worked out from those of lz4 and of the codec (see estimate/derive.h); how a tool
 * decides and pads is its target's business, told through these two functions.
 *
 * May include: base, record.
 */
#ifndef RECORD_DERIVED_H
#define RECORD_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "compadvise/level.h"

/** What `auto` made of a chunk. */
enum record_choice {
    /** lz4 did not promise enough: its result is stored and the codec never ran. */
    RECORD_CHEAP = 0,
    /** Both ran, and lz4's result is stored. */
    RECORD_CHEAP_AFTER_BOTH,
    /** Both ran, and the codec's result is stored. */
    RECORD_DEAR
};

/** The choice for a chunk of which lz4 and the codec leave so many stored bytes. Pure. */
typedef enum record_choice (*record_choose_fn)(uint32_t chunk_bytes, uint64_t cheap_bytes,
                                               uint64_t dear_bytes);

/** What obfuscation adds to one chunk: `each` + `mean` bytes are expected. */
struct record_padding {
    /** The part that does not depend on the chunk. */
    double each;
    /** The part that does; negative where the tool's limit cuts into `each`. */
    double mean;
    /** Variance of what is added, bytes squared: the padding is random. */
    double variance;
};

/** The padding of a chunk stored in `stored_bytes` without it, at a spec above 0. Pure. */
typedef struct record_padding (*record_padding_fn)(uint64_t stored_bytes, int obfuscate);

/** True for levels that get no trials of their own. */
static inline bool record_is_derived(struct cadv_level level)
{
    return level.is_auto || level.obfuscate != 0;
}

#endif
