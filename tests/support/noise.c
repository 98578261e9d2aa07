/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/noise.h"

#include <string.h>

uint64_t noise_next(struct noise *noise)
{
    uint64_t z = noise->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t noise_below(struct noise *noise, uint64_t limit)
{
    return noise_next(noise) % limit;
}

static void fill_random(struct noise *noise, uint8_t *data, size_t data_bytes)
{
    for (size_t i = 0; i < data_bytes; i++) {
        data[i] = (uint8_t)noise_next(noise);
    }
}

static void fill_repeated(struct noise *noise, uint8_t *data, size_t data_bytes)
{
    size_t period = 1 + (size_t)noise_below(noise, 100);
    fill_random(noise, data, data_bytes < period ? data_bytes : period);
    for (size_t i = period; i < data_bytes; i++) {
        data[i] = data[i - period];
    }
}

static void fill_few(struct noise *noise, uint8_t *data, size_t data_bytes)
{
    uint64_t kinds = 2 + noise_below(noise, 3);
    for (size_t i = 0; i < data_bytes; i++) {
        data[i] = (uint8_t)('a' + noise_below(noise, kinds));
    }
}

static void fill_constant(struct noise *noise, uint8_t *data, size_t data_bytes)
{
    memset(data, noise_below(noise, 2) == 0 ? 0 : (int)noise_below(noise, 256), data_bytes);
}

typedef void (*fill_fn)(struct noise *noise, uint8_t *data, size_t data_bytes);
static const fill_fn textures[] = {fill_random, fill_repeated, fill_few, fill_constant};
enum { TEXTURE_COUNT = sizeof textures / sizeof textures[0] };

void noise_fill(struct noise *noise, uint8_t *data, size_t data_bytes)
{
    uint64_t texture = noise_below(noise, TEXTURE_COUNT + 1);
    if (data_bytes == 0) {
        return;
    }
    if (texture < TEXTURE_COUNT) {
        textures[texture](noise, data, data_bytes);
        return;
    }
    for (size_t at = 0; at < data_bytes;) {
        size_t run = 1 + (size_t)noise_below(noise, data_bytes - at);
        textures[noise_below(noise, TEXTURE_COUNT)](noise, data + at, run);
        at += run;
    }
}
