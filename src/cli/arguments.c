/* SPDX-License-Identifier: BSD-2-Clause */
/* From argv to the arguments, by the option table; argp does the reading and the help. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"

/* argp keys of the rows without a letter: beyond any character. */
enum { KEY_FIRST = 0x100 };

/* More rows than there will be; the table is checked against it. */
enum { ROWS_MAX = 96 };

/* What parsing needs besides the result. */
struct parse {
    struct cli_arguments *arguments;
    /* By row: given at least once. */
    bool is_given[ROWS_MAX];
};

/* One line, and the end. */
static void refuse(const struct cadv_error *error)
{
    bool is_usage = error->status == CADV_ERR_USAGE;
    (void)fprintf(stderr, "compadvise: %s%s\n", error->message,
                  is_usage ? "; see 'compadvise --help'" : "");
    exit(is_usage ? CLI_EXIT_USAGE : CLI_EXIT_FAILED);
}

static void refuse_text(const char *text)
{
    struct cadv_error error = {.status = CADV_ERR_USAGE};
    (void)snprintf(error.message, sizeof error.message, "%s", text);
    refuse(&error);
}

static int key_of(size_t row)
{
    return cli_options[row].letter != 0 ? cli_options[row].letter : KEY_FIRST + (int)row;
}

static size_t row_named(const char *name)
{
    size_t row = 0;
    while (row < cli_option_count && strcmp(cli_options[row].name, name) != 0) {
        row++;
    }
    return row;
}

static void check_conflicts(const struct parse *parse)
{
    for (size_t i = 0; i < cli_conflict_count; i++) {
        const struct cli_conflict *conflict = &cli_conflicts[i];
        if (parse->is_given[row_named(conflict->one)] &&
            parse->is_given[row_named(conflict->other)]) {
            char text[160];
            (void)snprintf(text, sizeof text, "--%s goes with no --%s: %s", conflict->one,
                           conflict->other, conflict->why);
            refuse_text(text);
        }
    }
}

/* Lists are lent to the options only when they no longer grow. */
static void finish(struct parse *parse)
{
    struct cli_arguments *arguments = parse->arguments;
    struct cadv_options *options = &arguments->options;
    options->paths = arguments->paths.items;
    options->path_count = arguments->paths.count;
    options->excludes = arguments->excludes.items;
    options->exclude_count = arguments->excludes.count;
    check_conflicts(parse);
    if (options->path_count == 0) {
        refuse_text("no path given: name the files or directories to examine");
    }
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct cadv_error error = {0};
    if (key == ARGP_KEY_INIT) {
        /* getopt says on stderr what is wrong; argp's second line would only add "Try --help". */
        state->err_stream = fopen("/dev/null", "we");
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        if (cli_list_add(&parse->arguments->paths, arg, &error) != CADV_OK) {
            refuse(&error);
        }
        return 0;
    }
    if (key == ARGP_KEY_END) {
        finish(parse);
        return 0;
    }
    for (size_t row = 0; row < cli_option_count; row++) {
        if (key != key_of(row)) {
            continue;
        }
        parse->is_given[row] = true;
        if (cli_options[row].set(&cli_options[row], arg, parse->arguments, &error) != CADV_OK) {
            refuse(&error);
        }
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* The table as argp wants it: each group behind its heading, a row of zeros at the end. */
static void fill_argp(struct argp_option table[ROWS_MAX + CLI_GROUPS + 1])
{
    size_t used = 0;
    for (size_t row = 0; row < cli_option_count && row < ROWS_MAX; row++) {
        const struct cli_option *option = &cli_options[row];
        int group = (int)option->group + 1;
        if (row == 0 || cli_options[row - 1].group != option->group) {
            table[used++] =
                (struct argp_option){.doc = cli_group_heading(option->group), .group = group};
        }
        table[used++] = (struct argp_option){.name = option->name,
                                             .key = key_of(row),
                                             .arg = option->argument,
                                             .doc = option->help,
                                             .group = group};
    }
    table[used] = (struct argp_option){0};
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    (void)fprintf(stream, "compadvise %s\n", cadv_version());
    for (int codec = CADV_CODEC_LZ4; codec < CADV_CODEC_COUNT; codec++) {
        (void)fprintf(stream, "%s %s\n", cadv_codec_name((enum cadv_codec)codec),
                      cadv_codec_version((enum cadv_codec)codec));
    }
}

void cli_parse(int argc, char **argv, struct cli_arguments *arguments)
{
    struct argp_option table[ROWS_MAX + CLI_GROUPS + 1];
    const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "PATH...",
        .doc =
            "Says, for the data below each PATH and every compression level, how big a Borg "
            "repository of it will be, how long the backup and a restore take and how many "
            "cores they keep busy; then recommends a level.\v"
            "BYTES take k, M, G, T or Ki, Mi, Gi, Ti; a RATE is bytes a second (50MB/s) or "
            "bits (100Mbit/s); a DURATION takes s, m, h, d. SIGINT, SIGTERM and SIGHUP end the "
            "run with a report, after the trials in hand; SIGUSR1 asks for one in between. "
            "Exit status: 0 complete, or ended by a limit; 1 the same but some files had "
            "problems; 2 usage; 3 failed; 128+N ended by signal N before every file was read "
            "and every level tried, after a partial report."};
    *arguments = (struct cli_arguments){.options = cadv_options_default()};
    struct parse parse = {.arguments = arguments};
    fill_argp(table);
    argp_err_exit_status = CLI_EXIT_USAGE;
    argp_program_version_hook = print_version;
    /* The width of --help must not depend on the terminal. */
    (void)setenv("ARGP_HELP_FMT", "rmargin=79,opt-doc-col=26", 1);
    /* getopt names the program as it was called, which may be a long path. */
    static char name[] = "compadvise";
    if (argc > 0) {
        argv[0] = name;
    }
    error_t problem = argp_parse(&argp, argc, argv, 0, NULL, &parse);
    if (problem != 0) {
        (void)fprintf(stderr, "compadvise: %s\n", strerror(problem));
        exit(CLI_EXIT_USAGE);
    }
}

void cli_arguments_fini(struct cli_arguments *arguments)
{
    free(arguments->paths.items);
    free(arguments->excludes.items);
    *arguments = (struct cli_arguments){0};
}
