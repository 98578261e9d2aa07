/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "codec/codec.h"
#include "trial/gate.h"

void trial_workspace_fini(struct trial_workspace *workspace)
{
    free(workspace->compressed);
    free(workspace->restored);
    *workspace = (struct trial_workspace){0};
}

static bool reserve(uint8_t **buffer, size_t *have, size_t need)
{
    if (need <= *have) {
        return true;
    }
    free(*buffer);
    *buffer = malloc(need);
    *have = *buffer == NULL ? 0 : need;
    return *buffer != NULL;
}

bool trial_workspace_reserve(struct trial_workspace *workspace, size_t compressed_bytes,
                             size_t restored_bytes)
{
    return reserve(&workspace->compressed, &workspace->compressed_bytes, compressed_bytes) &&
           reserve(&workspace->restored, &workspace->restored_bytes, restored_bytes);
}

enum cadv_status trial_run(struct trial_workspace *workspace, struct cadv_level level,
                           const uint8_t *content, uint32_t bytes, struct record_trial *trial,
                           struct cadv_error *err)
{
    const struct codec *codec = codec_get(level.codec);
    char name[CADV_LEVEL_NAME_MAX];
    size_t bound = codec->bound(bytes);
    if (!trial_workspace_reserve(workspace, bound, bytes)) {
        return error_nomem(err, "making room for a trial");
    }

    uint64_t context_bytes =
        codec->context_bytes != NULL ? codec->context_bytes(level.level) : 0;
    gate_enter(context_bytes);
    double start = clock_thread_cpu_s();
    size_t raw = codec->compress(content, bytes, workspace->compressed, bound, level.level);
    double compressed = clock_thread_cpu_s();
    gate_leave(context_bytes);
    if (raw == 0) {
        return error_set(err, CADV_ERR_NOMEM,
                         "%s failed on a chunk of %u bytes, most likely for lack of memory; "
                         "try a smaller --jobs",
                         cadv_level_name(level, name), bytes);
    }
    size_t restored = codec->decompress(workspace->compressed, raw, workspace->restored, bytes);
    double end = clock_thread_cpu_s();
    if (restored != bytes || memcmp(content, workspace->restored, bytes) != 0) {
        return error_set(err, CADV_ERR_CODEC, "%s did not restore a chunk of %u bytes",
                         cadv_level_name(level, name), bytes);
    }
    *trial = (struct record_trial){.raw_bytes = (uint32_t)raw,
                                   .compress_s = (float)(compressed - start),
                                   .decompress_s = (float)(end - compressed)};
    return CADV_OK;
}
