/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compadvise - which compression level for which backup.
 *
 * The map, in the order of the data:
 *
 *   cli/        arguments, signals, progress, exit code; the rest is the library
 *   session/    one run, start to end: scan, plan, trial, estimate, project, recommend
 *   walk/       directory trees in, entries out
 *   source/     the bytes of one file
 *   chunk/      where Borg would cut
 *   index/      which chunks were seen before
 *   sample/     the one ordering of unique chunks; contents kept for trials
 *   codec/      the table of codecs
 *   scan/       the pipeline of the above: fills a record
 *   record/     the scan record: all that is known, as one value
 *   plan/       which trials, by budget alone
 *   trial/      runs them
 *   estimate/   totals with intervals; pure from here on
 *   target/     what a backup tool stores and how long it runs; one file set per tool
 *   advise/     hull, knees, daily, archive
 *   report/     text and JSON; computes nothing
 *   base/, par/ errors, units, arrays; threads
 */
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

static void on_signal(int signal_number)
{
    cadv_session_stop(signal_number);
}

static void on_request(int signal_number)
{
    (void)signal_number;
    cadv_session_report_now();
}

/* Sets the handler, unless the signal was made to be ignored by whoever started the program: a
 * shell does so with SIGINT for what runs in the background. */
static void catch (int signal_number, const struct sigaction *action)
{
    struct sigaction before;
    bool is_ignored =
        sigaction(signal_number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!is_ignored) {
        (void)sigaction(signal_number, action, NULL);
    }
}

/*
 * Signals that mean "enough" end the run with a report, one asks for a report now; a closed pipe and a file that may not grow
 * are errors of the write.
 */
static void catch_signals(void)
{
    static const int enough[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction stop = {.sa_handler = on_signal};
    /* A report is not worth losing a write that is under way. */
    struct sigaction request = {.sa_handler = on_request, .sa_flags = SA_RESTART};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&stop.sa_mask);
    (void)sigemptyset(&request.sa_mask);
    (void)sigemptyset(&ignore.sa_mask);
    for (size_t i = 0; i < sizeof enough / sizeof enough[0]; i++) {
        catch (enough[i], &stop);
    }
    catch (SIGUSR1, &request);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

static int fail(const struct cadv_error *error)
{
    (void)fprintf(stderr, "compadvise: %s\n", error->message);
    return error->status == CADV_ERR_USAGE ? CLI_EXIT_USAGE : CLI_EXIT_FAILED;
}

static int exit_code(const struct cadv_result *result)
{
    if (!result->is_complete && result->stop_signal > 0) {
        return CLI_EXIT_SIGNAL + result->stop_signal;
    }
    return result->dataset.problem_count > 0 ? CLI_EXIT_PROBLEMS : CLI_EXIT_COMPLETE;
}

/* What the callbacks of a run need. */
struct watch {
    const struct cli_arguments *arguments;
    struct cli_progress progress;
};

static void on_progress(const struct cadv_progress *progress, void *ctx)
{
    struct watch *watch = ctx;
    cli_progress_draw(progress, &watch->progress);
}

/* To the same place as the last one. When that fails, the run is worth more than this report. */
static void on_interim(const struct cadv_result *result, void *ctx)
{
    struct watch *watch = ctx;
    struct cadv_error error = {0};
    cli_progress_clear(&watch->progress);
    if (cli_output_write(watch->arguments, result, &error) != CADV_OK) {
        (void)fail(&error);
    }
}

int main(int argc, char **argv)
{
    struct cli_arguments arguments;
    struct cadv_result *result = NULL;
    struct cadv_error error = {0};
    int code = CLI_EXIT_COMPLETE;

    cli_output_guard();
    /* Only what is printed depends on it: whether the terminal takes Unicode. */
    (void)setlocale(LC_CTYPE, "");
    catch_signals();
    cli_parse(argc, argv, &arguments);

    struct watch watch = {.arguments = &arguments};
    struct cadv_watcher watcher = {
        .progress = on_progress, .interim = on_interim, .ctx = &watch};
    cli_progress_init(&watch.progress, arguments.progress, arguments.report.verbosity < 0);
    enum cadv_status status = cli_output_check(arguments.output_path, &error);
    if (status == CADV_OK) {
        status = cadv_session_run_watched(&arguments.options, &watcher, &result, &error);
    }
    cli_progress_clear(&watch.progress);
    if (status == CADV_OK) {
        status = cli_output_write(&arguments, result, &error);
    }

    if (status == CADV_OK) {
        code = exit_code(result);
    } else {
        code = fail(&error);
        cli_output_failure_said();
    }
    cadv_result_free(result);
    cli_arguments_fini(&arguments);
    return code;
}
