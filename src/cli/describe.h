/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/describe.h - what the manual's and the completions' writers share; of the generator only. */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include "cli/option_table.h"

/** Every option, those of argp behind those of the table. */
size_t describe_count(void);
const struct cli_option *describe_option(size_t index);

/** What a shell may offer for the argument: names of files, of directories, or words. */
bool describe_is_file(const struct cli_option *option);
bool describe_is_directory(const struct cli_option *option);
bool describe_has_words(const struct cli_option *option);

/** Bytes of the first sentence, without its full stop. */
size_t describe_first_sentence(const char *help);

/** Writes the completion of a shell to standard output. */
void describe_bash(void);
void describe_zsh(void);
void describe_fish(void);

#endif
