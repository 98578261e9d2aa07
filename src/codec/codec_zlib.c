/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * zlib streams by one deflate() with the whole chunk at hand, as Python's zlib.compress() makes
 * them for Borg: 32 KiB window, memory level 8, Adler-32.
 *
 * At level 0 a stored block ends where the output buffer does, so the size depends on how large
 * buffers are handed out. Python's grow from 32 KiB; at other levels their sizes change nothing.
 */
#define ZLIB_CONST
#include <limits.h>
#include <zlib.h>

#include "codec/codec.h"

enum { LOWEST_LEVEL = 0, HIGHEST_LEVEL = 9, DEFAULT_LEVEL = 6 };

/* Output buffers of Python 3.10 and later, one after the other; the last size repeats. */
static const size_t buffer_bytes[] = {1U << 15, 1U << 16, 1U << 18, 1U << 20,
                                      1U << 22, 1U << 23, 1U << 24};
#define BUFFERS (sizeof buffer_bytes / sizeof buffer_bytes[0])

/* Block heads that buffer ends may add to zlib's own bound, and some room. */
enum { MORE_BYTES = 1024 };

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
    return in_bytes > UINT_MAX / 2 ? 0 : (size_t)compressBound((uLong)in_bytes) + MORE_BYTES;
}

static size_t deflate_all(z_stream *stream, size_t out_bytes)
{
    int result = Z_OK;
    size_t given = 0;
    for (size_t i = 0; result == Z_OK && given < out_bytes; i++) {
        size_t next = buffer_bytes[i < BUFFERS ? i : BUFFERS - 1];
        size_t left = out_bytes - given;
        stream->avail_out = (uInt)(next < left ? next : left);
        given += stream->avail_out;
        result = deflate(stream, Z_FINISH);
    }
    return result == Z_STREAM_END ? (size_t)stream->total_out : 0;
}

static size_t compress_chunk(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes,
                             int level)
{
    z_stream stream = {.next_in = in, .avail_in = (uInt)in_bytes, .next_out = out};
    if (bound(in_bytes) == 0 || deflateInit(&stream, level) != Z_OK) {
        return 0;
    }
    size_t size = deflate_all(&stream, out_bytes);
    (void)deflateEnd(&stream);
    return size;
}

static size_t decompress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes)
{
    uLongf size = (uLongf)out_bytes;
    return uncompress(out, &size, in, (uLong)in_bytes) == Z_OK ? (size_t)size : 0;
}

const struct codec codec_zlib = {
    .name = "zlib",
    .version = zlibVersion,
    .level_lowest = level_lowest,
    .level_highest = level_highest,
    .level_default = DEFAULT_LEVEL,
    .bound = bound,
    .compress = compress_chunk,
    .decompress = decompress,
};
