/* SPDX-License-Identifier: BSD-2-Clause */
/* borg1_setup.h - a repository of Borg 1.x as tests choose it: default cutter, archive `a`. */
#ifndef SUPPORT_BORG1_SETUP_H
#define SUPPORT_BORG1_SETUP_H

#include "target/target.h"

static const struct cadv_chunker_params borg1_usual_chunker = {.kind = CADV_CHUNKER_BUZHASH,
                                                               .min_exp = 19,
                                                               .max_exp = 23,
                                                               .mask_bits = 21,
                                                               .window_bytes = 4095};

/** A mode by name; `chunker` NULL: the default. */
static inline struct target_setup borg1_setup_of(const char *encryption,
                                                 const struct cadv_chunker_params *chunker)
{
    return (struct target_setup){.encryption = target_borg1.encryption(encryption),
                                 .chunker = chunker == NULL ? &borg1_usual_chunker : chunker,
                                 .archive_name = "a",
                                 .hostname = "twelve-bytes",
                                 .username = "five5"};
}

#endif
