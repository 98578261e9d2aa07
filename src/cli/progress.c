/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Progress on stderr. A line on a terminal is redrawn by one write that ends with erasing the rest,
 * and only when its text changed, so nothing flickers; it never reaches the last column, where some
 * terminals would wrap.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

/* Seconds between two lines: of a terminal or of JSON, and of a log that is kept. */
#define DRAW_INTERVAL_S 0.1
#define LOG_INTERVAL_S 1.0

static const char erase_rest[] = "\033[K";

void cli_progress_init(struct cli_progress *state, enum cli_when when, bool is_quiet)
{
    const char *terminal = getenv("TERM");
    bool is_terminal = isatty(STDERR_FILENO) == 1;
    bool can_redraw = is_terminal && (terminal == NULL || strcmp(terminal, "dumb") != 0);
    *state = (struct cli_progress){.form = CLI_PROGRESS_NONE, .last_s = -1};
    switch (when) {
    case CLI_WHEN_AUTO:
        state->form = can_redraw && !is_quiet ? CLI_PROGRESS_LINE : CLI_PROGRESS_NONE;
        break;
    case CLI_WHEN_ALWAYS:
        state->form = can_redraw ? CLI_PROGRESS_LINE : CLI_PROGRESS_LOG;
        break;
    case CLI_WHEN_JSON:
        state->form = CLI_PROGRESS_JSON;
        break;
    case CLI_WHEN_NEVER:
        break;
    }
}

/* Columns that may be used. */
static size_t line_width(void)
{
    struct winsize size;
    size_t columns = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        columns = size.ws_col;
    }
    return columns < CLI_PROGRESS_MAX ? columns - 1 : CLI_PROGRESS_MAX - 1;
}

/* One write, so that no half of a line is ever seen. What fails here fails unseen. */
static void put(const char *text, size_t length)
{
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

static void append(char *line, const char *before, const char *text, const char *after)
{
    size_t used = strlen(line);
    (void)snprintf(line + used, CLI_PROGRESS_MAX - used, "%s%s%s", before, text, after);
}

static void append_eta(char *line, double seconds)
{
    char text[CADV_UNITS_TEXT_MAX];
    if (seconds >= 0) {
        append(line, ", ", cadv_seconds_format(seconds, false, text), " left");
    }
}

static void describe_scan(const struct cadv_progress *progress, char *line)
{
    char text[CADV_UNITS_TEXT_MAX];
    double bytes = (double)progress->bytes;
    double per_s = progress->elapsed_s > 0.0 ? bytes / progress->elapsed_s : 0.0;
    append(line, "reading: ", cadv_bytes_format(progress->bytes, CADV_UNITS_SI, 3, text), "");
    if (progress->bytes_found >= progress->bytes) {
        append(line, progress->is_walk_done ? " of " : " of at least ",
               cadv_bytes_format(progress->bytes_found, CADV_UNITS_SI, 3, text), "");
    }
    append(line, ", ", cadv_bytes_format((uint64_t)per_s, CADV_UNITS_SI, 3, text), "/s");
    append(line, ", ", cadv_count_format(progress->files, text), " files");
    if (progress->is_walk_done && progress->bytes_found >= progress->bytes && per_s > 0) {
        append_eta(line, (double)(progress->bytes_found - progress->bytes) / per_s);
    }
    if (progress->problems > 0) {
        append(line, ", ", cadv_count_format(progress->problems, text), " problems");
    }
}

static void describe_trials(const struct cadv_progress *progress,
                            const struct cli_progress *state, char *line)
{
    char text[CADV_UNITS_TEXT_MAX];
    double taken_s = progress->elapsed_s - state->trials_start_s;
    uint64_t done = progress->trial_done < progress->trial_planned ? progress->trial_done
                                                                   : progress->trial_planned;
    append(line, "trying levels: ", cadv_percent_format(done, progress->trial_planned, text),
           " of the planned work");
    if (progress->widest_half_width >= 0) {
        (void)snprintf(text, sizeof text, "%.2g", 100 * progress->widest_half_width);
        append(line, ", widest interval +-", text, " %");
    }
    /* The first moments say little about the rest. */
    if (taken_s >= 1 && done > 0) {
        append_eta(line, taken_s * (double)(progress->trial_planned - done) / (double)done);
    }
}

/* Trials come in stretches, each from nothing to its own plan: notices where one begins. */
static void notice_trials(const struct cadv_progress *progress, struct cli_progress *state)
{
    bool is_new =
        progress->phase == CADV_PHASE_TRIALS &&
        (state->phase != CADV_PHASE_TRIALS || progress->trial_done < state->trial_done);
    if (is_new) {
        state->trials_start_s = progress->elapsed_s;
    }
    state->phase = progress->phase;
    state->trial_done = progress->trial_done;
}

static void draw_json(const struct cadv_progress *progress)
{
    static const char *const phases[] = {
        [CADV_PHASE_SCAN] = "scan", [CADV_PHASE_TRIALS] = "trials", [CADV_PHASE_DONE] = "done"};
    char line[CLI_PROGRESS_MAX];
    /* Milliseconds as integers: the decimal point must not depend on the locale. */
    unsigned long long ms = (unsigned long long)(progress->elapsed_s * 1000);
    char widest[CADV_UNITS_TEXT_MAX] = "null";
    if (progress->widest_half_width >= 0) {
        unsigned long long ppm = (unsigned long long)(progress->widest_half_width * 1e6);
        (void)snprintf(widest, sizeof widest, "%llu.%06llu", ppm / 1000000, ppm % 1000000);
    }
    int length = snprintf(
        line, sizeof line,
        "{\"phase\":\"%s\",\"elapsed_seconds\":%llu.%03llu,\"files\":%llu,\"bytes\":%llu,"
        "\"files_found\":%llu,\"bytes_found\":%llu,\"walk_done\":%s,\"unique_bytes\":%llu,"
        "\"problems\":%llu,\"trial_done\":%llu,\"trial_planned\":%llu,\"widest_half_width\":%s}"
        "\n",
        phases[progress->phase], ms / 1000, ms % 1000, (unsigned long long)progress->files,
        (unsigned long long)progress->bytes, (unsigned long long)progress->files_found,
        (unsigned long long)progress->bytes_found, progress->is_walk_done ? "true" : "false",
        (unsigned long long)progress->unique_bytes, (unsigned long long)progress->problems,
        (unsigned long long)progress->trial_done, (unsigned long long)progress->trial_planned,
        widest);
    if (length > 0 && (size_t)length < sizeof line) {
        put(line, (size_t)length);
    }
}

static void draw_text(const struct cadv_progress *progress, struct cli_progress *state)
{
    char text[CLI_PROGRESS_MAX] = "";
    char line[CLI_PROGRESS_MAX + 8];
    if (progress->phase == CADV_PHASE_SCAN) {
        describe_scan(progress, text);
    } else {
        describe_trials(progress, state, text);
    }
    bool is_line = state->form == CLI_PROGRESS_LINE;
    if (is_line) {
        text[line_width()] = '\0';
    }
    if (strcmp(text, state->shown) == 0) {
        return;
    }
    memcpy(state->shown, text, sizeof text);
    int length = snprintf(line, sizeof line, "%s%s%s", is_line ? "\r" : "", text,
                          is_line ? erase_rest : "\n");
    put(line, (size_t)length);
}

void cli_progress_draw(const struct cadv_progress *progress, void *ctx)
{
    struct cli_progress *state = ctx;
    bool is_done = progress->phase == CADV_PHASE_DONE;
    double interval_s = state->form == CLI_PROGRESS_LOG ? LOG_INTERVAL_S : DRAW_INTERVAL_S;
    notice_trials(progress, state);
    bool is_due = state->last_s < 0 || progress->elapsed_s - state->last_s >= interval_s;
    if (state->form == CLI_PROGRESS_NONE || (!is_due && !is_done)) {
        return;
    }
    state->last_s = progress->elapsed_s;
    if (state->form == CLI_PROGRESS_JSON) {
        draw_json(progress);
    } else if (!is_done) {
        draw_text(progress, state);
    }
}

void cli_progress_clear(struct cli_progress *state)
{
    if (state->form == CLI_PROGRESS_LINE && state->shown[0] != '\0') {
        static const char clear[] = "\r\033[K";
        put(clear, sizeof clear - 1);
        state->shown[0] = '\0';
    }
}
