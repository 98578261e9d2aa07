/* SPDX-License-Identifier: BSD-2-Clause */
/* The buzhash row of the chunker table: parameters, and the serial selector. */
#include "chunk/buzhash_rule.h"
#include "chunk/chunk.h"

/* What Borg 1.2 accepts for --chunker-params. */
enum { LOWEST_MIN_EXP = 6, HIGHEST_MAX_EXP = 23 };

struct state {
    struct buzhash hash;
    struct buzhash_rule rule;
    /* Positions of the current chunk below this one are known not to match. */
    size_t searched;
};

static void from_numbers(const uint32_t *numbers, struct cadv_chunker_params *params)
{
    params->min_exp = numbers[0];
    params->max_exp = numbers[1];
    params->mask_bits = numbers[2];
    params->window_bytes = numbers[3];
}

static size_t to_numbers(const struct cadv_chunker_params *params, uint32_t *numbers)
{
    numbers[0] = params->min_exp;
    numbers[1] = params->max_exp;
    numbers[2] = params->mask_bits;
    numbers[3] = params->window_bytes;
    return 4;
}

static enum cadv_status check(const struct cadv_chunker_params *params, struct cadv_error *err)
{
    if (params->min_exp < LOWEST_MIN_EXP) {
        return error_set(err, CADV_ERR_USAGE, "chunker: MIN is %u but must be at least %d",
                         params->min_exp, LOWEST_MIN_EXP);
    }
    if (params->max_exp > HIGHEST_MAX_EXP) {
        return error_set(err, CADV_ERR_USAGE, "chunker: MAX is %u but must be at most %d",
                         params->max_exp, HIGHEST_MAX_EXP);
    }
    if (params->mask_bits < params->min_exp || params->mask_bits > params->max_exp) {
        return error_set(err, CADV_ERR_USAGE,
                         "chunker: MASK is %u but must be from MIN to MAX, here %u to %u",
                         params->mask_bits, params->min_exp, params->max_exp);
    }

    /* Exponents are in range now, so the powers are. MIN <= MAX follows from the mask. */
    int64_t room = (INT64_C(1) << params->max_exp) - (INT64_C(1) << params->min_exp) - 1;
    if (room < 1) {
        return error_set(err, CADV_ERR_USAGE,
                         "chunker: MIN and MAX are both %u, which leaves no room for a window",
                         params->min_exp);
    }
    if (params->window_bytes < 1 || (int64_t)params->window_bytes > room) {
        return error_set(
            err, CADV_ERR_USAGE,
            "chunker: WINDOW is %lu bytes but must be from 1 to 2^MAX - 2^MIN - 1, "
            "here %lld",
            (unsigned long)params->window_bytes, (long long)room);
    }
    return CADV_OK;
}

static size_t max_bytes(const struct cadv_chunker_params *params)
{
    return (size_t)1 << params->max_exp;
}

static void start(void *opaque)
{
    struct state *state = opaque;
    state->searched = 0;
}

static void init(void *opaque, const struct cadv_chunker_params *params)
{
    struct state *state = opaque;
    buzhash_init(&state->hash, params);
    state->rule = buzhash_rule_of(params);
    start(state);
}

static size_t next(void *opaque, const uint8_t *data, size_t data_bytes, bool is_last)
{
    struct state *state = opaque;
    struct buzhash_limits limits = buzhash_limits_of(state->rule, data_bytes, is_last);
    size_t from = (size_t)limits.from;
    size_t to = (size_t)limits.to;
    if (from < state->searched) {
        from = state->searched;
    }

    size_t cut = from < to ? buzhash_find(&state->hash, data, from, to) : to;
    if (cut < to) {
        state->searched = 0;
        return cut;
    }
    if (limits.is_end_known) {
        state->searched = 0;
        return (size_t)limits.end;
    }
    state->searched = to;
    return 0;
}

const struct chunker chunker_buzhash = {
    .name = "buzhash",
    .notation = "buzhash,MIN,MAX,MASK,WINDOW",
    .numbers_min = 4,
    .numbers_max = 4,
    .from_numbers = from_numbers,
    .to_numbers = to_numbers,
    .check = check,
    .max_bytes = max_bytes,
    .state_bytes = sizeof(struct state),
    .init = init,
    .start = start,
    .next = next,
};
