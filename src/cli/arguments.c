/* SPDX-License-Identifier: BSD-2-Clause */
/* The option table: what --help prints is what is parsed. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/cli.h"
#include "cli/numbers.h"

/* Options without a letter get keys beyond any character. */
enum {
    KEY_LEVELS = 0x100,
    KEY_NO_BASELINE,
    KEY_TARGET,
    KEY_CHUNKER_PARAMS,
    KEY_CHUNK_SEED,
    KEY_EXCLUDE,
    KEY_ONE_FILE_SYSTEM,
    KEY_EXACT,
    KEY_SAMPLE_BUDGET,
    KEY_SAMPLE_SALT,
    KEY_JOBS,
    KEY_READ_RATE,
    KEY_WRITE_RATE,
    KEY_UPLINK,
    KEY_STORAGE_PRICE,
    KEY_CPU_PRICE,
    KEY_KEEP,
    KEY_FORMAT
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to compare:", 1},
    {"levels", KEY_LEVELS, "LIST", 0,
     "Levels to report, comma-separated or repeated: none, lz4, zstd, zstd:N, zstd:A-B "
     "(zstd:-7--1 for negative ones). Default zstd:1-22",
     1},
    {"no-baseline", KEY_NO_BASELINE, NULL, 0, "Leave out the rows none and lz4", 1},
    {"target", KEY_TARGET, "NAME", 0, "The backup tool: borg1 (default)", 1},
    {"chunker-params", KEY_CHUNKER_PARAMS, "PARAMS", 0,
     "How the backup cuts files, in Borg's notation. Default buzhash,19,23,21,4095", 1},
    {"chunk-seed", KEY_CHUNK_SEED, "N", 0,
     "Chunk seed of an encrypted repository. Default 0, that of one without a key", 1},
    {NULL, 0, NULL, 0, "What to read:", 2},
    {"exclude", KEY_EXCLUDE, "PATTERN", 0,
     "Leave out paths that match the shell pattern; may be repeated", 2},
    {"one-file-system", KEY_ONE_FILE_SYSTEM, NULL, 0, "Do not enter other file systems", 2},
    {NULL, 0, NULL, 0, "How hard to try:", 3},
    {"exact", KEY_EXACT, NULL, 0, "Try every unique chunk at every level", 3},
    {"sample-budget", KEY_SAMPLE_BUDGET, "BYTES", 0,
     "CPU for trials, as the bytes that zstd,19 compresses with it. Default 600M", 3},
    {"sample-salt", KEY_SAMPLE_SALT, "N", 0, "Take another sample of the same data", 3},
    {"jobs", KEY_JOBS, "N", 0, "Worker threads. Default: the CPUs this process may use", 3},
    {NULL, 0, NULL, 0, "What the machine does, and what things cost:", 4},
    {"read-rate", KEY_READ_RATE, "RATE", 0, "Reading the dataset. Default: as measured", 4},
    {"write-rate", KEY_WRITE_RATE, "RATE", 0, "Writing the repository. Default: as measured",
     4},
    {"uplink", KEY_UPLINK, "RATE", 0, "Link to the repository. Default: it is local", 4},
    {"storage-price", KEY_STORAGE_PRICE, "PRICE", 0, "Of a GB for a month. Default 0.01", 4},
    {"cpu-price", KEY_CPU_PRICE, "PRICE", 0, "Of a core for an hour. Default 0.04", 4},
    {"keep", KEY_KEEP, "MONTHS", 0, "How long what is stored is kept. Default 12", 4},
    {NULL, 0, NULL, 0, "Output:", 5},
    {"format", KEY_FORMAT, "FORMAT", 0, "table (default) or json", 5},
    {"output", 'o', "FILE", 0, "Write the report to FILE, whole or not at all", 5},
    {"quiet", 'q', NULL, 0, "Only the table; no progress", 5},
    {"verbose", 'v', NULL, 0, "State the assumptions as well", 5},
    {0},
};

/* What parsing needs besides the result. */
struct parse {
    struct cli_arguments *arguments;
    bool has_budget;
    bool has_salt;
};

/* One line, exit 2. */
static void refuse(const struct cadv_error *error)
{
    (void)fprintf(stderr, "compadvise: %s; see 'compadvise --help'\n", error->message);
    exit(CLI_EXIT_USAGE);
}

static void refuse_text(const char *text)
{
    (void)fprintf(stderr, "compadvise: %s; see 'compadvise --help'\n", text);
    exit(CLI_EXIT_USAGE);
}

static void add_text(const char ***list, size_t *count, const char *text)
{
    const char **longer = realloc(*list, (*count + 1) * sizeof *longer);
    if (longer == NULL) {
        (void)fprintf(stderr, "compadvise: out of memory while reading the arguments\n");
        exit(CLI_EXIT_FAILED);
    }
    longer[(*count)++] = text;
    *list = longer;
}

/* Options about levels and cutting; ARGP_ERR_UNKNOWN when `key` is none of them. */
static error_t parse_what(int key, const char *arg, struct cadv_options *options)
{
    struct cadv_error error = {0};
    enum cadv_status status = CADV_OK;
    uint32_t seed = options->chunker.seed;
    switch (key) {
    case KEY_LEVELS:
        status = cadv_levels_add(&options->levels, arg, &error);
        break;
    case KEY_NO_BASELINE:
        options->has_baseline = false;
        break;
    case KEY_TARGET:
        options->target = arg;
        break;
    case KEY_CHUNKER_PARAMS:
        status = cadv_chunker_parse(arg, &options->chunker, &error);
        options->chunker.seed = seed;
        break;
    case KEY_CHUNK_SEED:
        status = cli_parse_seed(arg, &options->chunker.seed, &error);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (status != CADV_OK) {
        refuse(&error);
    }
    return 0;
}

/* Options with numbers; ARGP_ERR_UNKNOWN when `key` is none of them. */
static error_t parse_number(int key, const char *arg, struct parse *parse)
{
    struct cadv_options *options = &parse->arguments->options;
    struct cadv_error error = {0};
    enum cadv_status status = CADV_OK;
    switch (key) {
    case KEY_SAMPLE_BUDGET:
        parse->has_budget = true;
        status = cadv_bytes_parse(arg, &options->sample_budget_bytes, &error);
        if (status == CADV_OK && options->sample_budget_bytes == 0) {
            refuse_text("--sample-budget must be at least 1 byte");
        }
        break;
    case KEY_SAMPLE_SALT:
        parse->has_salt = true;
        status =
            cli_parse_u64("--sample-salt", arg, 0, UINT64_MAX, &options->sample_salt, &error);
        break;
    case KEY_JOBS: {
        uint64_t jobs = 0;
        status = cli_parse_u64("--jobs", arg, 1, CADV_JOBS_MAX, &jobs, &error);
        options->jobs = (unsigned)jobs;
        break;
    }
    case KEY_READ_RATE:
        status = cli_parse_rate("--read-rate", arg, &options->read_rate, &error);
        break;
    case KEY_WRITE_RATE:
        status = cli_parse_rate("--write-rate", arg, &options->write_rate, &error);
        break;
    case KEY_UPLINK:
        status = cli_parse_rate("--uplink", arg, &options->uplink_rate, &error);
        break;
    case KEY_STORAGE_PRICE:
        status = cli_parse_price("--storage-price", arg, &options->storage_price, &error);
        break;
    case KEY_CPU_PRICE:
        status = cli_parse_price("--cpu-price", arg, &options->cpu_price, &error);
        break;
    case KEY_KEEP:
        status = cli_parse_price("--keep", arg, &options->keep_months, &error);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (status != CADV_OK) {
        refuse(&error);
    }
    return 0;
}

static void check_together(const struct parse *parse)
{
    const struct cadv_options *options = &parse->arguments->options;
    if (options->path_count == 0) {
        refuse_text("no path given: name the files or directories to examine");
    }
    if (options->is_exact && (parse->has_budget || parse->has_salt)) {
        refuse_text("--exact tries every chunk, so it goes with neither --sample-budget nor "
                    "--sample-salt");
    }
}

static void set_verbosity(struct cli_arguments *arguments, int verbosity)
{
    if (arguments->report.verbosity == -verbosity) {
        refuse_text("--quiet and --verbose contradict each other");
    }
    arguments->report.verbosity = verbosity;
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct cli_arguments *arguments = parse->arguments;
    struct cadv_options *options = &arguments->options;
    struct cadv_error error = {0};
    switch (key) {
    case ARGP_KEY_INIT:
        /* getopt says on stderr what is wrong; argp's second line would only add "Try --help". */
        state->err_stream = fopen("/dev/null", "we");
        return 0;
    case KEY_EXCLUDE:
        add_text(&arguments->excludes, &options->exclude_count, arg);
        options->excludes = arguments->excludes;
        return 0;
    case KEY_ONE_FILE_SYSTEM:
        options->is_one_file_system = true;
        return 0;
    case KEY_EXACT:
        options->is_exact = true;
        return 0;
    case KEY_FORMAT:
        if (cadv_format_parse(arg, &arguments->report.format, &error) != CADV_OK) {
            refuse(&error);
        }
        return 0;
    case 'o':
        arguments->output_path = arg;
        return 0;
    case 'q':
        set_verbosity(arguments, -1);
        return 0;
    case 'v':
        set_verbosity(arguments, 1);
        return 0;
    case ARGP_KEY_ARG:
        add_text(&arguments->paths, &options->path_count, arg);
        options->paths = arguments->paths;
        return 0;
    case ARGP_KEY_END:
        check_together(parse);
        return 0;
    default:
        break;
    }
    error_t answer = parse_what(key, arg, options);
    return answer == ARGP_ERR_UNKNOWN ? parse_number(key, arg, parse) : answer;
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
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "PATH...",
        .doc = "Says, for the data below each PATH and every compression level, how big a Borg "
               "repository of it will be, how long the backup and a restore take and how many "
               "cores they keep busy; then recommends a level.\v"
               "BYTES take k, M, G, T or Ki, Mi, Gi, Ti; a RATE is bytes a second (50MB/s) or "
               "bits (100Mbit/s). Exit status: 0 complete, 1 complete but some files had "
               "problems, 2 usage, 3 failed, 128+N ended by signal N after a partial report."};
    *arguments = (struct cli_arguments){.options = cadv_options_default(),
                                        .report = cadv_report_options_default()};
    struct parse parse = {.arguments = arguments};
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
    free(arguments->paths);
    free(arguments->excludes);
    *arguments = (struct cli_arguments){0};
}
