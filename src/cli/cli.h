/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cli.h - the parts of the command: arguments, output, progress. They include the public API
 * and nothing else of the library.
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

/** When something is shown; auto depends on where the output goes. */
enum cli_when { CLI_WHEN_AUTO = 0, CLI_WHEN_ALWAYS, CLI_WHEN_NEVER, CLI_WHEN_JSON };

/** Texts of an option that may be repeated: an owned array of borrowed strings. */
struct cli_list {
    const char **items;
    size_t count;
};

/** Appends the borrowed `text`; CADV_ERR_NOMEM is the only failure. */
enum cadv_status cli_list_add(struct cli_list *list, const char *text, struct cadv_error *err);

struct cli_arguments;

/** Appends a path and what it stands for. */
enum cadv_status cli_path_add(struct cli_arguments *arguments, const char *path,
                              enum cadv_input input, struct cadv_error *err);

struct cli_arguments {
    struct cadv_options options;
    /** How the result is written; its verbosity also silences progress. */
    struct cadv_report_options report;
    /** Of the report; decided by cli_output_write(). Never CLI_WHEN_JSON. */
    enum cli_when color;
    /** On stderr. */
    enum cli_when progress;
    /** NULL: standard output. Borrowed from argv. */
    const char *output_path;
    /** Lent to the options once all are read. */
    struct cli_list paths;
    struct cli_list excludes;
    /** One for each path. Owned. */
    enum cadv_input *inputs;
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

/** The program has said why it fails: nothing more is said at exit. */
void cli_output_failure_said(void);

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

/** How progress is written to stderr. */
enum cli_progress_form {
    CLI_PROGRESS_NONE = 0,
    /** One line of a terminal, redrawn in place. */
    CLI_PROGRESS_LINE,
    /** A line of its own each second, for what is no terminal. */
    CLI_PROGRESS_LOG,
    /** JSON lines, one object each; the last one's phase is "done". */
    CLI_PROGRESS_JSON
};

/** Room for one line of progress. */
#define CLI_PROGRESS_MAX 512

/** What drawing remembers; the `ctx` of cli_progress_draw(). */
struct cli_progress {
    enum cli_progress_form form;
    /** What stands on the line now; empty: nothing. */
    char shown[CLI_PROGRESS_MAX];
    /** When the last line was written, by the run's clock; negative: none yet. */
    double last_s;
    /** When this stretch of trials began, and how far they were when last seen. */
    double trials_start_s;
    uint64_t trial_done;
    /** The phase last seen. */
    enum cadv_phase phase;
};

/** Decides the form: `when`, and whether stderr is a terminal; quiet means none unless asked. */
void cli_progress_init(struct cli_progress *state, enum cli_when when, bool is_quiet);
void cli_progress_draw(const struct cadv_progress *progress, void *ctx);
/** Removes the line. */
void cli_progress_clear(struct cli_progress *state);

#endif
