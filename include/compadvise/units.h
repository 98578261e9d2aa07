/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.h - numbers as people write and read them. Nothing here depends on the locale. Formatting
 * functions write at most CADV_UNITS_TEXT_MAX bytes with the terminator into `text`, return it, and
 * cannot fail.
 */
#ifndef COMPADVISE_UNITS_H
#define COMPADVISE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "compadvise/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Room for any formatted number. */
#define CADV_UNITS_TEXT_MAX 32

/** How sizes are written. */
enum cadv_units {
    /** Powers of 1000: kB, MB, GB. */
    CADV_UNITS_SI = 0,
    /** Powers of 1024: KiB, MiB, GiB. */
    CADV_UNITS_IEC,
    /** Whole bytes, every digit. */
    CADV_UNITS_RAW
};

/** The units called `name` ("si", "iec", "raw"); CADV_ERR_USAGE lists the names. */
enum cadv_status cadv_units_parse(const char *name, enum cadv_units *units,
                                  struct cadv_error *err);

/**
 * Bytes with `digits` significant digits (3 to 15), as many as there are: "999 B", "1.23 GB",
 * "1.15 GiB". Rounded half up; what rounds to a whole unit more moves to the next. Raw ignores
 * `digits`.
 */
const char *cadv_bytes_format(uint64_t bytes, enum cadv_units units, unsigned digits,
                              char *text);

/** A count with its thousands set apart: "1,234,567". */
const char *cadv_count_format(uint64_t count, char *text);

/**
 * Seconds: "0.8 s", "41 s", "9 min 5 s", "13 min", "2 h 13 min", "3 d 4 h"; "<0.1 s" for less
 * but not nothing, "unknown" for what is negative or not finite. `is_compact` for tables, at
 * most 5 columns up to 27 years: "0.8s", "9m05s", "2h13m", "13h", "3d4h", "-".
 */
const char *cadv_seconds_format(double seconds, bool is_compact, char *text);

/**
 * `part` of `whole` with one decimal: "61.2 %". Never "100.0 %" while something is left (">99.9
 * %") and never "0.0 %" while something is there ("<0.1 %"); "0 %" and "100 %" are exact. "-"
 * of nothing. Callers pass part <= whole.
 */
const char *cadv_percent_format(uint64_t part, uint64_t whole, char *text);

/**
 * Reads a size: a decimal number, then nothing or B for bytes, k M G T P E for powers of 1000
 * (with or without B), Ki Mi Gi Ti Pi Ei for powers of 1024; upper or lower case: `600M`,
 * `1.5GB`, `100MiB`. A fraction of a byte is rounded. CADV_ERR_USAGE for anything else and for
 * more than INT64_MAX bytes; the message quotes `text`.
 */
enum cadv_status cadv_bytes_parse(const char *text, uint64_t *bytes, struct cadv_error *err);

/**
 * Reads a rate in bytes per second: a size as above, with or without `/s` (`50MB/s`), or bits:
 * `10Mbit`, `10Mbit/s`, `10Mbps`. A lone small b after a prefix could mean either and is
 * refused.
 */
enum cadv_status cadv_rate_parse(const char *text, double *bytes_per_s, struct cadv_error *err);

/**
 * A duration above 0: a number with the unit s, m, h or d (none: seconds), or several of these
 * from the largest down, as "90", "10m", "1h30m", "1.5 h". CADV_ERR_USAGE shows how to write one.
 */
enum cadv_status cadv_duration_parse(const char *text, double *seconds, struct cadv_error *err);

#ifdef __cplusplus
}
#endif
#endif
