/* SPDX-License-Identifier: BSD-2-Clause */
/* support/noise.h - test data from a seed: the same on every machine. */
#ifndef SUPPORT_NOISE_H
#define SUPPORT_NOISE_H

#include <stddef.h>
#include <stdint.h>

/** splitmix64 (Steele, Lea, Flood 2014); any start value will do. */
struct noise {
    uint64_t state;
};

uint64_t noise_next(struct noise *noise);

/** A number from 0 to limit - 1; limit at least 1. A slight bias is of no matter in tests. */
uint64_t noise_below(struct noise *noise, uint64_t limit);

/**
 * Fills the bytes with one of several textures, itself drawn: random bytes, one byte repeated,
 * a short pattern repeated, few different bytes, or runs of all these.
 */
void noise_fill(struct noise *noise, uint8_t *data, size_t data_bytes);

#endif
