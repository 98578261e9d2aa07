/* SPDX-License-Identifier: BSD-2-Clause */
/* support/shuffle.h - orders of arrival from a seed. Link support/noise.c. */
#ifndef SUPPORT_SHUFFLE_H
#define SUPPORT_SHUFFLE_H

#include <stddef.h>

#include "support/noise.h"

/** Fills `order` with 0 to count - 1 in random order (Fisher and Yates). */
static inline void shuffle(struct noise *noise, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)noise_below(noise, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

#endif
