/* SPDX-License-Identifier: BSD-2-Clause */
/* The codec table. */
#include "codec/codec.h"

#include "base/error.h"

static const struct codec *const codecs[CADV_CODEC_COUNT] = {
    [CADV_CODEC_NONE] = &codec_none, [CADV_CODEC_LZ4] = &codec_lz4,
    [CADV_CODEC_ZSTD] = &codec_zstd, [CADV_CODEC_ZLIB] = &codec_zlib,
    [CADV_CODEC_LZMA] = &codec_lzma,
};

const struct codec *codec_get(enum cadv_codec id)
{
    CADV_ASSERT((unsigned)id < CADV_CODEC_COUNT);
    return codecs[id];
}

void cadv_codec_range(enum cadv_codec codec, int *lowest, int *highest)
{
    *lowest = codec_get(codec)->level_lowest();
    *highest = codec_get(codec)->level_highest();
}

const char *cadv_codec_name(enum cadv_codec codec)
{
    return codec_get(codec)->name;
}

const char *cadv_codec_version(enum cadv_codec codec)
{
    return codec_get(codec)->version();
}
