/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/escape.h - file names hold any byte, terminals obey some of them, and JSON must be UTF-8:
 * what is shown is escaped. Bytes that are no UTF-8 always become \xNN, one for each.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/** What is escaped besides. */
enum escape_flag {
    /** Control characters and bidirectional overrides: \xNN, for terminals. */
    ESCAPE_CONTROLS = 1,
    /** Every byte above 0x7e: \xNN, for terminals without UTF-8. */
    ESCAPE_NON_ASCII = 2,
    /** The backslash is doubled, so that the original bytes can be recovered. */
    ESCAPE_BACKSLASH = 4,
};

/** Writes `bytes` escaped; `flags` is a sum of enum escape_flag. */
void escape_print(FILE *out, const char *bytes, unsigned flags);

/** `bytes` escaped as valid UTF-8; the caller frees it. NULL when memory ran out. */
char *escape_dup(const char *bytes, unsigned flags);

/** As escape_dup() into `out`, which has room for `out_bytes` (at least 1): cut off whole. */
void escape_copy(const char *bytes, unsigned flags, char *out, size_t out_bytes);

#endif
