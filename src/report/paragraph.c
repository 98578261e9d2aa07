/* SPDX-License-Identifier: BSD-2-Clause */
/* paragraph.c - prose wrapped at the width of the report. */
#include <stdarg.h>
#include <string.h>

#include "report/parts.h"

/* Columns of `length` bytes of UTF-8: every byte that does not continue a character counts. */
static size_t column_count(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++) {
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return columns;
}

/* "41 min", "± 8 GB": no line ends after a digit, nor after the sign of a margin. */
static bool is_breakable_after(const char *text, size_t at)
{
    char last = ' ';
    if (at > 0) {
        last = text[at - 1];
    }
    bool is_margin_sign = last == '-' || ((unsigned char)last == 0xb1);
    return !(last >= '0' && last <= '9') && !is_margin_sign;
}

/* Bytes up to the next place where a line may end. */
static size_t piece_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') {
        if (text[length] == ' ' && is_breakable_after(text, length)) {
            break;
        }
        length++;
    }
    return length;
}

static void print_wrapped(const struct report_text *to, size_t indent, char *text)
{
    unsigned flags = report_path_flags(to) & ~(unsigned)ESCAPE_BACKSLASH;
    size_t column = 0;
    for (char *at = text; *at != '\0';) {
        size_t length = piece_length(at);
        size_t width = column_count(at, length);
        if (column == 0) {
            column = width;
        } else if (column + 1 + width > REPORT_COLUMNS) {
            (void)fprintf(to->out, "\n%*s", (int)indent, "");
            column = indent + width;
        } else {
            (void)fputc(' ', to->out);
            column += 1 + width;
        }
        char end = at[length];
        at[length] = '\0';
        escape_print(to->out, at, flags);
        at[length] = end;
        at += length;
        while (*at == ' ') {
            at++;
        }
    }
    (void)fputc('\n', to->out);
}

void report_paragraph(const struct report_text *text, size_t indent, const char *format, ...)
{
    char prose[4096];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(prose, sizeof prose, format, args);
    va_end(args);
    print_wrapped(text, indent, prose);
}

bool report_append(char *sentence, size_t room, const char *format, ...)
{
    size_t used = strlen(sentence);
    va_list args;
    va_start(args, format);
    int more = vsnprintf(sentence + used, room - used, format, args);
    va_end(args);
    bool is_added = more >= 0 && (size_t)more < room - used;
    if (!is_added) {
        sentence[used] = '\0';
    }
    return is_added;
}
