/* SPDX-License-Identifier: BSD-2-Clause */
/* session/stored.h - compressing one piece at any level, derived ones too, at once. */
#ifndef SESSION_STORED_H
#define SESSION_STORED_H

#include "target/target.h"
#include "trial/trial.h"

/** What a level makes of one piece. */
struct stored {
    /** By the target's store rule; of padding the expected value. */
    uint64_t bytes;
    /** Of the padding in it, bytes squared. */
    double padding_variance;
    /** Thread CPU seconds. */
    double compress_s;
    double decompress_s;
};

/** Compresses `data` (1 byte to 4 GB) as the target would at `level`. Fails as trial_run() does. */
enum cadv_status stored_make(struct trial_workspace *workspace, const struct target *target,
                             struct cadv_level level, const uint8_t *data, uint32_t bytes,
                             struct stored *stored, struct cadv_error *err);

#endif
