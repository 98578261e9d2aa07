/* SPDX-License-Identifier: BSD-2-Clause */
/* One level, and sorted lists of them. How lists are read is in level_list.c. */
#include <stdio.h>

#include "base/error.h"
#include "codec/codec.h"

bool codec_has_levels(const struct codec *codec)
{
    return codec->level_lowest() < codec->level_highest();
}

const char *cadv_level_name(struct cadv_level level, char *name)
{
    const struct codec *codec = codec_get(level.codec);
    char obfuscate[24] = "";
    char number[16] = "";
    if (level.obfuscate != 0) {
        (void)snprintf(obfuscate, sizeof obfuscate, "obfuscate,%d,", level.obfuscate);
    }
    if (codec_has_levels(codec)) {
        (void)snprintf(number, sizeof number, ",%d", level.level);
    }
    (void)snprintf(name, CADV_LEVEL_NAME_MAX, "%s%s%s%s", obfuscate,
                   level.is_auto ? "auto," : "", codec->name, number);
    return name;
}

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

int cadv_level_compare(struct cadv_level a, struct cadv_level b)
{
    int order = compare(a.obfuscate, b.obfuscate);
    order = order != 0 ? order : compare(a.is_auto, b.is_auto);
    order = order != 0 ? order : compare((int)a.codec, (int)b.codec);
    return order != 0 ? order : compare(a.level, b.level);
}

struct cadv_level cadv_level_plain(struct cadv_level level)
{
    return (struct cadv_level){.codec = level.codec, .level = level.level};
}

bool cadv_levels_contain(const struct cadv_level_list *list, struct cadv_level level)
{
    for (size_t i = 0; i < list->count; i++) {
        if (cadv_level_compare(list->items[i], level) == 0) {
            return true;
        }
    }
    return false;
}

bool cadv_levels_insert(struct cadv_level_list *list, struct cadv_level level)
{
    if (cadv_levels_contain(list, level)) {
        return true;
    }
    if (list->count >= CADV_LEVELS_MAX) {
        return false;
    }
    size_t at = list->count++;
    for (; at > 0 && cadv_level_compare(level, list->items[at - 1]) < 0; at--) {
        list->items[at] = list->items[at - 1];
    }
    list->items[at] = level;
    return true;
}
