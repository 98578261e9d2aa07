/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any text as a list of levels: either refused with a message and nothing changed, or a sorted
 * list of valid levels that reads the same when written down again.
 */
#include <string.h>

#include "compadvise/level.h"
#include "fuzz_target.h"

static void check_list(const struct cadv_level_list *list)
{
    FUZZ_CHECK(list->count > 0 && list->count <= CADV_LEVELS_MAX);
    for (size_t i = 0; i < list->count; i++) {
        struct cadv_level level = list->items[i];
        int lowest = 0;
        int highest = 0;
        cadv_codec_range(level.codec, &lowest, &highest);
        FUZZ_CHECK(level.level >= lowest && level.level <= highest);
        FUZZ_CHECK(level.level != 0 || lowest == 0);
        FUZZ_CHECK(!level.is_auto || level.codec != CADV_CODEC_NONE);
        FUZZ_CHECK(cadv_levels_contain(list, level));
        if (i > 0) {
            FUZZ_CHECK(cadv_level_compare(list->items[i - 1], level) < 0);
        }
    }
}

static void check_reads_the_same(const struct cadv_level_list *list)
{
    struct cadv_level_list again = {.count = 0};
    for (size_t i = list->count; i-- > 0;) {
        char name[CADV_LEVEL_NAME_MAX];
        (void)cadv_level_name(list->items[i], name);
        /* A number belongs to the word before it. */
        for (char *at = name; *at != '\0'; at++) {
            if (*at == ',' && (at[1] == '-' || (at[1] >= '0' && at[1] <= '9'))) {
                *at = ':';
            }
        }
        FUZZ_CHECK(cadv_levels_add(&again, name, NULL) == CADV_OK);
    }
    FUZZ_CHECK(again.count == list->count);
    for (size_t i = 0; i < list->count; i++) {
        FUZZ_CHECK(cadv_levels_contain(&again, list->items[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    struct cadv_level_list list = {.count = 0};
    struct cadv_error err = {0};
    char *text = malloc(data_bytes + 1);
    FUZZ_CHECK(text != NULL);
    if (data_bytes > 0) {
        memcpy(text, data, data_bytes);
    }
    text[data_bytes] = '\0';

    if (cadv_levels_add(&list, text, &err) == CADV_OK) {
        check_list(&list);
        check_reads_the_same(&list);
    } else {
        FUZZ_CHECK(list.count == 0);
        FUZZ_CHECK(err.status == CADV_ERR_USAGE && err.message[0] != '\0');
        FUZZ_CHECK(strchr(err.message, '\n') == NULL);
    }
    free(text);
    return 0;
}
