/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LZ4 blocks without a frame, by LZ4_compress_default() into a buffer of full bound, as Borg
 * does it. The buffer's size matters: a smaller one takes another path inside the library.
 */
#include <lz4.h>

#include "codec/codec.h"

static int no_level(void)
{
    return 0;
}

static size_t bound(size_t in_bytes)
{
    return in_bytes > LZ4_MAX_INPUT_SIZE ? 0 : (size_t)LZ4_compressBound((int)in_bytes);
}

static size_t compress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes,
                       int level)
{
    size_t needed = bound(in_bytes);
    (void)level;
    if (needed == 0 || out_bytes < needed) {
        return 0;
    }
    int size = LZ4_compress_default((const char *)in, (char *)out, (int)in_bytes, (int)needed);
    return size > 0 ? (size_t)size : 0;
}

static size_t decompress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes)
{
    if (in_bytes > INT32_MAX) {
        return 0;
    }
    int capacity = out_bytes > INT32_MAX ? INT32_MAX : (int)out_bytes;
    int size = LZ4_decompress_safe((const char *)in, (char *)out, (int)in_bytes, capacity);
    return size > 0 ? (size_t)size : 0;
}

const struct codec codec_lz4 = {
    .name = "lz4",
    .version = LZ4_versionString,
    .level_lowest = no_level,
    .level_highest = no_level,
    .level_default = 0,
    .bound = bound,
    .compress = compress,
    .decompress = decompress,
};
