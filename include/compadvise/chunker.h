/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chunker.h - where Borg would cut: parameters in Borg's notation, and a cutter to use alone.
 */
#ifndef COMPADVISE_CHUNKER_H
#define COMPADVISE_CHUNKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compadvise/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The chunkers, in the order of the chunker table. */
enum cadv_chunker { CADV_CHUNKER_BUZHASH = 0, CADV_CHUNKER_FIXED, CADV_CHUNKER_COUNT };

/** Parameters of one chunker. A plain value; fields of the other chunkers are 0. */
struct cadv_chunker_params {
    enum cadv_chunker kind;
    /** buzhash: chunks have at least 2^min_exp and at most 2^max_exp bytes. */
    unsigned min_exp;
    unsigned max_exp;
    /** buzhash: a cut needs this many zero low bits of the window's hash. */
    unsigned mask_bits;
    /** buzhash: window in bytes. */
    uint32_t window_bytes;
    /** buzhash: XORed into the table; 0 for a repository without a key. */
    uint32_t seed;
    /** fixed: bytes of each block, and of one header block before them (0: none). */
    uint32_t block_bytes;
    uint32_t header_bytes;
};

/** The longest text cadv_chunker_format() writes, with its terminator. */
#define CADV_CHUNKER_TEXT_MAX 64

/** Borg 1.x's default for file content: buzhash,19,23,21,4095 with seed 0. */
struct cadv_chunker_params cadv_chunker_default(void);

/**
 * Reads Borg's notation: `buzhash,MIN,MAX,MASK,WINDOW` (also without the name, as Borg allows),
 * `fixed,BLOCK[,HEADER]`, or `default`. Limits are Borg 1.2's. The seed is set to 0.
 * CADV_ERR_USAGE says which number is out of which range.
 */
enum cadv_status cadv_chunker_parse(const char *text, struct cadv_chunker_params *params,
                                    struct cadv_error *err);

/** Writes the parameters in Borg's notation and returns `text` (CADV_CHUNKER_TEXT_MAX bytes). */
const char *cadv_chunker_format(const struct cadv_chunker_params *params, char *text);

/**
 * A cutter for one file at a time. Not safe for use by two threads at once; different cutters
 * are independent.
 */
struct cadv_cutter;

/**
 * Makes a cutter; NULL when memory ran out or `params` are outside of the limits that
 * cadv_chunker_parse() applies. Free with cadv_cutter_free(), NULL is fine.
 */
struct cadv_cutter *cadv_cutter_new(const struct cadv_chunker_params *params);
void cadv_cutter_free(struct cadv_cutter *cutter);

/** The longest chunk the cutter yields, in bytes. */
size_t cadv_cutter_max_bytes(const struct cadv_cutter *cutter);

/** Forgets the file before; call it at the start of every file. */
void cadv_cutter_start(struct cadv_cutter *cutter);

/**
 * The length of the chunk that starts at `data`, or 0 when `data_bytes` (not the end of the
 * file: `is_last` false) are too few to know: call again with more bytes after the same start.
 * With cadv_cutter_max_bytes() bytes or with `is_last` the answer is never 0, except for
 * data_bytes == 0. The result does not depend on how the bytes were portioned.
 */
size_t cadv_cutter_next(struct cadv_cutter *cutter, const uint8_t *data, size_t data_bytes,
                        bool is_last);

#ifdef __cplusplus
}
#endif
#endif
