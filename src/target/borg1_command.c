/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_command.c - the line to paste.
 *
 * A path may hold any byte, so each is quoted for the shell, and no byte reaches the terminal
 * that could move its cursor. When the buffer is too small the line ends after a whole word
 * with " ...": pasted as it is, Borg then complains of a missing path instead of backing up
 * half.
 */
#include "target/borg1.h"

#include <stdio.h>
#include <string.h>

#define ELLIPSIS " ..."

/* A line in a caller's buffer; what does not fit is not written. */
struct line {
    char *out;
    /* Bytes that may be used, the terminator's not counted. */
    size_t room;
    size_t length;
    /* Set when something did not fit; `length` is then wrong until cut back. */
    bool is_full;
};

static void put_text(struct line *line, const char *text)
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
static void put_quoted(struct line *line, const char *text)
{
    put_text(line, "'");
    for (const char *at = text; *at != '\0'; at++) {
        char one[2] = {*at, '\0'};

        put_text(line, *at == '\'' ? "'\\''" : one);
    }
    put_text(line, "'");
}

/* Bash's, zsh's and ksh's $'...'. Three octal digits always, so that no digit after joins in.
 */
static void put_escaped(struct line *line, const char *text)
{
    put_text(line, "$'");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        char one[8] = {*at, '\0'};

        if (c == '\'' || c == '\\') {
            (void)snprintf(one, sizeof one, "\\%c", *at);
        } else if (is_control(c)) {
            (void)snprintf(one, sizeof one, "\\%03o", (unsigned)c);
        }
        put_text(line, one);
    }
    put_text(line, "'");
}

/* A word of the command: a plain beginning, then any text. */
static void put_word(struct line *line, const char *beginning, const char *text)
{
    put_text(line, " ");
    put_text(line, beginning);
    if (text[0] != '\0' && has_only(text, is_plain)) {
        put_text(line, text);
    } else if (has_only(text, is_no_control)) {
        put_quoted(line, text);
    } else {
        put_escaped(line, text);
    }
}

static void put_path(struct line *line, const char *path)
{
    /* Borg drops "./" again, but does not take it for an option. */
    put_word(line, path[0] == '-' ? "./" : "", path);
}

static void put_level(struct line *line, struct cadv_level level)
{
    char name[CADV_LEVEL_NAME_MAX];

    put_text(line, " --compression ");
    put_text(line, cadv_level_name(level, name));
}

static bool is_default(const struct cadv_chunker_params *chunker)
{
    return chunker->kind == CADV_CHUNKER_BUZHASH && chunker->min_exp == 19 &&
           chunker->max_exp == 23 && chunker->mask_bits == 21 && chunker->window_bytes == 4095;
}

static void put_chunker(struct line *line, const struct cadv_chunker_params *chunker)
{
    char text[CADV_CHUNKER_TEXT_MAX];

    if (is_default(chunker)) {
        return;
    }
    if (chunker->kind == CADV_CHUNKER_BUZHASH) {
        (void)snprintf(text, sizeof text, "buzhash,%u,%u,%u,%u", chunker->min_exp,
                       chunker->max_exp, chunker->mask_bits, (unsigned)chunker->window_bytes);
    } else if (chunker->header_bytes > 0) {
        (void)snprintf(text, sizeof text, "fixed,%u,%u", (unsigned)chunker->block_bytes,
                       (unsigned)chunker->header_bytes);
    } else {
        (void)snprintf(text, sizeof text, "fixed,%u", (unsigned)chunker->block_bytes);
    }
    put_text(line, " --chunker-params ");
    put_text(line, text);
}

const char *borg1_command(struct cadv_level level, const struct target_setup *setup,
                          const char *const *paths, size_t path_count, char *out,
                          size_t out_bytes)
{
    size_t whole = 0;

    if (out_bytes <= strlen(ELLIPSIS)) {
        if (out_bytes > 0) {
            out[0] = '\0';
        }
        return out;
    }

    struct line line = {.out = out, .room = out_bytes - 1 - strlen(ELLIPSIS)};

    put_text(&line, "borg create");
    put_level(&line, level);
    put_chunker(&line, setup->chunker);
    put_word(&line, "REPO::", setup->archive_name);
    for (size_t i = 0; i < path_count && !line.is_full; i++) {
        whole = line.length;
        put_path(&line, paths[i]);
    }

    if (line.is_full) {
        line.length = whole;
        memcpy(out + line.length, ELLIPSIS, strlen(ELLIPSIS));
        line.length += strlen(ELLIPSIS);
    }
    out[line.length] = '\0';
    return out;
}
