/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chunk/buzhash.h - Borg's rolling hash, and where it would like to cut.
 *
 * This is the pure half of the buzhash chunker: it looks at windows, knows nothing of chunks,
 * and keeps no state, so a huge file may be searched by several threads at once. Which of the
 * positions become cuts is decided serially; see buzhash_rule.h.
 *
 *                p                p+w
 *     ...--------[     window     )-------...      position p matches when the hash of the
 *                ^                                  w bytes that follow it ends in mask_bits
 *                a cut would fall here              zero bits
 *
 * The window lies after the cut, not before it.
 */
#ifndef CHUNK_BUZHASH_H
#define CHUNK_BUZHASH_H

#include <stddef.h>
#include <stdint.h>

#include "compadvise/chunker.h"

/** Borg's constant table, before a seed is XORed into each entry. */
extern const uint32_t buzhash_base_table[256];

/** One hash function; a plain value, read-only once made. */
struct buzhash {
    size_t window_bytes;
    /** Ones in the bits that must be zero for a match. */
    uint32_t mask;
    /** What a byte adds when it enters the window. */
    uint32_t in[256];
    /** The same, rotated as it is by the time the byte leaves the window again. */
    uint32_t out[256];
};

/** Uses window_bytes (at least 1), mask_bits (at most 31) and seed of `params`. */
void buzhash_init(struct buzhash *hash, const struct cadv_chunker_params *params);

/** The hash of the window_bytes bytes at `window`. */
uint32_t buzhash_of(const struct buzhash *hash, const uint8_t *window);

/**
 * The smallest matching position p with from <= p < to, or `to` when there is none. Reads no
 * further than the window of the last position: data[from] to data[to + window_bytes - 2].
 */
size_t buzhash_find(const struct buzhash *hash, const uint8_t *data, size_t from, size_t to);

#endif
