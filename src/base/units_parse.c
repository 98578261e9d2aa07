/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units_parse.c - sizes and rates as users write them. Digits are read by hand: strtod() would
 * take "nan", "inf", hexadecimal, and another decimal point in another locale.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

/* A number and how many bytes one of it is. */
struct quantity {
    /** Whole part, and the fraction in [0,1). */
    uint64_t whole;
    long double fraction;
    uint64_t scale;
    /** What follows the prefix: the unit's name as the user wrote it. */
    const char *unit;
};

/* True when `text` starts with a decimal number that fits; moves past it. */
static bool read_number(const char **text, struct quantity *out)
{
    const char *at = *text;
    size_t digit_count = 0;
    out->whole = 0;
    out->fraction = 0;
    for (; *at >= '0' && *at <= '9'; at++, digit_count++) {
        if (__builtin_mul_overflow(out->whole, 10U, &out->whole) ||
            __builtin_add_overflow(out->whole, (uint64_t)(*at - '0'), &out->whole)) {
            return false;
        }
    }
    if (*at == '.') {
        long double place = 0.1L;
        for (at++; *at >= '0' && *at <= '9'; at++, digit_count++) {
            out->fraction += place * (long double)(*at - '0');
            place /= 10;
        }
    }
    *text = at;
    return digit_count > 0;
}

static void read_prefix(const char **text, struct quantity *out)
{
    static const char letters[] = "kmgtpe";
    const char *at = *text;
    out->scale = 1;
    const char *found = *at != '\0' ? strchr(letters, *at | 0x20) : NULL;
    if (found != NULL) {
        bool is_binary = at[1] == 'i' || at[1] == 'I';
        for (const char *letter = letters; letter <= found; letter++) {
            out->scale *= is_binary ? 1024 : 1000;
        }
        at += is_binary ? 2 : 1;
    }
    *text = at;
}

static bool read_quantity(const char *text, struct quantity *out)
{
    if (!read_number(&text, out)) {
        return false;
    }
    if (*text == ' ') {
        text++;
    }
    read_prefix(&text, out);
    out->unit = text;
    return true;
}

enum cadv_status cadv_bytes_parse(const char *text, uint64_t *bytes, struct cadv_error *err)
{
    struct quantity q;
    if (!read_quantity(text, &q) || (*q.unit != '\0' && strcasecmp(q.unit, "b") != 0)) {
        return error_set(err, CADV_ERR_USAGE,
                         "'%.64s' is not a size; write for instance 600M, 1.5GB or 100MiB",
                         text);
    }
    uint64_t total;
    uint64_t part = (uint64_t)(q.fraction * (long double)q.scale + 0.5L);
    if (__builtin_mul_overflow(q.whole, q.scale, &total) ||
        __builtin_add_overflow(total, part, &total) || total > INT64_MAX) {
        return error_set(err, CADV_ERR_USAGE, "'%.64s' is too large: the limit is 9.2 EB",
                         text);
    }
    *bytes = total;
    return CADV_OK;
}

enum cadv_status cadv_rate_parse(const char *text, double *bytes_per_s, struct cadv_error *err)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"", 1},          {"B", 1},           {"B/s", 1},      {"/s", 1},
                 {"bit", 1.0 / 8}, {"bit/s", 1.0 / 8}, {"bps", 1.0 / 8}};
    struct quantity q;
    if (!read_quantity(text, &q)) {
        return error_set(err, CADV_ERR_USAGE,
                         "'%.64s' is not a rate; write for instance 50MB/s or 10Mbit", text);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(q.unit, units[i].unit) == 0) {
            *bytes_per_s =
                (double)((long double)q.whole + q.fraction) * (double)q.scale * units[i].bytes;
            return CADV_OK;
        }
    }
    if (strcmp(q.unit, "b") == 0 || strcmp(q.unit, "b/s") == 0) {
        return error_set(err, CADV_ERR_USAGE,
                         "'%.64s' could be bits or bytes; write for instance 50MB/s or 10Mbit",
                         text);
    }
    return error_set(err, CADV_ERR_USAGE,
                     "'%.64s' is not a rate; write for instance 50MB/s or 10Mbit", text);
}

/* More than any unit. */
#define NO_UNIT_YET 1e9L

/* One "10m"; `below` is the size of the unit before it, which this one's must be under. */
static bool read_duration(const char **text, long double *below, long double *seconds)
{
    static const struct {
        char letter;
        long double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'\0', 1}};
    struct quantity q;
    if (!read_number(text, &q)) {
        return false;
    }
    if (**text == ' ') {
        ++*text;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (**text == units[i].letter) {
            /* A number alone is seconds; behind "1h" it lacks its unit. */
            bool has_unit = **text != '\0' || *below >= NO_UNIT_YET;
            *text += **text != '\0';
            bool is_smaller = has_unit && units[i].seconds < *below;
            *below = units[i].seconds;
            *seconds += ((long double)q.whole + q.fraction) * units[i].seconds;
            return is_smaller;
        }
    }
    return false;
}

enum cadv_status cadv_duration_parse(const char *text, double *seconds, struct cadv_error *err)
{
    const char *at = text;
    long double below = NO_UNIT_YET;
    long double sum = 0;
    do {
        if (!read_duration(&at, &below, &sum)) {
            return error_set(err, CADV_ERR_USAGE,
                             "'%.64s' is not a duration; write for instance 30s, 10m or 1h30m",
                             text);
        }
    } while (*at != '\0');
    if (!(sum > 0)) {
        return error_set(err, CADV_ERR_USAGE, "'%.64s' leaves no time at all", text);
    }
    *seconds = (double)sum;
    return CADV_OK;
}
