/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fixed row of the chunker table: blocks of equal size, as for disk images and databases.
 *
 * The first HEADER bytes of a file are chunked apart from the rest. Borg cuts them into blocks
 * as well, so a header longer than a block is several chunks, the last one shorter.
 */
#include "chunk/chunk.h"

/* What Borg 1.2 accepts: 64 bytes, and its largest object without the envelope (MAX_DATA_SIZE).
 */
enum { LOWEST_BLOCK = 64, HIGHEST_BLOCK = 20971479 };

struct state {
    uint32_t block_bytes;
    uint32_t header_bytes;
    /* Of the current file's header, not yet cut. */
    uint32_t header_rest;
};

static void from_numbers(const uint32_t *numbers, struct cadv_chunker_params *params)
{
    params->block_bytes = numbers[0];
    params->header_bytes = numbers[1];
}

static size_t to_numbers(const struct cadv_chunker_params *params, uint32_t *numbers)
{
    numbers[0] = params->block_bytes;
    numbers[1] = params->header_bytes;
    return params->header_bytes > 0 ? 2 : 1;
}

static enum cadv_status check(const struct cadv_chunker_params *params, struct cadv_error *err)
{
    if (params->block_bytes < LOWEST_BLOCK || params->block_bytes > HIGHEST_BLOCK) {
        return error_set(err, CADV_ERR_USAGE,
                         "chunker: BLOCK is %lu bytes but must be from %d to %d",
                         (unsigned long)params->block_bytes, LOWEST_BLOCK, HIGHEST_BLOCK);
    }
    if (params->header_bytes > HIGHEST_BLOCK) {
        return error_set(err, CADV_ERR_USAGE,
                         "chunker: HEADER is %lu bytes but must be from 0 to %d",
                         (unsigned long)params->header_bytes, HIGHEST_BLOCK);
    }
    return CADV_OK;
}

static size_t max_bytes(const struct cadv_chunker_params *params)
{
    return params->block_bytes;
}

static void start(void *opaque)
{
    struct state *state = opaque;
    state->header_rest = state->header_bytes;
}

static void init(void *opaque, const struct cadv_chunker_params *params)
{
    struct state *state = opaque;
    state->block_bytes = params->block_bytes;
    state->header_bytes = params->header_bytes;
    start(state);
}

static size_t next(void *opaque, const uint8_t *data, size_t data_bytes, bool is_last)
{
    struct state *state = opaque;
    uint32_t wanted = state->block_bytes;
    (void)data;
    if (state->header_rest > 0 && state->header_rest < wanted) {
        wanted = state->header_rest;
    }
    if (data_bytes < wanted && !is_last) {
        return 0;
    }

    uint32_t length = data_bytes < wanted ? (uint32_t)data_bytes : wanted;
    if (state->header_rest > 0) {
        state->header_rest -= length;
    }
    return length;
}

const struct chunker chunker_fixed = {
    .name = "fixed",
    .notation = "fixed,BLOCK[,HEADER]",
    .numbers_min = 1,
    .numbers_max = 2,
    .from_numbers = from_numbers,
    .to_numbers = to_numbers,
    .check = check,
    .max_bytes = max_bytes,
    .state_bytes = sizeof(struct state),
    .init = init,
    .start = start,
    .next = next,
};
