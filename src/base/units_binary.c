/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units_binary.c - sizes in powers of 1024, and the choice between the systems. A number is an
 * integer count of steps, and a step is a power of ten of the unit: rounding is done once, in
 * integers, and can neither print "1024 MiB" nor a digit that is not there.
 */
#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
enum { UNIT_LAST = 6 };

/* A size times a power of ten goes beyond 64 bits. */
__extension__ typedef unsigned __int128 wide;

/* One step: 10^-decimals of the unit 1024^unit. Decimals below 0 are steps of tens and hundreds. */
struct step {
    unsigned unit;
    int decimals;
};

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

static unsigned digit_count(uint64_t value)
{
    unsigned count = 1;
    for (; value >= 10; value /= 10) {
        count++;
    }
    return count;
}

/* `bytes` in steps; `rounding` 0 is down, 1 to the nearest, 2 up. */
static uint64_t count_steps(uint64_t bytes, struct step step, unsigned rounding)
{
    wide size = (wide)1 << (10 * step.unit);
    wide value = bytes;
    if (step.decimals >= 0) {
        value *= power_of_ten((unsigned)step.decimals);
    } else {
        size *= power_of_ten((unsigned)-step.decimals);
    }
    wide add = rounding == 0 ? 0 : rounding == 1 ? size / 2 : size - 1;
    return (uint64_t)((value + add) / size);
}

/* The finest step that shows `bytes` with at most `digits` digits, in the unit that people use. */
static struct step step_for(uint64_t bytes, unsigned digits)
{
    struct step step = {0, 0};
    while (step.unit < UNIT_LAST && bytes >> (10 * step.unit) >= 1024) {
        step.unit++;
    }
    if (step.unit < UNIT_LAST && count_steps(bytes, step, 1) >= 1024) {
        step.unit++;
    }
    unsigned before = digit_count(bytes >> (10 * step.unit));
    step.decimals = step.unit > 0 && digits > before ? (int)(digits - before) : 0;
    if (step.decimals > 0 && digit_count(count_steps(bytes, step, 1)) > digits) {
        step.decimals--;
    }
    return step;
}

static void write_steps(uint64_t steps, struct step step, char *text)
{
    uint64_t point = step.decimals > 0 ? power_of_ten((unsigned)step.decimals) : 1;
    uint64_t factor = step.decimals < 0 ? power_of_ten((unsigned)-step.decimals) : 1;
    int used = snprintf(text, UNITS_TEXT_MAX, "%llu%s",
                        (unsigned long long)(steps / point * factor), point > 1 ? "." : "");
    /* Decimals one by one: leading zeros come by themselves. */
    for (uint64_t place = point / 10; place > 0 && used < UNITS_TEXT_MAX - 1; place /= 10) {
        text[used++] = (char)('0' + steps / place % 10);
        text[used] = '\0';
    }
}

const char *units_format_binary(uint64_t bytes, unsigned digits, char *text)
{
    CADV_ASSERT(digits >= 3 && digits <= 15);
    struct step step = step_for(bytes, digits);
    write_steps(count_steps(bytes, step, 1), step, text);
    size_t used = strlen(text);
    (void)snprintf(text + used, UNITS_TEXT_MAX - used, " %s", names[step.unit]);
    return text;
}

void units_split_binary(uint64_t est, uint64_t lo, uint64_t hi, unsigned digits,
                        struct units_interval *out)
{
    CADV_ASSERT(digits >= 3 && digits < 15 && lo <= est && est <= hi);
    struct step step = step_for(est, lo != hi ? digits : digits + 1);
    out->margin[0] = '\0';
    if (lo != hi) {
        uint64_t half = hi - est > est - lo ? hi - est : est - lo;
        /* A wide margin makes the steps coarser, as far as it has but one digit. */
        while (count_steps(half, step, 0) >= 10 && step.decimals > -3) {
            step.decimals--;
        }
        uint64_t steps = count_steps(est, step, 1);
        uint64_t below = count_steps(lo, step, 0);
        uint64_t above = count_steps(hi, step, 2);
        uint64_t down = steps > below ? steps - below : 0;
        uint64_t up = above > steps ? above - steps : 0;
        write_steps(down > up ? down : up, step, out->margin);
    }
    write_steps(count_steps(est, step, 1), step, out->value);
    out->unit = names[step.unit];
}

void units_split(uint64_t est, uint64_t lo, uint64_t hi, enum cadv_units units, unsigned digits,
                 struct units_interval *out)
{
    switch (units) {
    case CADV_UNITS_SI:
        units_split_interval(est, lo, hi, digits, out);
        return;
    case CADV_UNITS_IEC:
        units_split_binary(est, lo, hi, digits, out);
        return;
    case CADV_UNITS_RAW:
        break;
    }
    uint64_t half = hi - est > est - lo ? hi - est : est - lo;
    (void)snprintf(out->value, sizeof out->value, "%llu", (unsigned long long)est);
    out->margin[0] = '\0';
    if (half > 0) {
        (void)snprintf(out->margin, sizeof out->margin, "%llu", (unsigned long long)half);
    }
    out->unit = names[0];
}

const char *cadv_bytes_format(uint64_t bytes, enum cadv_units units, unsigned digits,
                              char *text)
{
    switch (units) {
    case CADV_UNITS_SI:
        return units_format_bytes(bytes, digits, text);
    case CADV_UNITS_IEC:
        return units_format_binary(bytes, digits, text);
    case CADV_UNITS_RAW:
        break;
    }
    (void)snprintf(text, UNITS_TEXT_MAX, "%llu B", (unsigned long long)bytes);
    return text;
}

enum cadv_status cadv_units_parse(const char *name, enum cadv_units *units,
                                  struct cadv_error *err)
{
    static const struct {
        const char *name;
        enum cadv_units units;
    } known[] = {{"si", CADV_UNITS_SI}, {"iec", CADV_UNITS_IEC}, {"raw", CADV_UNITS_RAW}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *units = known[i].units;
            return CADV_OK;
        }
    }
    return error_set(err, CADV_ERR_USAGE, "unknown units '%.64s': choose si, iec or raw", name);
}
