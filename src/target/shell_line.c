/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/shell_line.h"

#include <stdio.h>
#include <string.h>

#define ELLIPSIS " ..."

void shell_line_start(struct shell_line *line, char *out, size_t out_bytes)
{
    size_t end = strlen(ELLIPSIS) + 1;

    *line = (struct shell_line){.out = out, .room = out_bytes > end ? out_bytes - end : 0};
    line->is_full = out_bytes <= end;
    if (out_bytes > 0) {
        out[0] = '\0';
    }
}

void shell_line_text(struct shell_line *line, const char *text)
{
    size_t bytes = strlen(text);

    if (line->is_full || bytes > line->room - line->length) {
        line->is_full = true;
        return;
    }
    memcpy(line->out + line->length, text, bytes);
    line->length += bytes;
}

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

static bool is_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("/._-+,:@%=", c) != NULL);
}

static bool has_only(const char *text, bool (*is_wanted)(unsigned char c))
{
    for (const char *at = text; *at != '\0'; at++) {
        if (!is_wanted((unsigned char)*at)) {
            return false;
        }
    }
    return true;
}

static bool is_no_control(unsigned char c)
{
    return !is_control(c);
}

/* Inside '...' only the quote itself is special. */
static void put_quoted(struct shell_line *line, const char *text)
{
    shell_line_text(line, "'");
    for (const char *at = text; *at != '\0'; at++) {
        char one[2] = {*at, '\0'};

        shell_line_text(line, *at == '\'' ? "'\\''" : one);
    }
    shell_line_text(line, "'");
}

/* Bash's, zsh's and ksh's $'...'. Three octal digits always, so that no digit after joins in.
 */
static void put_escaped(struct shell_line *line, const char *text)
{
    shell_line_text(line, "$'");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        char one[8] = {*at, '\0'};

        if (c == '\'' || c == '\\') {
            (void)snprintf(one, sizeof one, "\\%c", *at);
        } else if (is_control(c)) {
            (void)snprintf(one, sizeof one, "\\%03o", (unsigned)c);
        }
        shell_line_text(line, one);
    }
    shell_line_text(line, "'");
}

void shell_line_word(struct shell_line *line, const char *beginning, const char *text)
{
    shell_line_text(line, " ");
    shell_line_text(line, beginning);
    if (text[0] != '\0' && has_only(text, is_plain)) {
        shell_line_text(line, text);
    } else if (has_only(text, is_no_control)) {
        put_quoted(line, text);
    } else {
        put_escaped(line, text);
    }
}

void shell_line_path(struct shell_line *line, const char *beginning, const char *path)
{
    char shielded[16];

    /* "./" changes nothing about where a path leads. */
    (void)snprintf(shielded, sizeof shielded, "%s%s", beginning, path[0] == '-' ? "./" : "");
    shell_line_word(line, shielded, path);
}

void shell_line_mark(struct shell_line *line)
{
    if (!line->is_full) {
        line->whole = line->length;
    }
}

const char *shell_line_finish(struct shell_line *line)
{
    if (line->room == 0) {
        return line->out;
    }
    if (line->is_full) {
        line->length = line->whole;
        memcpy(line->out + line->length, ELLIPSIS, strlen(ELLIPSIS));
        line->length += strlen(ELLIPSIS);
    }
    line->out[line->length] = '\0';
    return line->out;
}
