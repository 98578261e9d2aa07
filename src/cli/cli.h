/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cli.h - the parts of the command: arguments, output, progress. May include: the public API,
 * and base for units.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "compadvise/compadvise.h"

/** Exit codes, as documented. Ended by a signal: CLI_EXIT_SIGNAL plus its number. */
enum {
    CLI_EXIT_COMPLETE = 0,
    CLI_EXIT_PROBLEMS = 1,
    CLI_EXIT_USAGE = 2,
    CLI_EXIT_FAILED = 3,
    CLI_EXIT_SIGNAL = 128
};

/** Texts of an option that may be repeated: an owned array of borrowed strings. */
struct cli_list {
    const char **items;
    size_t count;
};

/** Appends the borrowed `text`; CADV_ERR_NOMEM is the only failure. */
enum cadv_status cli_list_add(struct cli_list *list, const char *text, struct cadv_error *err);

struct cli_arguments {
    struct cadv_options options;
    enum cadv_format format;
    /** -1 quiet, 0, 1 verbose. */
    int verbosity;
    /** NULL: standard output. Borrowed from argv. */
    const char *output_path;
    /** Lent to the options once all are read. */
    struct cli_list paths;
    struct cli_list excludes;
};

/** Reads argv; ends the program itself for --help, --version and anything wrong (exit 2). */
void cli_parse(int argc, char **argv, struct cli_arguments *arguments);
void cli_arguments_fini(struct cli_arguments *arguments);

/**
 * To be called first. Keeps files that are opened later off the numbers of standard streams that
 * are closed, so that a report is never written to a closed one in vain, and makes an exit fail
 * whose last words (of --help, --version) could not be written.
 */
void cli_output_guard(void);

/** Fails early when the report could not be written at the end. */
enum cadv_status cli_output_check(const char *path, struct cadv_error *err);

/**
 * Writes the report: to standard output, or beside `path` and then renamed, so that the file is
 * there whole or not at all. A link stays and what it points to is written. What is no regular
 * file (a pipe, a terminal), a link to nothing, and the file that is the standard output already
 * are written directly.
 */
enum cadv_status cli_output_write(const struct cli_arguments *arguments,
                                  const struct cadv_result *result, struct cadv_error *err);

/** A progress line on stderr; `ctx` is a struct cli_progress. */
struct cli_progress {
    /** False when stderr is no terminal: nothing is drawn. */
    bool is_shown;
    bool is_drawn;
};
void cli_progress_draw(const struct cadv_progress *progress, void *ctx);
/** Removes the line. */
void cli_progress_clear(struct cli_progress *progress);

#endif
