/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/option_set.h - the ways in which a row of the option table stores its argument; see there. */
#ifndef CLI_OPTION_SET_H
#define CLI_OPTION_SET_H

#include "cli/option_table.h"

/** What all setters look like. */
#define CLI_SETTER(name)                                                                       \
    enum cadv_status name(const struct cli_option *row, const char *text,                      \
                          struct cli_arguments *arguments, struct cadv_error *err)

/** A bool, made true or false. */
CLI_SETTER(cli_set_true);
CLI_SETTER(cli_set_false);
/** A const char *, borrowed. */
CLI_SETTER(cli_set_text);
/** An int, made 1 or -1. */
CLI_SETTER(cli_set_plus);
CLI_SETTER(cli_set_minus);
/** A struct cli_list, to which the text is appended, borrowed. */
CLI_SETTER(cli_set_append);
/** The paths, to which an archive is appended: they stay in the order given. */
CLI_SETTER(cli_set_archive);
/** An unsigned, and a uint64_t, from lowest to highest. */
CLI_SETTER(cli_set_unsigned);
CLI_SETTER(cli_set_u64);
/** A uint64_t of bytes ("600M"), from lowest on. */
CLI_SETTER(cli_set_bytes);
/** A double: seconds ("30s", "10m", "1h30m"), more than 0. */
CLI_SETTER(cli_set_duration);
/** A double: bytes a second ("50MB/s", "100Mbit/s"); a plain number from 0 on. */
CLI_SETTER(cli_set_rate);
CLI_SETTER(cli_set_number);
/** Types of the library: a struct cadv_level_list (added to), a cadv_chunker_params (the seed is
 * kept), its seed, an enum cadv_format. */
CLI_SETTER(cli_set_levels);
CLI_SETTER(cli_set_chunker);
CLI_SETTER(cli_set_seed);
CLI_SETTER(cli_set_format);
/** More of its types: an enum cadv_units, an enum cadv_column, a struct cadv_column_list. */
CLI_SETTER(cli_set_units);
CLI_SETTER(cli_set_column);
CLI_SETTER(cli_set_columns);
/** An enum cli_when, up to highest. */
CLI_SETTER(cli_set_when);

#endif
