/* SPDX-License-Identifier: BSD-2-Clause */
/* Level lists: a small grammar, read item by item; see level.h for it. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "codec/codec.h"

/* A level beyond this is out of every codec's range; longer numbers are read as this. */
enum { FAR_OUT = 1000000000, NUMBER_DIGITS_MAX = 9 };

/* Part of the text; not terminated. */
struct span {
    const char *at;
    size_t length;
};

static bool has_levels(const struct codec *codec)
{
    return codec->level_lowest() < codec->level_highest();
}

const char *cadv_level_name(struct cadv_level level, char *name)
{
    const struct codec *codec = codec_get(level.codec);
    if (has_levels(codec)) {
        (void)snprintf(name, CADV_LEVEL_NAME_MAX, "%s,%d", codec->name, level.level);
    } else {
        (void)snprintf(name, CADV_LEVEL_NAME_MAX, "%s", codec->name);
    }
    return name;
}

/* Table order: codec, then fastest to strongest, which is the order of the numbers. */
static bool is_before(struct cadv_level a, struct cadv_level b)
{
    return a.codec != b.codec ? a.codec < b.codec : a.level < b.level;
}

static bool is_same(struct cadv_level a, struct cadv_level b)
{
    return a.codec == b.codec && a.level == b.level;
}

bool cadv_levels_contain(const struct cadv_level_list *list, struct cadv_level level)
{
    for (size_t i = 0; i < list->count; i++) {
        if (is_same(list->items[i], level)) {
            return true;
        }
    }
    return false;
}

static void insert(struct cadv_level_list *list, struct cadv_level level)
{
    if (cadv_levels_contain(list, level)) {
        return;
    }
    CADV_ASSERT(list->count < CADV_LEVELS_MAX);
    size_t at = list->count++;
    for (; at > 0 && is_before(level, list->items[at - 1]); at--) {
        list->items[at] = list->items[at - 1];
    }
    list->items[at] = level;
}

/* Takes one number, "-" allowed before it, off the front of `rest`. */
static bool take_number(struct span *rest, int *number)
{
    size_t at = rest->length > 0 && rest->at[0] == '-' ? 1 : 0;
    bool is_negative = at == 1;
    size_t digits = 0;
    int value = 0;
    for (; at < rest->length && rest->at[at] >= '0' && rest->at[at] <= '9'; at++) {
        digits++;
        value = digits <= NUMBER_DIGITS_MAX ? value * 10 + (rest->at[at] - '0') : FAR_OUT;
    }
    if (digits == 0) {
        return false;
    }
    *number = is_negative ? -value : value;
    rest->at += at;
    rest->length -= at;
    return true;
}

/* Reads "N" or "A-B", which must be all of `text`. */
static bool read_range(struct span text, int *first, int *last)
{
    if (!take_number(&text, first)) {
        return false;
    }
    *last = *first;
    if (text.length == 0) {
        return true;
    }
    if (text.at[0] != '-') {
        return false;
    }
    text.at++;
    text.length--;
    return take_number(&text, last) && text.length == 0;
}

/* "-128 to -1 and 1 to 22": every codec with negative levels leaves out 0. */
static const char *range_text(const struct codec *codec, char *text, size_t text_bytes)
{
    int lowest = codec->level_lowest();
    int highest = codec->level_highest();
    if (lowest < 0) {
        (void)snprintf(text, text_bytes, "%d to -1 and 1 to %d", lowest, highest);
    } else {
        (void)snprintf(text, text_bytes, "%d to %d", lowest, highest);
    }
    return text;
}

static enum cadv_status check_level(const struct codec *codec, int level,
                                    struct cadv_error *err)
{
    int lowest = codec->level_lowest();
    char valid[64];
    if (lowest < 0 && level == 0) {
        return error_set(err, CADV_ERR_USAGE, "%s has no level 0; valid are %s", codec->name,
                         range_text(codec, valid, sizeof valid));
    }
    if (level >= FAR_OUT || level <= -FAR_OUT) {
        return error_set(err, CADV_ERR_USAGE, "%s level is out of range; valid are %s",
                         codec->name, range_text(codec, valid, sizeof valid));
    }
    if (level < lowest || level > codec->level_highest()) {
        return error_set(err, CADV_ERR_USAGE, "%s level %d is out of range; valid are %s",
                         codec->name, level, range_text(codec, valid, sizeof valid));
    }
    return CADV_OK;
}

/* Adds what stands after "NAME:". */
static enum cadv_status add_range(struct cadv_level_list *list, enum cadv_codec id,
                                  struct span text, struct cadv_error *err)
{
    const struct codec *codec = codec_get(id);
    int first = 0;
    int last = 0;
    char valid[64];
    if (!has_levels(codec)) {
        return error_set(err, CADV_ERR_USAGE, "%s has no levels; write just %s", codec->name,
                         codec->name);
    }
    if (!read_range(text, &first, &last)) {
        return error_set(err, CADV_ERR_USAGE,
                         "'%s:%.*s' is not a level or a range such as %s:1-9; valid are %s",
                         codec->name, text.length > 40 ? 40 : (int)text.length, text.at,
                         codec->name, range_text(codec, valid, sizeof valid));
    }

    enum cadv_status status = check_level(codec, first, err);
    if (status == CADV_OK) {
        status = check_level(codec, last, err);
    }
    if (status != CADV_OK) {
        return status;
    }
    if (first > last) {
        return error_set(err, CADV_ERR_USAGE, "%s levels %d to %d are reversed; write %s:%d-%d",
                         codec->name, first, last, codec->name, last, first);
    }

    for (int level = first; level <= last; level++) {
        if (level != 0) {
            insert(list, (struct cadv_level){.codec = id, .level = level});
        }
    }
    return CADV_OK;
}

static enum cadv_status unknown_codec(struct span name, struct cadv_error *err)
{
    char known[128] = "";
    size_t used = 0;
    for (unsigned id = 0; id < CADV_CODEC_COUNT; id++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", id > 0 ? ", " : "",
                                 codec_get((enum cadv_codec)id)->name);
    }
    if (name.length == 0) {
        return error_set(err, CADV_ERR_USAGE,
                         "the list of levels has an empty item; known codecs are %s", known);
    }

    /* Borg's own spelling of a level has a comma, which separates items here. */
    bool is_number = name.at[0] == '-' || (name.at[0] >= '0' && name.at[0] <= '9');
    return error_set(err, CADV_ERR_USAGE, "unknown codec '%.*s'; known are %s%s",
                     name.length > 40 ? 40 : (int)name.length, name.at, known,
                     is_number ? " (levels are written zstd:3, not zstd,3)" : "");
}

static enum cadv_status add_item(struct cadv_level_list *list, struct span item,
                                 struct cadv_error *err)
{
    const char *colon = memchr(item.at, ':', item.length);
    struct span name = {item.at, colon != NULL ? (size_t)(colon - item.at) : item.length};
    for (unsigned id = 0; id < CADV_CODEC_COUNT; id++) {
        const struct codec *codec = codec_get((enum cadv_codec)id);
        if (strlen(codec->name) != name.length ||
            memcmp(codec->name, name.at, name.length) != 0) {
            continue;
        }
        if (colon != NULL) {
            struct span range = {colon + 1, item.length - name.length - 1};
            return add_range(list, (enum cadv_codec)id, range, err);
        }
        insert(list, (struct cadv_level){(enum cadv_codec)id, codec->level_default});
        return CADV_OK;
    }
    return unknown_codec(name, err);
}

enum cadv_status cadv_levels_add(struct cadv_level_list *list, const char *text,
                                 struct cadv_error *err)
{
    struct cadv_level_list grown = *list;
    for (;;) {
        struct span item = {text, strcspn(text, ",")};
        enum cadv_status status = add_item(&grown, item, err);
        if (status != CADV_OK) {
            return status;
        }
        if (text[item.length] == '\0') {
            break;
        }
        text += item.length + 1;
    }
    *list = grown;
    return CADV_OK;
}
