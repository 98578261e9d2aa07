/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * .xz files with one block and without integrity check, by the streaming encoder, as Python's
 * lzma.compress() makes them for Borg. The library's one-call encoder notes sizes in the block
 * header and would be a few bytes off.
 */
#include <lzma.h>

#include "codec/codec.h"

enum { LOWEST_LEVEL = 0, HIGHEST_LEVEL = 9, DEFAULT_LEVEL = 6 };

/* Room beyond the one-call encoder's bound, which counts heads a little differently. */
enum { MORE_BYTES = 128 };

static int level_lowest(void)
{
    return LOWEST_LEVEL;
}

static int level_highest(void)
{
    return HIGHEST_LEVEL;
}

static size_t bound(size_t in_bytes)
{
    size_t bytes = lzma_stream_buffer_bound(in_bytes);
    return bytes == 0 ? 0 : bytes + MORE_BYTES;
}

/* 3 MiB at level 0, 94 at 6, 674 at 9, most of which a chunk of a few MiB never touches. */
static uint64_t context_bytes(int level)
{
    return lzma_easy_encoder_memusage((uint32_t)level);
}

static size_t compress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes,
                       int level)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_easy_encoder(&stream, (uint32_t)level, LZMA_CHECK_NONE) != LZMA_OK) {
        return 0;
    }
    stream.next_in = in;
    stream.avail_in = in_bytes;
    stream.next_out = out;
    stream.avail_out = out_bytes;
    lzma_ret result = lzma_code(&stream, LZMA_FINISH);
    size_t size = result == LZMA_STREAM_END ? (size_t)stream.total_out : 0;
    lzma_end(&stream);
    return size;
}

static size_t decompress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes)
{
    uint64_t memory_limit = UINT64_MAX;
    size_t in_at = 0;
    size_t out_at = 0;
    lzma_ret result = lzma_stream_buffer_decode(&memory_limit, 0, NULL, in, &in_at, in_bytes,
                                                out, &out_at, out_bytes);
    return result == LZMA_OK ? out_at : 0;
}

const struct codec codec_lzma = {
    .name = "lzma",
    .version = lzma_version_string,
    .level_lowest = level_lowest,
    .level_highest = level_highest,
    .level_default = DEFAULT_LEVEL,
    .bound = bound,
    .context_bytes = context_bytes,
    .compress = compress,
    .decompress = decompress,
};
