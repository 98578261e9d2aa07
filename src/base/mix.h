/* SPDX-License-Identifier: BSD-2-Clause */
/* base/mix.h - one 64-bit finaliser, for variates drawn from digests and for hash tables. */
#ifndef BASE_MIX_H
#define BASE_MIX_H

#include <stdint.h>

/** Bijective mixing of 64 bits (the finaliser of SplitMix64, Steele et al. 2014). */
static inline uint64_t mix64(uint64_t value)
{
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
}

#endif
