/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Zstandard frames by ZSTD_compress(): one shot, content size in the header, no checksum, and a
 * context made and thrown away for each chunk, as Borg does it.
 */
#include <zstd.h>

#include "codec/codec.h"

/*
 * What Borg 2 accepts (Borg 1 takes the positive ones). The library goes down to -131072, where
 * there is nothing to tell apart; level 0 is its other name for level 3, and no level here.
 */
enum { LOWEST_LEVEL = -128, HIGHEST_LEVEL = 22 };

static int level_lowest(void)
{
    int lowest = ZSTD_minCLevel();
    return lowest > LOWEST_LEVEL ? lowest : LOWEST_LEVEL;
}

static int level_highest(void)
{
    int highest = ZSTD_maxCLevel();
    return highest < HIGHEST_LEVEL ? highest : HIGHEST_LEVEL;
}

static size_t compress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes,
                       int level)
{
    size_t size = ZSTD_compress(out, out_bytes, in, in_bytes, level);
    return ZSTD_isError(size) ? 0 : size;
}

static size_t decompress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes)
{
    size_t size = ZSTD_decompress(out, out_bytes, in, in_bytes);
    return ZSTD_isError(size) ? 0 : size;
}

const struct codec codec_zstd = {
    .name = "zstd",
    .version = ZSTD_versionString,
    .level_lowest = level_lowest,
    .level_highest = level_highest,
    .level_default = 3,
    .bound = ZSTD_compressBound,
    .compress = compress,
    .decompress = decompress,
};
