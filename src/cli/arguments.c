/* SPDX-License-Identifier: BSD-2-Clause */
/* From argv to the arguments, by the option table; argp does the reading and the help. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static void refuse(struct parse *parse, const struct cadv_error *error)
{
    bool is_usage = error->status == CADV_ERR_USAGE;
    (void)fprintf(stderr, "compadvise: %s%s\n", error->message,
                  is_usage ? "; see 'compadvise --help'" : "");
    cli_arguments_fini(parse->arguments);
    cli_output_failure_said();
    exit(is_usage ? CLI_EXIT_USAGE : CLI_EXIT_FAILED);
}

static void refuse_text(struct parse *parse, const char *text)
{
    struct cadv_error error = {.status = CADV_ERR_USAGE};
    (void)snprintf(error.message, sizeof error.message, "%s", text);
    refuse(parse, &error);
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

static void check_conflicts(struct parse *parse)
{
    for (size_t i = 0; i < cli_conflict_count; i++) {
        const struct cli_conflict *conflict = &cli_conflicts[i];
        if (parse->is_given[row_named(conflict->one)] &&
            parse->is_given[row_named(conflict->other)]) {
            char text[160];
            (void)snprintf(text, sizeof text, "--%s goes with no --%s: %s", conflict->one,
                           conflict->other, conflict->why);
            refuse_text(parse, text);
        }
    }
}

/* A PATH of "-" is standard input: an archive, or with --stdin-name a file. */
static void settle_inputs(struct parse *parse)
{
    struct cli_arguments *arguments = parse->arguments;
    struct cadv_error error = {0};
    bool is_named = parse->is_given[row_named("stdin-name")];
    if (is_named && arguments->options.stdin_name[0] == '\0') {
        refuse_text(parse, "--stdin-name must not be empty");
    }
    if (is_named && arguments->paths.count == 0 &&
        cli_path_add(arguments, "-", CADV_INPUT_TREE, &error) != CADV_OK) {
        refuse(parse, &error);
    }
    size_t streams = 0;
    bool is_used = false;
    for (size_t i = 0; i < arguments->paths.count; i++) {
        if (strcmp(arguments->paths.items[i], "-") != 0) {
            continue;
        }
        streams++;
        if (arguments->inputs[i] == CADV_INPUT_TREE) {
            arguments->inputs[i] = is_named ? CADV_INPUT_STREAM : CADV_INPUT_ARCHIVE;
            is_used = is_named;
        }
    }
    if (streams > 1) {
        refuse_text(parse, "standard input can be read once only: give - once");
    }
    if (is_named && !is_used) {
        refuse_text(parse,
                    "--stdin-name names what comes from standard input: give - as a PATH");
    }
    if (streams > 0 && isatty(STDIN_FILENO) == 1) {
        refuse_text(parse, "standard input is a terminal: pipe an archive into it, as in "
                           "'tar c /srv | compadvise -'");
    }
}

/* Lists are lent to the options only when they no longer grow. */
static void finish(struct parse *parse)
{
    struct cli_arguments *arguments = parse->arguments;
    struct cadv_options *options = &arguments->options;
    settle_inputs(parse);
    options->inputs = arguments->inputs;
    options->paths = arguments->paths.items;
    options->path_count = arguments->paths.count;
    options->excludes = arguments->excludes.items;
    options->exclude_count = arguments->excludes.count;
    check_conflicts(parse);
    if (options->path_count == 0) {
        refuse_text(parse, "no path given: name the files, directories or archives to examine");
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
        if (cli_path_add(parse->arguments, arg, CADV_INPUT_TREE, &error) != CADV_OK) {
            refuse(parse, &error);
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
            refuse(parse, &error);
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
        .args_doc = "PATH...\n- < ARCHIVE",
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
    *arguments = (struct cli_arguments){.options = cadv_options_default(),
                                        .report = cadv_report_options_default()};
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
    error_t problem = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &parse);
    if (problem != 0) {
        /* What was wrong with the options has ended the program already. */
        (void)fprintf(stderr, "compadvise: cannot read the options: %s\n", strerror(problem));
        cli_output_failure_said();
        exit(CLI_EXIT_FAILED);
    }
}

void cli_arguments_fini(struct cli_arguments *arguments)
{
    free(arguments->paths.items);
    free(arguments->inputs);
    free(arguments->excludes.items);
    *arguments = (struct cli_arguments){0};
}
