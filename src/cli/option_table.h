/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option_table.h - every option of the command, one row each: its spelling, what it does to
 * the arguments, what --help says. Parsing, --help, the manual and the completions all read this
 * table, so none of them can differ from the others. To add an option: a field in struct
 * cadv_options or struct cli_arguments, and a row.
 */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/cli.h"

/** Headings of --help, in its order. */
enum cli_group {
    CLI_GROUP_COMPARE = 0,
    CLI_GROUP_READ,
    CLI_GROUP_EFFORT,
    CLI_GROUP_MACHINE,
    CLI_GROUP_OUTPUT,
    CLI_GROUPS
};

struct cli_option {
    /** Without the dashes. */
    const char *name;
    /** What --help calls the argument; NULL: the option takes none. */
    const char *argument;
    /** One paragraph, no full stop at its end. */
    const char *help;
    /**
     * What a shell may offer for the argument: words with spaces between, or "@file",
     * "@directory"; NULL: nothing.
     */
    const char *values;
    /**
     * Stores `text` (NULL for an option without argument) at `row->offset` of `arguments`, or
     * says why it cannot be: CADV_ERR_USAGE, or CADV_ERR_NOMEM.
     */
    enum cadv_status (*set)(const struct cli_option *row, const char *text,
                            struct cli_arguments *arguments, struct cadv_error *err);
    /** Of the field in struct cli_arguments that `set` writes. */
    size_t offset;
    /** Inclusive bounds, for whole numbers. */
    uint64_t lowest;
    uint64_t highest;
    enum cli_group group;
    /** The short form, or 0. */
    char letter;
};

/** The rows, in the order of --help: sorted by group. Static. */
extern const struct cli_option cli_options[];
extern const size_t cli_option_count;

/** The heading of a group, with its colon. Static text. */
const char *cli_group_heading(enum cli_group group);

/** Options that contradict each other, in either order. */
struct cli_conflict {
    const char *one;
    const char *other;
    /** Completes "--ONE and --OTHER: ". */
    const char *why;
};
extern const struct cli_conflict cli_conflicts[];
extern const size_t cli_conflict_count;

#endif
