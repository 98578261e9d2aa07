/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cyclic polynomials (R. M. Karp, M. O. Rabin; J. D. Cohen, "Recursive hashing functions for
 * n-grams", 1997), with the details of Borg's _chunker.c: 32 bits, left rotations, low bits
 * tested.
 *
 *     H(d0..d[w-1]) = XOR over i of rotl(in[d_i], w-1-i)
 *     H(d1..d[w])   = rotl(H, 1) ^ rotl(in[d_0], w) ^ in[d_w]
 */
#include "chunk/buzhash.h"

/* Written so that compilers see a rotation, and no shift by 32 happens for 0. */
static inline uint32_t rotl(uint32_t value, unsigned bits)
{
    return (value << (bits & 31)) | (value >> ((32 - bits) & 31));
}

void buzhash_init(struct buzhash *hash, const struct cadv_chunker_params *params)
{
    hash->window_bytes = params->window_bytes;
    hash->mask = (UINT32_C(1) << params->mask_bits) - 1;
    for (size_t byte = 0; byte < 256; byte++) {
        hash->in[byte] = buzhash_base_table[byte] ^ params->seed;
        hash->out[byte] = rotl(hash->in[byte], params->window_bytes % 32);
    }
}

uint32_t buzhash_of(const struct buzhash *hash, const uint8_t *window)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < hash->window_bytes; i++) {
        sum = rotl(sum, 1) ^ hash->in[window[i]];
    }
    return sum;
}

/*
 * The slide is a chain: each hash needs the one before. What a step adds does not, so it is
 * looked up for four positions beforehand, and only a rotation and an XOR per byte remain in
 * the chain.
 */
size_t buzhash_find(const struct buzhash *hash, const uint8_t *data, size_t from, size_t to)
{
    if (from >= to) {
        return to;
    }

    const uint32_t *in = hash->in;
    const uint32_t *out = hash->out;
    const uint32_t mask = hash->mask;
    const uint8_t *leaving = data;
    const uint8_t *entering = data + hash->window_bytes;
    uint32_t sum = buzhash_of(hash, data + from);
    size_t p = from;

    /* Invariant: sum is the hash of position p, not yet tested. */
    for (; to - p > 4; p += 4) {
        uint32_t step0 = out[leaving[p]] ^ in[entering[p]];
        uint32_t step1 = out[leaving[p + 1]] ^ in[entering[p + 1]];
        uint32_t step2 = out[leaving[p + 2]] ^ in[entering[p + 2]];
        uint32_t step3 = out[leaving[p + 3]] ^ in[entering[p + 3]];
        uint32_t sum1 = rotl(sum, 1) ^ step0;
        uint32_t sum2 = rotl(sum1, 1) ^ step1;
        uint32_t sum3 = rotl(sum2, 1) ^ step2;

        if ((sum & mask) == 0) {
            return p;
        }
        if ((sum1 & mask) == 0) {
            return p + 1;
        }
        if ((sum2 & mask) == 0) {
            return p + 2;
        }
        if ((sum3 & mask) == 0) {
            return p + 3;
        }
        sum = rotl(sum3, 1) ^ step3;
    }
    for (; (sum & mask) != 0; p++) {
        if (p + 1 == to) {
            return to;
        }
        sum = rotl(sum, 1) ^ out[leaving[p]] ^ in[entering[p]];
    }
    return p;
}
