/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.c - formatting. Sizes are rounded in integers to a power of ten first; the unit and the
 * place of the decimal point follow from the digits, so rounding can never print "1000 kB".
 */
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const size_units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

/* 10^19 is the largest power of ten in 64 bits. */
enum { POWER_MAX = 19 };

static uint64_t power_of_ten(unsigned exponent)
{
    CADV_ASSERT(exponent <= POWER_MAX);
    uint64_t power = 1;
    for (unsigned i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

static unsigned digit_count(uint64_t value)
{
    unsigned count = 1;
    while (value >= 10) {
        value /= 10;
        count++;
    }
    return count;
}

static uint64_t divide_half_up(uint64_t value, uint64_t step)
{
    uint64_t rest = value % step;
    return value / step + (rest >= step - rest ? 1 : 0);
}

static uint64_t divide_up(uint64_t value, uint64_t step)
{
    return value / step + (value % step != 0 ? 1 : 0);
}

/* The smallest exponent at which `bytes`, rounded, has at most `digits` digits. */
static unsigned rounding_exponent(uint64_t bytes, unsigned digits)
{
    unsigned exponent = 0;
    while (exponent < POWER_MAX &&
           digit_count(divide_half_up(bytes, power_of_ten(exponent))) > digits) {
        exponent++;
    }
    return exponent;
}

/* Which unit shows `quanta` times 10^exponent with one to three digits before the point. */
static unsigned unit_index(uint64_t quanta, unsigned exponent)
{
    return (digit_count(quanta) + exponent - 1) / 3;
}

/* Writes `quanta` times 10^exponent in the unit 1000^index, all its digits. */
static void write_number(uint64_t quanta, unsigned exponent, unsigned index, char *text)
{
    unsigned unit_exponent = 3 * index;
    if (exponent >= unit_exponent) {
        uint64_t factor = power_of_ten(exponent - unit_exponent);
        (void)snprintf(text, UNITS_TEXT_MAX, "%llu", (unsigned long long)(quanta * factor));
        return;
    }
    unsigned decimals = unit_exponent - exponent;
    uint64_t point = power_of_ten(decimals);
    (void)snprintf(text, UNITS_TEXT_MAX, "%llu.%0*llu", (unsigned long long)(quanta / point),
                   (int)decimals, (unsigned long long)(quanta % point));
}

const char *units_format_bytes(uint64_t bytes, unsigned digits, char *text)
{
    CADV_ASSERT(digits >= 3 && digits <= 15);
    unsigned exponent = rounding_exponent(bytes, digits);
    uint64_t quanta = divide_half_up(bytes, power_of_ten(exponent));
    unsigned index = unit_index(quanta, exponent);
    write_number(quanta, exponent, index, text);
    size_t used = strlen(text);
    (void)snprintf(text + used, UNITS_TEXT_MAX - used, " %s", size_units[index]);
    return text;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* How many steps of 10^exponent around the rounded estimate it takes to cover [lo, hi]. */
static uint64_t covering_quanta(uint64_t quanta, uint64_t lo, uint64_t hi, uint64_t step)
{
    uint64_t below = lo / step;
    uint64_t above = divide_up(hi, step);
    return larger(quanta > below ? quanta - below : 0, above > quanta ? above - quanta : 0);
}

void units_split_interval(uint64_t est, uint64_t lo, uint64_t hi, unsigned digits,
                          struct units_interval *out)
{
    CADV_ASSERT(digits >= 3 && digits < 15 && lo <= est && est <= hi);
    bool has_margin = lo != hi;
    unsigned exponent = rounding_exponent(est, has_margin ? digits : digits + 1);
    uint64_t quanta;
    uint64_t margin = 0;
    out->margin[0] = '\0';
    if (has_margin) {
        unsigned coarse = digit_count(larger(distance(hi, est), distance(est, lo))) - 1;
        exponent = exponent > coarse ? exponent : coarse;
        uint64_t step = power_of_ten(exponent);
        quanta = divide_half_up(est, step);
        margin = covering_quanta(quanta, lo, hi, step);
    } else {
        quanta = divide_half_up(est, power_of_ten(exponent));
    }

    unsigned index = unit_index(larger(quanta, margin), exponent);
    write_number(quanta, exponent, index, out->value);
    if (has_margin) {
        write_number(margin, exponent, index, out->margin);
    }
    out->unit = size_units[index];
}

/* A duration of a minute or more as one or two whole numbers. */
struct two_units {
    unsigned long long first;
    unsigned long long second;
    /** Index into duration_units of the first; the second is the next finer one. */
    unsigned unit;
    bool has_second;
};

static const struct {
    const char *name;
    const char *letter;
} duration_units[] = {{" y", "y"}, {" d", "d"}, {" h", "h"}, {" min", "m"}, {" s", "s"}};
enum { YEARS = 0, DAYS, HOURS, MINUTES };

/*
 * The second unit is dropped where it would be noise: seconds from ten minutes on, hours from
 * ten days on; in tables minutes from ten hours on.
 */
static struct two_units split_seconds(unsigned long long seconds, bool is_compact)
{
    if (seconds < 600) {
        return (struct two_units){seconds / 60, seconds % 60, MINUTES, true};
    }
    unsigned long long minutes = (seconds + 30) / 60;
    if (minutes < 60) {
        return (struct two_units){minutes, 0, MINUTES, false};
    }
    if (minutes < 600 || (minutes < 2880 && !is_compact)) {
        return (struct two_units){minutes / 60, minutes % 60, HOURS, true};
    }
    unsigned long long hours = (seconds + 1800) / 3600;
    if (hours < 48) {
        return (struct two_units){hours, 0, HOURS, false};
    }
    if (hours < 240) {
        return (struct two_units){hours / 24, hours % 24, DAYS, true};
    }
    unsigned long long days = (hours + 12) / 24;
    if (days < 1000) {
        return (struct two_units){days, 0, DAYS, false};
    }
    return (struct two_units){(days + 182) / 365, 0, YEARS, false};
}

const char *cadv_seconds_format(double seconds, bool is_compact, char *text)
{
    if (!isfinite(seconds) || seconds < 0 || seconds > 1e15) {
        (void)snprintf(text, UNITS_TEXT_MAX, "%s", is_compact ? "-" : "unknown");
        return text;
    }
    const char *gap = is_compact ? "" : " ";
    unsigned long long whole = (unsigned long long)(seconds + 0.5);
    if (seconds > 0 && seconds < 0.1) {
        (void)snprintf(text, UNITS_TEXT_MAX, "<0.1%ss", gap);
    } else if (seconds > 0 && seconds < 9.95) {
        unsigned tenths = (unsigned)(seconds * 10 + 0.5);
        (void)snprintf(text, UNITS_TEXT_MAX, "%u.%u%ss", tenths / 10, tenths % 10, gap);
    } else if (whole < 60) {
        (void)snprintf(text, UNITS_TEXT_MAX, "%llu%ss", whole, gap);
    } else {
        struct two_units t = split_seconds(whole, is_compact);
        int used = is_compact ? snprintf(text, UNITS_TEXT_MAX, "%llu%s", t.first,
                                         duration_units[t.unit].letter)
                              : snprintf(text, UNITS_TEXT_MAX, "%llu%s", t.first,
                                         duration_units[t.unit].name);
        char *rest = text + used;
        size_t room = UNITS_TEXT_MAX - (size_t)used;
        if (t.has_second && is_compact) {
            /* Days count hours in two digits at most; minutes and seconds always have two. */
            (void)snprintf(rest, room, t.unit == DAYS ? "%llu%s" : "%02llu%s", t.second,
                           duration_units[t.unit + 1].letter);
        } else if (t.has_second) {
            (void)snprintf(rest, room, " %llu%s", t.second, duration_units[t.unit + 1].name);
        }
    }
    return text;
}

/* A share strictly between nothing and all, with `gap` before the sign. */
static void write_share(double percent, const char *gap, char *text)
{
    if (percent < 0.1) {
        (void)snprintf(text, UNITS_TEXT_MAX, "<0.1%s%%", gap);
    } else if (percent > 99.9) {
        (void)snprintf(text, UNITS_TEXT_MAX, ">99.9%s%%", gap);
    } else {
        unsigned tenths = (unsigned)(percent * 10 + 0.5);
        (void)snprintf(text, UNITS_TEXT_MAX, "%u.%u%s%%", tenths / 10, tenths % 10, gap);
    }
}

const char *cadv_percent_format(uint64_t part, uint64_t whole, char *text)
{
    if (whole == 0) {
        (void)snprintf(text, UNITS_TEXT_MAX, "-");
    } else if (part == 0) {
        (void)snprintf(text, UNITS_TEXT_MAX, "0 %%");
    } else if (part >= whole) {
        (void)snprintf(text, UNITS_TEXT_MAX, "100 %%");
    } else {
        write_share(100.0 * (double)part / (double)whole, " ", text);
    }
    return text;
}

const char *units_format_saving(uint64_t before, uint64_t after, char *text)
{
    if (before == 0) {
        (void)snprintf(text, UNITS_TEXT_MAX, "-");
    } else if (after == before) {
        (void)snprintf(text, UNITS_TEXT_MAX, "0%%");
    } else if (after == 0) {
        (void)snprintf(text, UNITS_TEXT_MAX, "100%%");
    } else if (after < before) {
        write_share(100.0 * (double)(before - after) / (double)before, "", text);
    } else {
        double growth = 100.0 * (double)(after - before) / (double)before;
        if (growth > 999) {
            (void)snprintf(text, UNITS_TEXT_MAX, "<-999%%");
        } else if (growth > 9.9) {
            (void)snprintf(text, UNITS_TEXT_MAX, "-%.0f%%", ceil(growth));
        } else {
            unsigned tenths = (unsigned)ceil(growth * 10);
            (void)snprintf(text, UNITS_TEXT_MAX, "-%u.%u%%", tenths / 10, tenths % 10);
        }
    }
    return text;
}

const char *units_format_saving_within(uint64_t before, uint64_t after, uint64_t lo,
                                       uint64_t hi, char *text)
{
    double half = before > 0 ? 50.0 * (double)(hi - lo) / (double)before : 0;
    if (half < 1 || after >= before || after == 0) {
        return units_format_saving(before, after, text);
    }
    double percent = 100.0 * (double)(before - after) / (double)before;
    if (percent < 1) {
        (void)snprintf(text, UNITS_TEXT_MAX, "<1%%");
    } else if (percent > 99) {
        (void)snprintf(text, UNITS_TEXT_MAX, ">99%%");
    } else {
        (void)snprintf(text, UNITS_TEXT_MAX, "%u%%", (unsigned)(percent + 0.5));
    }
    return text;
}

static void write_ratio(double ratio, unsigned decimals, char *text)
{
    if (decimals == 2) {
        unsigned hundredths = (unsigned)(ratio * 100 + 0.5);
        (void)snprintf(text, UNITS_TEXT_MAX, "%u.%02ux", hundredths / 100, hundredths % 100);
    } else if (decimals == 1) {
        unsigned tenths = (unsigned)(ratio * 10 + 0.5);
        (void)snprintf(text, UNITS_TEXT_MAX, "%u.%ux", tenths / 10, tenths % 10);
    } else {
        (void)snprintf(text, UNITS_TEXT_MAX, "%ux", (unsigned)(ratio + 0.5));
    }
}

static const char *format_ratio(uint64_t whole, uint64_t part, unsigned decimals_max,
                                char *text)
{
    if (part == 0) {
        (void)snprintf(text, UNITS_TEXT_MAX, "-");
        return text;
    }
    double ratio = (double)whole / (double)part;
    if (ratio >= 9999.5) {
        (void)snprintf(text, UNITS_TEXT_MAX, ">1e4x");
        return text;
    }
    unsigned decimals = ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0;
    write_ratio(ratio, decimals < decimals_max ? decimals : decimals_max, text);
    return text;
}

const char *units_format_ratio(uint64_t whole, uint64_t part, char *text)
{
    return format_ratio(whole, part, 2, text);
}

const char *units_format_ratio_within(uint64_t whole, uint64_t part, uint64_t lo, uint64_t hi,
                                      char *text)
{
    if (lo == 0 || hi == 0) {
        return format_ratio(whole, part, 2, text);
    }
    double half = ((double)whole / (double)lo - (double)whole / (double)hi) / 2;
    return format_ratio(whole, part, half < 0.1 ? 2 : half < 1 ? 1 : 0, text);
}

const char *cadv_count_format(uint64_t count, char *text)
{
    char digits[UNITS_TEXT_MAX];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    size_t length = strlen(digits);
    char *out = text;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}
