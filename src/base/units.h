/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/units.h - numbers as people read and write them.
 *
 * Sizes are decimal (1 kB is 1000 bytes) when written; binary units (KiB) are understood when
 * read. Nothing here depends on the locale. Formatting functions write at most UNITS_TEXT_MAX
 * bytes with the terminator into `text`, return it, and cannot fail.
 *
 * May include: base.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define UNITS_TEXT_MAX 32

/**
 * Bytes with `digits` significant digits (3 to 15), as many as there are: 999 B, 1.23 GB.
 * Rounded half up; a value that rounds to 1000 moves to the next unit.
 */
const char *units_format_bytes(uint64_t bytes, unsigned digits, char *text);

/** A size and its margin, in parts, so that a sentence and a table can each join them. */
struct units_interval {
    /** The number without its unit: "920", "1.24". */
    char value[UNITS_TEXT_MAX];
    /** In the same unit and with the same decimals: "8", "0.01". Empty for an exact size. */
    char margin[UNITS_TEXT_MAX];
    /** "B", "kB" ... "EB"; static text. */
    const char *unit;
};

/**
 * Rounds a size so that no digit is finer than its interval, nor than `digits` significant ones
 * (3 to 15). What is printed always covers [lo, hi]: the margin is rounded up. With lo == hi
 * the value has up to `digits` + 1 digits and no margin.
 */
void units_split_interval(uint64_t est, uint64_t lo, uint64_t hi, unsigned digits,
                          struct units_interval *out);

/**
 * Seconds: "0.8 s", "41 s", "9 min 5 s", "13 min", "2 h 13 min", "3 d 4 h"; "<0.1 s" for less
 * but not nothing, "unknown" for what is negative or not finite. `is_compact` for tables, at
 * most 5 columns up to 27 years: "0.8s", "9m05s", "2h13m", "13h", "3d4h", "-".
 */
const char *units_format_seconds(double seconds, bool is_compact, char *text);

/**
 * `part` of `whole` with one decimal: "61.2 %". Never "100.0 %" while something is left (">99.9
 * %") and never "0.0 %" while something is there ("<0.1 %"); "0 %" and "100 %" are exact. "-"
 * of nothing. Callers pass part <= whole.
 */
const char *units_format_percent(uint64_t part, uint64_t whole, char *text);

/**
 * How much less `after` is than `before`, for tables: "61.2%", "<0.1%", ">99.9%", "0%", "100%";
 * growth is negative and rounded away from zero ("-0.1%", "-12%", "<-999%"). "-" when `before`
 * is 0.
 */
const char *units_format_saving(uint64_t before, uint64_t after, char *text);

/**
 * `whole` / `part` with three digits: "2.34x", "23.4x", "234x", "2345x", and ">1e4x" beyond;
 * "-" when `part` is 0.
 */
const char *units_format_ratio(uint64_t whole, uint64_t part, char *text);

/** A count with its thousands set apart: "1,234,567". */
const char *units_format_count(uint64_t count, char *text);

/**
 * Reads a size: a decimal number, then nothing or B for bytes, k M G T P E for powers of 1000
 * (with or without B), Ki Mi Gi Ti Pi Ei for powers of 1024; upper or lower case: `600M`,
 * `1.5GB`, `100MiB`. A fraction of a byte is rounded. CADV_ERR_USAGE for anything else and for
 * more than INT64_MAX bytes; the message quotes `text`.
 */
enum cadv_status units_parse_bytes(const char *text, uint64_t *bytes, struct cadv_error *err);

/**
 * Reads a rate in bytes per second: a size as above, with or without `/s` (`50MB/s`), or bits:
 * `10Mbit`, `10Mbit/s`, `10Mbps`. A lone small b after a prefix could mean either and is
 * refused.
 */
enum cadv_status units_parse_rate(const char *text, double *bytes_per_s,
                                  struct cadv_error *err);

/**
 * A duration above 0: a number with the unit s, m, h or d (none: seconds), or several of these
 * from the largest down, as "90", "10m", "1h30m", "1.5 h". CADV_ERR_USAGE shows how to write one.
 */
enum cadv_status units_parse_duration(const char *text, double *seconds,
                                      struct cadv_error *err);

#endif
