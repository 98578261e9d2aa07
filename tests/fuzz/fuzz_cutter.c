/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cutters against the definition of where Borg cuts, written down once more in the plainest
 * way: every window is hashed from its first byte. Parameters come from the head of the input.
 */
#include <string.h>

#include "chunk/buzhash.h"
#include "fuzz_target.h"

enum { HEAD_BYTES = 10, FILE_MAX = 8192 };

static uint32_t naive_hash(const struct cadv_chunker_params *params, const uint8_t *window)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < params->window_bytes; i++) {
        uint32_t entry = buzhash_base_table[window[i]] ^ params->seed;
        uint32_t turns = (params->window_bytes - 1 - i) % 32;
        sum ^= turns == 0 ? entry : (entry << turns) | (entry >> (32 - turns));
    }
    return sum;
}

static size_t naive_buzhash(const struct cadv_chunker_params *params, const uint8_t *data,
                            size_t rest)
{
    size_t window = params->window_bytes;
    size_t shortest = (size_t)1 << params->min_exp;
    size_t longest = (size_t)1 << params->max_exp;
    if (rest <= shortest + window) {
        return rest;
    }
    size_t limit = rest < longest ? rest : longest;
    for (size_t p = shortest; p + window < limit; p++) {
        if (naive_hash(params, data + p) % (1U << params->mask_bits) == 0) {
            return p;
        }
    }
    return limit;
}

/* Borders lie at the header's end, and at whole blocks from 0 and from the header's end on. */
static size_t naive_fixed(const struct cadv_chunker_params *params, size_t start, size_t rest)
{
    size_t border = params->block_bytes;
    if (start < params->header_bytes && params->header_bytes - start < border) {
        border = params->header_bytes - start;
    }
    return border < rest ? border : rest;
}

/* Any head makes parameters that are accepted. */
static struct cadv_chunker_params params_of(const uint8_t *head)
{
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_FIXED};
    if (head[0] % 4 == 0) {
        params.block_bytes = 64 + head[1];
        params.header_bytes = (uint32_t)head[2] * (head[3] % 4);
        return params;
    }
    params.kind = CADV_CHUNKER_BUZHASH;
    params.min_exp = 6 + head[1] % 3;
    params.max_exp = params.min_exp + 1 + head[2] % 3;
    params.mask_bits = params.min_exp + head[3] % (params.max_exp - params.min_exp + 1);
    uint32_t room = (1U << params.max_exp) - (1U << params.min_exp) - 1;
    params.window_bytes = 1 + head[4] % (room < 64 ? room : 64);
    memcpy(&params.seed, head + 5, sizeof params.seed);
    return params;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    if (data_bytes < HEAD_BYTES || data_bytes > HEAD_BYTES + FILE_MAX) {
        return 0;
    }
    struct cadv_chunker_params params = params_of(data);
    size_t portion = 1 + (size_t)data[9] * 7;
    data += HEAD_BYTES;
    data_bytes -= HEAD_BYTES;

    struct cadv_cutter *cutter = cadv_cutter_new(&params);
    FUZZ_CHECK(cutter != NULL);
    cadv_cutter_start(cutter);
    size_t have = 0;
    for (size_t start = 0; start < data_bytes;) {
        size_t length =
            cadv_cutter_next(cutter, data + start, have - start, have == data_bytes);
        if (length == 0) {
            FUZZ_CHECK(have < data_bytes);
            FUZZ_CHECK(have - start < cadv_cutter_max_bytes(cutter));
            have = portion < data_bytes - have ? have + portion : data_bytes;
            continue;
        }
        size_t rest = data_bytes - start;
        FUZZ_CHECK(length == (params.kind == CADV_CHUNKER_FIXED
                                  ? naive_fixed(&params, start, rest)
                                  : naive_buzhash(&params, data + start, rest)));
        FUZZ_CHECK(length <= cadv_cutter_max_bytes(cutter));
        start += length;
    }
    cadv_cutter_free(cutter);
    return 0;
}
