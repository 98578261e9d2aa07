/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/pairs.h - names with values in one run of bytes, so that a copy is one memcpy(): for each
 * pair the name with its NUL, four bytes of length in this machine's order, the value.
 */
#ifndef BASE_PAIRS_H
#define BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair {
    const char *name;
    /** Any bytes, not terminated. */
    const uint8_t *value;
    uint32_t value_bytes;
};

/** Bytes that a pair takes. */
size_t pairs_needed(const char *name, uint32_t value_bytes);

/** Writes a pair at `at`, which has pairs_needed() bytes; returns what follows it. */
uint8_t *pairs_put(uint8_t *at, const char *name, const void *value, uint32_t value_bytes);

/** Reads the pair at *at, which moves on; false at the end. The pair points into the run. */
bool pairs_next(const uint8_t **at, const uint8_t *end, struct pair *pair);

#endif
