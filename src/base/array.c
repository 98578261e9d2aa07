/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/array.h"

#include <stdlib.h>

size_t size_add(size_t a, size_t b)
{
    size_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

size_t size_mul(size_t a, size_t b)
{
    size_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

void *array_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes)
{
    if (needed <= *capacity && items != NULL) {
        return items;
    }
    size_t wanted = size_add(*capacity, *capacity / 2);
    if (wanted < needed) {
        wanted = needed;
    }
    if (wanted < 8) {
        wanted = 8;
    }
    size_t bytes = size_mul(wanted, item_bytes);
    void *moved = bytes > PTRDIFF_MAX ? NULL : realloc(items, bytes);
    if (moved != NULL) {
        *capacity = wanted;
    }
    return moved;
}
