/* SPDX-License-Identifier: BSD-2-Clause */
/* Level lists: a small grammar, read item by item; see level.h for it. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "codec/codec.h"

/* A level beyond this is out of every codec's range; longer numbers are read as this. */
enum { FAR_OUT = 1000000000, NUMBER_DIGITS_MAX = 9 };

/* How much of a bad item a message repeats. */
enum { QUOTED_MAX = 40 };

/* What Borg calls the specs of its obfuscation. */
enum { RELATIVE_LOWEST = 1, RELATIVE_HIGHEST = 6, PADDED_LOWEST = 110, PADDED_HIGHEST = 123 };
enum { PADME = 250 };

/* Part of the text; not terminated. */
struct span {
    const char *at;
    size_t length;
};

/* What has been read, and the prefixes that wait for a codec. */
struct reading {
    struct cadv_level_list *list;
    struct cadv_level prefix;
};

static int quoted(struct span text)
{
    return text.length > QUOTED_MAX ? QUOTED_MAX : (int)text.length;
}

static bool is_word(struct span text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
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

static enum cadv_status add_level(struct reading *reading, struct cadv_level level,
                                  struct cadv_error *err)
{
    level.is_auto = reading->prefix.is_auto;
    level.obfuscate = reading->prefix.obfuscate;
    if (cadv_levels_contain(reading->list, level) ||
        (reading->list->count < CADV_LEVELS_ASKED_MAX &&
         cadv_levels_insert(reading->list, level))) {
        return CADV_OK;
    }
    return error_set(err, CADV_ERR_USAGE,
                     "more than %d levels; ask for fewer at once, such as every third",
                     CADV_LEVELS_ASKED_MAX);
}

/* Adds what stands after "NAME:". */
static enum cadv_status add_range(struct reading *reading, enum cadv_codec id, struct span text,
                                  struct cadv_error *err)
{
    const struct codec *codec = codec_get(id);
    int first = 0;
    int last = 0;
    char valid[64];
    if (!codec_has_levels(codec)) {
        return error_set(err, CADV_ERR_USAGE, "%s has no levels; write just %s", codec->name,
                         codec->name);
    }
    if (!read_range(text, &first, &last)) {
        return error_set(err, CADV_ERR_USAGE,
                         "'%s:%.*s' is not a level or a range such as %s:1-9; valid are %s",
                         codec->name, quoted(text), text.at, codec->name,
                         range_text(codec, valid, sizeof valid));
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

    for (int level = first; level <= last && status == CADV_OK; level++) {
        if (level != 0 || codec->level_lowest() == 0) {
            status = add_level(reading, (struct cadv_level){.codec = id, .level = level}, err);
        }
    }
    return status;
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
    return error_set(err, CADV_ERR_USAGE, "unknown codec '%.*s'; known are %s%s", quoted(name),
                     name.at, known,
                     is_number ? " (levels are written zstd:3, not zstd,3)" : "");
}

/* NAME or NAME:RANGE; takes the prefixes before it. */
static enum cadv_status read_codec(struct reading *reading, struct span name,
                                   const struct span *range, struct cadv_error *err)
{
    unsigned id = 0;
    while (id < CADV_CODEC_COUNT && !is_word(name, codec_get((enum cadv_codec)id)->name)) {
        id++;
    }
    if (id == CADV_CODEC_COUNT) {
        return unknown_codec(name, err);
    }
    if (id == CADV_CODEC_NONE && reading->prefix.is_auto) {
        return error_set(err, CADV_ERR_USAGE,
                         "auto chooses between lz4 and another codec, so none cannot follow "
                         "it; write auto,zstd:3");
    }

    const struct codec *codec = codec_get((enum cadv_codec)id);
    struct cadv_level level = {.codec = (enum cadv_codec)id, .level = codec->level_default};
    enum cadv_status status = range != NULL
                                  ? add_range(reading, (enum cadv_codec)id, *range, err)
                                  : add_level(reading, level, err);
    reading->prefix = (struct cadv_level){.codec = CADV_CODEC_NONE};
    return status;
}

static enum cadv_status read_auto(struct reading *reading, const struct span *range,
                                  struct cadv_error *err)
{
    if (range != NULL) {
        return error_set(err, CADV_ERR_USAGE,
                         "auto has no levels of its own; write auto,zstd:3");
    }
    if (reading->prefix.is_auto) {
        return error_set(err, CADV_ERR_USAGE,
                         "auto stands twice before one codec; write auto,zstd:3");
    }
    reading->prefix.is_auto = true;
    return CADV_OK;
}

static bool is_obfuscation(int spec)
{
    return (spec >= RELATIVE_LOWEST && spec <= RELATIVE_HIGHEST) ||
           (spec >= PADDED_LOWEST && spec <= PADDED_HIGHEST);
}

static enum cadv_status read_obfuscate(struct reading *reading, const struct span *text,
                                       struct cadv_error *err)
{
    struct span rest = text != NULL ? *text : (struct span){"", 0};
    int spec = 0;
    if (reading->prefix.is_auto) {
        return error_set(err, CADV_ERR_USAGE,
                         "obfuscate stands before auto; write obfuscate:110,auto,zstd:3");
    }
    if (reading->prefix.obfuscate != 0) {
        return error_set(err, CADV_ERR_USAGE,
                         "obfuscate stands twice before one codec; write obfuscate:110,zstd:3");
    }
    bool is_number = take_number(&rest, &spec) && rest.length == 0;
    if (is_number && spec == PADME) {
        return error_set(err, CADV_ERR_USAGE,
                         "obfuscate:%d (Padme) is not in every Borg 1.x and not projected; "
                         "valid are 1 to 6 and 110 to 123",
                         PADME);
    }
    if (!is_number || !is_obfuscation(spec)) {
        return error_set(err, CADV_ERR_USAGE,
                         "obfuscate takes a number from 1 to 6 or 110 to 123; write "
                         "obfuscate:110,zstd:3");
    }
    reading->prefix.obfuscate = spec;
    return CADV_OK;
}

static enum cadv_status read_item(struct reading *reading, struct span item,
                                  struct cadv_error *err)
{
    const char *colon = memchr(item.at, ':', item.length);
    struct span name = {item.at, colon != NULL ? (size_t)(colon - item.at) : item.length};
    struct span after = {NULL, 0};
    const struct span *range = NULL;
    if (colon != NULL) {
        after = (struct span){colon + 1, item.length - name.length - 1};
        range = &after;
    }
    if (is_word(name, "auto")) {
        return read_auto(reading, range, err);
    }
    if (is_word(name, "obfuscate")) {
        return read_obfuscate(reading, range, err);
    }
    return read_codec(reading, name, range, err);
}

enum cadv_status cadv_levels_add(struct cadv_level_list *list, const char *text,
                                 struct cadv_error *err)
{
    struct cadv_level_list grown = *list;
    struct reading reading = {.list = &grown};
    for (;;) {
        struct span item = {text, strcspn(text, ",")};
        enum cadv_status status = read_item(&reading, item, err);
        if (status != CADV_OK) {
            return status;
        }
        if (text[item.length] == '\0') {
            break;
        }
        text += item.length + 1;
    }
    if (reading.prefix.is_auto || reading.prefix.obfuscate != 0) {
        return error_set(err, CADV_ERR_USAGE, "%s needs a codec after it; write %s,zstd:3",
                         reading.prefix.is_auto ? "auto" : "obfuscate",
                         reading.prefix.is_auto ? "auto" : "obfuscate:110");
    }
    *list = grown;
    return CADV_OK;
}
