/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * level.h - a compression setting, and lists of them as users write them.
 *
 * A level is a codec plus the number that codec takes; `none` and `lz4` take no number and
 * carry 0. Two of Borg's prefixes may stand before it: `auto` (lz4 first, the codec only for
 * what lz4 shrinks) and `obfuscate` (padding that hides sizes). Lists are kept in table order
 * (none, lz4, zstd, zlib, lzma, each from fastest to strongest; then the same with auto, then
 * with obfuscate) without repetitions, so the same set always reads the same.
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
enum cadv_codec {
    CADV_CODEC_NONE = 0,
    CADV_CODEC_LZ4,
    CADV_CODEC_ZSTD,
    CADV_CODEC_ZLIB,
    CADV_CODEC_LZMA,
    CADV_CODEC_COUNT
};

struct cadv_level {
    enum cadv_codec codec;
    /** Within the codec's range; 0 for codecs without levels. */
    int level;
    /** The tool tries lz4 first and this codec only on chunks that it shrinks. */
    bool is_auto;
    /** How much padding hides each stored size: 1 to 6 or 110 to 123; 0: none. */
    int obfuscate;
};

/** What users may ask for at once: more than every level of every codec without prefixes. */
#define CADV_LEVELS_ASKED_MAX 200
/** Room for those and for all that they are derived from. */
#define CADV_LEVELS_MAX 576

struct cadv_level_list {
    struct cadv_level items[CADV_LEVELS_MAX];
    size_t count;
};

/** The longest name cadv_level_name() writes, with its terminator. */
#define CADV_LEVEL_NAME_MAX 48

/**
 * Writes the level as Borg spells it (`none`, `lz4`, `zstd,3`, `zstd,-4`, `auto,lzma,6`,
 * `obfuscate,110,auto,zstd,3`) into `name`, which holds CADV_LEVEL_NAME_MAX bytes, and returns
 * it.
 */
const char *cadv_level_name(struct cadv_level level, char *name);

/** Table order: negative when `a` comes before `b`, 0 when they are the same. */
int cadv_level_compare(struct cadv_level a, struct cadv_level b);

/** The level without its prefixes: what the codec itself is told. */
struct cadv_level cadv_level_plain(struct cadv_level level);

/**
 * Adds `level` at its place in `list`, which has room for CADV_LEVELS_MAX, unless it is there
 * already. False when the list is full.
 */
bool cadv_levels_insert(struct cadv_level_list *list, struct cadv_level level);

/**
 * Adds to `list` what `text` names: comma-separated `none`, `lz4`, `zstd` (level 3), `zstd:N`,
 * `zstd:A-B` (inclusive; negative levels as in `zstd:-7--1`), likewise `zlib` and `lzma` (level
 * 6). The items `auto` and `obfuscate:S` add none but change the one after them, in this order:
 * `obfuscate:110,auto,zstd:1-9`. CADV_ERR_USAGE names the item at fault and what is valid, and
 * leaves `list` as it was; also when it would hold more than CADV_LEVELS_ASKED_MAX.
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
