/* SPDX-License-Identifier: BSD-2-Clause */
/* No compression: a copy, because a copy is what Borg makes and pays for. */
#include <string.h>

#include "codec/codec.h"

static const char *version(void)
{
    return "built-in";
}

static int no_level(void)
{
    return 0;
}

static size_t bound(size_t in_bytes)
{
    return in_bytes;
}

static size_t copy(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes)
{
    if (in_bytes > out_bytes) {
        return 0;
    }
    memcpy(out, in, in_bytes);
    return in_bytes;
}

static size_t compress(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes,
                       int level)
{
    (void)level;
    return copy(in, in_bytes, out, out_bytes);
}

const struct codec codec_none = {
    .name = "none",
    .version = version,
    .level_lowest = no_level,
    .level_highest = no_level,
    .level_default = 0,
    .bound = bound,
    .compress = compress,
    .decompress = copy,
};
