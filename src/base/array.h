/* SPDX-License-Identifier: BSD-2-Clause */
/* base/array.h - growing arrays without overflow, and checked arithmetic on sizes. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Makes `items` (`*capacity` places of `item_bytes`) hold at least `needed`; grows by half.
 * Returns the array, moved or not, or NULL when memory ran out (the old one stays valid and
 * `*capacity` as it was). Free with free().
 */
void *array_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes);

/** a + b, a * b; SIZE_MAX instead of wrapping, which no allocation can satisfy. */
size_t size_add(size_t a, size_t b);
size_t size_mul(size_t a, size_t b);

#endif
