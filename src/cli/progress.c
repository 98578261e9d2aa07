/* SPDX-License-Identifier: BSD-2-Clause */
/* One line on stderr, redrawn in place. */
#include "base/units.h"
#include "cli/cli.h"

/* Back to the start of the line and clear it. */
#define CLEAR_LINE "\r\033[K"

static void draw_scan(const struct cadv_progress *progress)
{
    char bytes[UNITS_TEXT_MAX];
    char rate[UNITS_TEXT_MAX];
    char files[UNITS_TEXT_MAX];
    double per_s =
        progress->elapsed_s > 0.0 ? (double)progress->bytes / progress->elapsed_s : 0.0;
    (void)fprintf(stderr, CLEAR_LINE "reading: %s, %s/s, %s files",
                  units_format_bytes(progress->bytes, 3, bytes),
                  units_format_bytes((uint64_t)per_s, 3, rate),
                  cadv_count_format(progress->files, files));
    if (progress->problems > 0) {
        char problems[UNITS_TEXT_MAX];
        (void)fprintf(stderr, ", %s problems", cadv_count_format(progress->problems, problems));
    }
}

static void draw_trials(const struct cadv_progress *progress)
{
    char done[UNITS_TEXT_MAX];
    (void)fprintf(stderr, CLEAR_LINE "trying levels: %s of the planned work done",
                  cadv_percent_format(progress->trial_done, progress->trial_planned, done));
}

void cli_progress_draw(const struct cadv_progress *progress, void *ctx)
{
    struct cli_progress *state = ctx;
    if (!state->is_shown) {
        return;
    }
    if (progress->phase == CADV_PHASE_SCAN) {
        draw_scan(progress);
    } else if (progress->phase == CADV_PHASE_TRIALS) {
        draw_trials(progress);
    }
    state->is_drawn = true;
    (void)fflush(stderr);
}

void cli_progress_clear(struct cli_progress *progress)
{
    if (progress->is_drawn) {
        (void)fputs(CLEAR_LINE, stderr);
        (void)fflush(stderr);
        progress->is_drawn = false;
    }
}
