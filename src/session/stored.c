/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/stored.h"

#include <math.h>

static enum cadv_status make_plain(struct trial_workspace *workspace,
                                   const struct target *target, struct cadv_level level,
                                   const uint8_t *data, uint32_t bytes, struct stored *stored,
                                   struct cadv_error *err)
{
    struct record_trial trial = {0};
    enum cadv_status status = trial_run(workspace, level, data, bytes, &trial, err);
    *stored = (struct stored){.bytes = target->stored_bytes(bytes, trial.raw_bytes, level),
                              .compress_s = (double)trial.compress_s,
                              .decompress_s = (double)trial.decompress_s};
    return status;
}

/* lz4 first, then perhaps the codec; what is tried costs time whether it is kept or not. */
static enum cadv_status make_auto(struct trial_workspace *workspace,
                                  const struct target *target, struct cadv_level level,
                                  const uint8_t *data, uint32_t bytes, struct stored *stored,
                                  struct cadv_error *err)
{
    struct stored dear = {0};
    struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4};
    enum cadv_status status = make_plain(workspace, target, lz4, data, bytes, stored, err);
    if (status == CADV_OK) {
        status =
            make_plain(workspace, target, cadv_level_plain(level), data, bytes, &dear, err);
    }
    if (status != CADV_OK) {
        return status;
    }
    enum record_choice choice = target->choose(bytes, stored->bytes, dear.bytes);
    stored->compress_s += choice == RECORD_CHEAP ? 0.0 : dear.compress_s;
    if (choice == RECORD_DEAR) {
        stored->bytes = dear.bytes;
        stored->decompress_s = dear.decompress_s;
    }
    return status;
}

enum cadv_status stored_make(struct trial_workspace *workspace, const struct target *target,
                             struct cadv_level level, const uint8_t *data, uint32_t bytes,
                             struct stored *stored, struct cadv_error *err)
{
    enum cadv_status status =
        level.is_auto
            ? make_auto(workspace, target, level, data, bytes, stored, err)
            : make_plain(workspace, target, cadv_level_plain(level), data, bytes, stored, err);
    if (status == CADV_OK && level.obfuscate != 0) {
        struct record_padding padding = target->padding(stored->bytes, level.obfuscate);
        stored->padding_variance = padding.variance;
        stored->bytes += (uint64_t)fmax(round(padding.each + padding.mean), 0.0);
    }
    return status;
}
