/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial/probe.h"

#include <string.h>

#include "codec/codec.h"

#define SLICES_BYTES ((size_t)PROBE_SLICES * PROBE_SLICE_BYTES)

/* Levels above follow zstd,1 more closely than they follow lz4, and lz4 is tried on far more chunks. */
static const struct cadv_level probe_level = {.codec = CADV_CODEC_ZSTD, .level = 1};

/* How many bytes were taken. */
static size_t take_slices(const uint8_t *content, uint32_t bytes, uint8_t *slices)
{
    if (bytes <= SLICES_BYTES) {
        memcpy(slices, content, bytes);
        return bytes;
    }
    for (uint32_t i = 0; i < PROBE_SLICES; i++) {
        uint64_t middle =
            (uint64_t)bytes * (2 * (uint64_t)i + 1) / (2 * (uint64_t)PROBE_SLICES);
        memcpy(slices + (size_t)i * PROBE_SLICE_BYTES, content + middle - PROBE_SLICE_BYTES / 2,
               PROBE_SLICE_BYTES);
    }
    return SLICES_BYTES;
}

enum cadv_status probe_run(struct trial_workspace *workspace, const uint8_t *content,
                           uint32_t bytes, uint32_t *probe_bytes, struct cadv_error *err)
{
    const struct codec *codec = codec_get(probe_level.codec);
    size_t bound = codec->bound(SLICES_BYTES);
    if (!trial_workspace_reserve(workspace, bound, SLICES_BYTES)) {
        return error_nomem(err, "making room for a probe");
    }
    size_t taken = take_slices(content, bytes, workspace->restored);
    size_t raw = codec->compress(workspace->restored, taken, workspace->compressed, bound,
                                 probe_level.level);
    if (raw == 0) {
        return error_nomem(err, "compressing a probe");
    }
    uint64_t whole = (uint64_t)raw * bytes / taken;
    *probe_bytes = whole < 1 ? 1 : whole < bytes ? (uint32_t)whole : bytes;
    return CADV_OK;
}
