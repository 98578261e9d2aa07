/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * level.h - a compression setting, and lists of them as users write them.
 *
 * A level is a codec plus the number that codec takes; `none` and `lz4` take no number and
 * carry 0. Lists are kept in table order (none, lz4, zstd from fastest to strongest) without
 * repetitions, so the same set always reads the same.
 */
#ifndef COMPADVISE_LEVEL_H
#define COMPADVISE_LEVEL_H

#include <stdbool.h>
#include <stddef.h>

#include "compadvise/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The codecs, in the order of the codec table. */
enum cadv_codec { CADV_CODEC_NONE = 0, CADV_CODEC_LZ4, CADV_CODEC_ZSTD, CADV_CODEC_COUNT };

struct cadv_level {
    enum cadv_codec codec;
    /** Within the codec's range; 0 for codecs without levels. */
    int level;
};

/** More than every level of every codec together. */
#define CADV_LEVELS_MAX 192

struct cadv_level_list {
    struct cadv_level items[CADV_LEVELS_MAX];
    size_t count;
};

/** The longest name cadv_level_name() writes, with its terminator. */
#define CADV_LEVEL_NAME_MAX 24

/**
 * Writes the level as Borg spells it (`none`, `lz4`, `zstd,3`, `zstd,-4`) into `name`, which
 * holds CADV_LEVEL_NAME_MAX bytes, and returns it.
 */
const char *cadv_level_name(struct cadv_level level, char *name);

/**
 * Adds to `list` what `text` names: comma-separated `none`, `lz4`, `zstd` (level 3), `zstd:N`,
 * `zstd:A-B` (inclusive; negative levels as in `zstd:-7--1`). CADV_ERR_USAGE names the item at
 * fault and the valid range, and leaves `list` as it was.
 */
enum cadv_status cadv_levels_add(struct cadv_level_list *list, const char *text,
                                 struct cadv_error *err);

/** True when `list` holds `level`. */
bool cadv_levels_contain(const struct cadv_level_list *list, struct cadv_level level);

/** The smallest and the largest level number of a codec. */
void cadv_codec_range(enum cadv_codec codec, int *lowest, int *highest);

/** The codec's name, and its library's version as text. Static storage. */
const char *cadv_codec_name(enum cadv_codec codec);
const char *cadv_codec_version(enum cadv_codec codec);

#ifdef __cplusplus
}
#endif
#endif
