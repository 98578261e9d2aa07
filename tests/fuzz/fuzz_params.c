/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any text as chunker parameters: refused with a message, or parameters a cutter can be made of
 * and that read the same when written down again.
 */
#include <string.h>

#include "compadvise/chunker.h"
#include "fuzz_target.h"

static void check_params(const struct cadv_chunker_params *params)
{
    char text[CADV_CHUNKER_TEXT_MAX];
    struct cadv_chunker_params again;
    FUZZ_CHECK(cadv_chunker_parse(cadv_chunker_format(params, text), &again, NULL) == CADV_OK);
    FUZZ_CHECK(again.kind == params->kind && again.min_exp == params->min_exp &&
               again.max_exp == params->max_exp && again.mask_bits == params->mask_bits &&
               again.window_bytes == params->window_bytes && again.seed == params->seed &&
               again.block_bytes == params->block_bytes &&
               again.header_bytes == params->header_bytes);

    struct cadv_cutter *cutter = cadv_cutter_new(params);
    FUZZ_CHECK(cutter != NULL);
    FUZZ_CHECK(cadv_cutter_max_bytes(cutter) >= 64);
    cadv_cutter_free(cutter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    struct cadv_chunker_params params;
    struct cadv_error err = {0};
    char *text = malloc(data_bytes + 1);
    FUZZ_CHECK(text != NULL);
    if (data_bytes > 0) {
        memcpy(text, data, data_bytes);
    }
    text[data_bytes] = '\0';

    if (cadv_chunker_parse(text, &params, &err) == CADV_OK) {
        check_params(&params);
    } else {
        FUZZ_CHECK(err.status == CADV_ERR_USAGE && err.message[0] != '\0');
        FUZZ_CHECK(strchr(err.message, '\n') == NULL);
    }
    free(text);
    return 0;
}
