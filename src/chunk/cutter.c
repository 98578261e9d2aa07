/* SPDX-License-Identifier: BSD-2-Clause */
/* The public cutter: a row of the chunker table together with its state. */
#include <stdalign.h>
#include <stdlib.h>

#include "chunk/chunk.h"

struct cadv_cutter {
    const struct chunker *chunker;
    size_t max_bytes;
    /* chunker->state_bytes of it. */
    alignas(max_align_t) unsigned char state[];
};

struct cadv_cutter *cadv_cutter_new(const struct cadv_chunker_params *params)
{
    if (chunker_check(params, NULL) != CADV_OK) {
        return NULL;
    }
    const struct chunker *chunker = chunker_get(params->kind);
    struct cadv_cutter *cutter = malloc(sizeof *cutter + chunker->state_bytes);
    if (cutter == NULL) {
        return NULL;
    }
    cutter->chunker = chunker;
    cutter->max_bytes = chunker->max_bytes(params);
    chunker->init(cutter->state, params);
    return cutter;
}

void cadv_cutter_free(struct cadv_cutter *cutter)
{
    free(cutter);
}

size_t cadv_cutter_max_bytes(const struct cadv_cutter *cutter)
{
    return cutter->max_bytes;
}

void cadv_cutter_start(struct cadv_cutter *cutter)
{
    cutter->chunker->start(cutter->state);
}

size_t cadv_cutter_next(struct cadv_cutter *cutter, const uint8_t *data, size_t data_bytes,
                        bool is_last)
{
    if (data_bytes == 0) {
        return 0;
    }
    return cutter->chunker->next(cutter->state, data, data_bytes, is_last);
}
