/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/units.h - what the library writes besides the public units.h: sizes with a margin, savings,
 * ratios. The same rules hold.
 *
 * May include: base.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/error.h"
#include "compadvise/units.h"

#define UNITS_TEXT_MAX CADV_UNITS_TEXT_MAX

/** cadv_bytes_format() in powers of 1000. */
const char *units_format_bytes(uint64_t bytes, unsigned digits, char *text);

/** cadv_bytes_format() in powers of 1024. */
const char *units_format_binary(uint64_t bytes, unsigned digits, char *text);

/** A size and its margin, in parts, so that a sentence and a table can each join them. */
struct units_interval {
    /** The number without its unit: "920", "1.24". */
    char value[UNITS_TEXT_MAX];
    /** In the same unit and with the same decimals: "8", "0.01". Empty for an exact size. */
    char margin[UNITS_TEXT_MAX];
    /** "B", "kB" ... "EB", "KiB" ... "EiB"; static text. */
    const char *unit;
};

/**
 * Rounds a size so that no digit is finer than its interval, nor than `digits` significant ones
 * (3 to 15). What is printed always covers [lo, hi]: the margin is rounded up. With lo == hi
 * the value has up to `digits` + 1 digits and no margin.
 */
void units_split_interval(uint64_t est, uint64_t lo, uint64_t hi, unsigned digits,
                          struct units_interval *out);

/** The same in powers of 1024. */
void units_split_binary(uint64_t est, uint64_t lo, uint64_t hi, unsigned digits,
                        struct units_interval *out);

/** The same in whichever units; raw ones are not rounded. */
void units_split(uint64_t est, uint64_t lo, uint64_t hi, enum cadv_units units, unsigned digits,
                 struct units_interval *out);

/**
 * How much less `after` is than `before`, for tables: "61.2%", "<0.1%", ">99.9%", "0%", "100%";
 * growth is negative and rounded away from zero ("-0.1%", "-12%", "<-999%"). "-" when `before`
 * is 0.
 */
const char *units_format_saving(uint64_t before, uint64_t after, char *text);

/**
 * units_format_saving() for an `after` that is known to lie in [lo, hi]: whole per cents where half
 * the interval is one or more of `before`.
 */
const char *units_format_saving_within(uint64_t before, uint64_t after, uint64_t lo,
                                       uint64_t hi, char *text);

/**
 * `whole` / `part` with three digits: "2.34x", "23.4x", "234x", "2345x", and ">1e4x" beyond;
 * "-" when `part` is 0.
 */
const char *units_format_ratio(uint64_t whole, uint64_t part, char *text);

/**
 * units_format_ratio() for a `part` that is known to lie in [lo, hi]: fewer decimals where the
 * last would be noise, that is where the ratio's half interval is ten steps of it or more.
 */
const char *units_format_ratio_within(uint64_t whole, uint64_t part, uint64_t lo, uint64_t hi,
                                      char *text);

#endif
