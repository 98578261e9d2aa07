/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target/shell_line.h - a command line for people to paste, built word by word.
 *
 * A path may hold any byte, so each is quoted for the shell, and no byte reaches the terminal
 * that could move its cursor. When the buffer is too small the line ends after a whole word
 * with " ...": pasted as it is, the tool then complains of a missing path instead of backing up
 * half. Pure; the line belongs to the caller.
 */
#ifndef TARGET_SHELL_LINE_H
#define TARGET_SHELL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/** A line in a caller's buffer; what does not fit is not written. */
struct shell_line {
    char *out;
    /** Bytes that may be used; the end of the line is not counted. */
    size_t room;
    size_t length;
    /** Length up to the last place where the line may end. */
    size_t whole;
    /** Set when something did not fit; `length` is then wrong until the line is finished. */
    bool is_full;
};

/** Begins a line in `out`, of which `out_bytes` may be used. */
void shell_line_start(struct shell_line *line, char *out, size_t out_bytes);

/** Adds `text` as it is. */
void shell_line_text(struct shell_line *line, const char *text);

/** Adds a blank, the plain text `beginning`, and `text` quoted as far as it needs to be. */
void shell_line_word(struct shell_line *line, const char *beginning, const char *text);

/** As shell_line_word(), of a path, which is not taken for an option whatever it begins with. */
void shell_line_path(struct shell_line *line, const char *beginning, const char *path);

/** Here the line may end, if the rest does not fit. */
void shell_line_mark(struct shell_line *line);

/** Ends the line, and returns it. */
const char *shell_line_finish(struct shell_line *line);

#endif
