/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codec/codec.h - the table of codecs. To add one: a file codec_NAME.c with one row, its line
 * in codec.c, its value in enum cadv_codec.
 *
 * A codec returns its raw result, also when that is larger than the input; whether such a chunk
 * is stored raw is the target's rule, not the codec's.
 *
 * The calls are the very ones Borg makes (fresh context each time), so that sizes are Borg's to
 * the byte and time includes what Borg pays for contexts.
 *
 * May include: base, the public headers.
 */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "compadvise/level.h"

struct codec {
    /** As in level lists and in Borg's -C. */
    const char *name;
    /** Version of the library at run time, e.g. "1.5.4". */
    const char *(*version)(void);
    /** Inclusive range; equal (0) for codecs without levels. */
    int (*level_lowest)(void);
    int (*level_highest)(void);
    /** Level when none is written. */
    int level_default;
    /** Output buffer size that always suffices for `in_bytes`. */
    size_t (*bound)(size_t in_bytes);
    /**
     * What one compression at `level` reserves beside in and out, where that is so much that
     * few may run at once; NULL: little.
     */
    uint64_t (*context_bytes)(int level);
    /**
     * Compresses into `out` (at least bound(in_bytes)); the size, or 0 when the library failed
     * (memory). Thread-safe. `in_bytes` is at least 1.
     */
    size_t (*compress)(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes,
                       int level);
    /** Inverse of compress; returns the number of bytes restored, or 0 when the data is bad. */
    size_t (*decompress)(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes);
};

/** The row of `id`, which must be a valid codec. */
const struct codec *codec_get(enum cadv_codec id);

/** False for codecs that take no number. */
bool codec_has_levels(const struct codec *codec);

extern const struct codec codec_none;
extern const struct codec codec_lz4;
extern const struct codec codec_zstd;
extern const struct codec codec_zlib;
extern const struct codec codec_lzma;

#endif
