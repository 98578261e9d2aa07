/* SPDX-License-Identifier: BSD-2-Clause */
/* The chunker table, and chunker parameters in Borg's notation. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "chunk/chunk.h"

static const struct chunker *const chunkers[CADV_CHUNKER_COUNT] = {
    [CADV_CHUNKER_BUZHASH] = &chunker_buzhash,
    [CADV_CHUNKER_FIXED] = &chunker_fixed,
};

const struct chunker *chunker_get(enum cadv_chunker kind)
{
    CADV_ASSERT((unsigned)kind < CADV_CHUNKER_COUNT);
    return chunkers[kind];
}

enum cadv_status chunker_check(const struct cadv_chunker_params *params, struct cadv_error *err)
{
    if ((unsigned)params->kind >= CADV_CHUNKER_COUNT) {
        return error_set(err, CADV_ERR_USAGE, "chunker: there is no chunker number %u",
                         (unsigned)params->kind);
    }
    return chunkers[params->kind]->check(params, err);
}

struct cadv_chunker_params cadv_chunker_default(void)
{
    struct cadv_chunker_params params = {
        .kind = CADV_CHUNKER_BUZHASH,
        .min_exp = 19,
        .max_exp = 23,
        .mask_bits = 21,
        .window_bytes = 4095,
    };
    return params;
}

static enum cadv_status not_understood(const char *text, struct cadv_error *err)
{
    return error_set(err, CADV_ERR_USAGE,
                     "chunker parameters '%.60s' are not understood; write %s, %s or default",
                     text, chunker_buzhash.notation, chunker_fixed.notation);
}

/* Reads "N,N,..." up to the end of `text`; the count, or 0 for anything else. */
static size_t read_numbers(const char *text, uint32_t *numbers)
{
    size_t count = 0;
    for (;;) {
        uint64_t value = 0;
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 10 || count == CHUNKER_NUMBERS_MAX) {
            return 0;
        }
        for (size_t i = 0; i < digits; i++) {
            value = value * 10 + (uint64_t)(text[i] - '0');
        }
        /* Far beyond every limit, so that the message about the limit is the one shown. */
        numbers[count++] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
        if (text[digits] == '\0') {
            return count;
        }
        if (text[digits] != ',') {
            return 0;
        }
        text += digits + 1;
    }
}

/* The chunker `text` names, and where its numbers begin; Borg ignores the case of names. */
static enum cadv_chunker read_name(const char *text, const char **numbers)
{
    size_t length = strcspn(text, ",");
    for (unsigned kind = 0; kind < CADV_CHUNKER_COUNT; kind++) {
        const char *name = chunkers[kind]->name;
        if (strlen(name) == length && strncasecmp(name, text, length) == 0 &&
            text[length] == ',') {
            *numbers = text + length + 1;
            return (enum cadv_chunker)kind;
        }
    }
    /* Numbers alone are from the time when buzhash was the only one. */
    *numbers = text;
    return CADV_CHUNKER_BUZHASH;
}

enum cadv_status cadv_chunker_parse(const char *text, struct cadv_chunker_params *params,
                                    struct cadv_error *err)
{
    if (strcasecmp(text, "default") == 0) {
        *params = cadv_chunker_default();
        return CADV_OK;
    }

    const char *rest = NULL;
    uint32_t numbers[CHUNKER_NUMBERS_MAX] = {0};
    struct cadv_chunker_params parsed = {.kind = read_name(text, &rest)};
    const struct chunker *chunker = chunkers[parsed.kind];
    size_t count = read_numbers(rest, numbers);
    if (count < chunker->numbers_min || count > chunker->numbers_max) {
        return not_understood(text, err);
    }
    chunker->from_numbers(numbers, &parsed);

    enum cadv_status status = chunker->check(&parsed, err);
    if (status == CADV_OK) {
        *params = parsed;
    }
    return status;
}

const char *cadv_chunker_format(const struct cadv_chunker_params *params, char *text)
{
    const struct chunker *chunker = chunker_get(params->kind);
    uint32_t numbers[CHUNKER_NUMBERS_MAX];
    size_t count = chunker->to_numbers(params, numbers);
    size_t used = (size_t)snprintf(text, CADV_CHUNKER_TEXT_MAX, "%s", chunker->name);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, CADV_CHUNKER_TEXT_MAX - used, ",%lu",
                                 (unsigned long)numbers[i]);
    }
    return text;
}
