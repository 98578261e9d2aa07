/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Well-formed UTF-8 is recognised by table 3-7 of the Unicode standard: the second byte's range
 * depends on the first, which rules out overlong forms, surrogates and more than U+10FFFF.
 */
#include "base/escape.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "\xNN" with its terminator. */
enum { STEP_MAX = 5 };

static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xc2 && lead <= 0xdf) {
        return 2;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        return 3;
    }
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

static bool is_second_byte(unsigned char lead, unsigned char byte)
{
    unsigned char lo = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned char hi = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    return byte >= lo && byte <= hi;
}

/* Bytes of the well-formed character at `at` (terminated), or 0. */
static size_t character_length(const unsigned char *at)
{
    size_t length = sequence_length(at[0]);
    if (length > 1 && !is_second_byte(at[0], at[1])) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (at[i] < 0x80 || at[i] > 0xbf) {
            return 0;
        }
    }
    return length;
}

/* C0, DEL, C1 (U+0080-9F), line separators and what reorders text (U+200E.., 2028.., 2066..).
 */
static bool is_control(const unsigned char *at, size_t length)
{
    if (length == 1) {
        return at[0] < 0x20 || at[0] == 0x7f;
    }
    if (length == 2) {
        return at[0] == 0xc2 && at[1] < 0xa0;
    }
    if (length != 3 || at[0] != 0xe2) {
        return false;
    }
    if (at[1] == 0x80) {
        return at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae);
    }
    return at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
}

/* How many bytes at `at` may be copied as they are; 0: the first one must be escaped. */
static size_t plain_length(const unsigned char *at, unsigned flags)
{
    size_t length = character_length(at);
    bool is_escaped = ((flags & ESCAPE_CONTROLS) != 0 && is_control(at, length)) ||
                      ((flags & ESCAPE_NON_ASCII) != 0 && at[0] > 0x7e);
    return is_escaped ? 0 : length;
}

/*
 * Writes what becomes of the next byte or character into `out` and moves past it. Escaping goes
 * byte by byte: of an escaped character the rest is then invalid by itself, and escaped too.
 */
static size_t step(const unsigned char **at, unsigned flags, char *out)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *byte = *at;
    size_t length = plain_length(byte, flags);
    if (length == 0) {
        out[0] = '\\';
        out[1] = 'x';
        out[2] = hex[*byte >> 4];
        out[3] = hex[*byte & 15];
        *at += 1;
        return 4;
    }
    *at += length;
    memcpy(out, byte, length);
    if (*byte == '\\' && (flags & ESCAPE_BACKSLASH) != 0) {
        out[length++] = '\\';
    }
    return length;
}

void escape_print(FILE *out, const char *bytes, unsigned flags)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (*at != '\0') {
        char piece[STEP_MAX];
        size_t length = step(&at, flags, piece);
        (void)fwrite(piece, 1, length, out);
    }
}

char *escape_dup(const char *bytes, unsigned flags)
{
    /* No byte becomes more than four. */
    char *escaped = malloc(4 * strlen(bytes) + 1);
    if (escaped == NULL) {
        return NULL;
    }
    const unsigned char *at = (const unsigned char *)bytes;
    char *end = escaped;
    while (*at != '\0') {
        end += step(&at, flags, end);
    }
    *end = '\0';
    return escaped;
}

void escape_copy(const char *bytes, unsigned flags, char *out, size_t out_bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (*at != '\0') {
        char piece[STEP_MAX];
        size_t length = step(&at, flags, piece);
        if (length >= out_bytes) {
            break;
        }
        memcpy(out, piece, length);
        out += length;
        out_bytes -= length;
    }
    *out = '\0';
}
