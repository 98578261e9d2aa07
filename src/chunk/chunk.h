/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chunk/chunk.h - the table of chunkers. To add one: a file with one row, its line in
 * chunker.c, its value in enum cadv_chunker.
 *
 * A row knows three things: how its parameters are written, what they may be, and how to cut.
 * Cutting works on a state of the row's own, one per cutter; the public cutter (cutter.c) only
 * allocates it. So a chunker with other tables, or none, needs no change elsewhere.
 *
 * May include: base, the public headers.
 */
#ifndef CHUNK_CHUNK_H
#define CHUNK_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compadvise/chunker.h"

/** More than the numbers in the notation of any chunker. */
#define CHUNKER_NUMBERS_MAX 4

struct chunker {
    /** The first word of the notation. */
    const char *name;
    /** How parameters are written, for error messages. */
    const char *notation;
    /** How many numbers follow the name. */
    size_t numbers_min;
    size_t numbers_max;
    /** Fills `params` from that many numbers; those not written are 0. Checks nothing. */
    void (*from_numbers)(const uint32_t *numbers, struct cadv_chunker_params *params);
    /** The inverse; returns how many numbers the notation takes. */
    size_t (*to_numbers)(const struct cadv_chunker_params *params, uint32_t *numbers);
    /** CADV_ERR_USAGE names the number that is out of its range. */
    enum cadv_status (*check)(const struct cadv_chunker_params *params, struct cadv_error *err);
    /** The longest chunk. */
    size_t (*max_bytes)(const struct cadv_chunker_params *params);
    /** Bytes of the state, which init() fills from checked parameters. */
    size_t state_bytes;
    void (*init)(void *state, const struct cadv_chunker_params *params);
    /** Both as the public functions cadv_cutter_start() and cadv_cutter_next(). */
    void (*start)(void *state);
    size_t (*next)(void *state, const uint8_t *data, size_t data_bytes, bool is_last);
};

/** The row of `kind`, which must be a valid chunker. */
const struct chunker *chunker_get(enum cadv_chunker kind);

/** CADV_ERR_USAGE when no cutter can be made of these parameters, of whatever origin. */
enum cadv_status chunker_check(const struct cadv_chunker_params *params,
                               struct cadv_error *err);

extern const struct chunker chunker_buzhash;
extern const struct chunker chunker_fixed;

#endif
