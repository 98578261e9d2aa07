/* SPDX-License-Identifier: BSD-2-Clause */
/* advice.c - what to do, why, and the line to paste. */
#include <string.h>

#include "base/units.h"
#include "report/cells.h"
#include "report/parts.h"

/* Problems that the text names; the JSON report has all that are kept. */
enum { PROBLEMS_SHOWN = 10 };

/* Lists of levels longer than this end early. */
enum { LINE_MAX_BYTES = 2048 };

static void print_recommendation(const struct report_text *text,
                                 const struct cadv_result *result, const char *title,
                                 const struct cadv_recommendation *advice, bool has_command)
{
    if (advice->row == CADV_NO_ROW || advice->row >= result->row_count) {
        report_paragraph(text, 4, "%s: none%s%s.", title, advice->why[0] != '\0' ? "; " : "",
                         advice->why);
        return;
    }
    report_paragraph(text, 4, "%s: %s%s%s.", title, result->rows[advice->row].name,
                     advice->why[0] != '\0' ? "; " : "", advice->why);
    if (!has_command) {
        return;
    }
    /* One line however long: it is there to be copied. Backslashes are the shell's. */
    (void)fputs("    ", text->out);
    escape_print(text->out, advice->command,
                 report_path_flags(text) & ~(unsigned)ESCAPE_BACKSLASH);
    (void)fputc('\n', text->out);
}

/* "none to zstd,3 reading; zstd,4 to zstd,19 compression": neighbours with the same are one. */
static void print_bottleneck(const struct report_text *text, const struct cadv_result *result)
{
    char line[LINE_MAX_BYTES] = "";
    bool has_room = true;
    for (size_t first = 0; first < result->row_count && has_room;) {
        const struct cadv_row *row = &result->rows[first];
        size_t next = first + 1;
        if (row->bottleneck == NULL || !report_row_is_known(row)) {
            first = next;
            continue;
        }
        while (next < result->row_count && result->rows[next].bottleneck != NULL &&
               report_row_is_known(&result->rows[next]) &&
               strcmp(result->rows[next].bottleneck, row->bottleneck) == 0) {
            next++;
        }
        const char *gap = line[0] != '\0' ? "; " : "";
        has_room = next - first == 1
                       ? report_append(line, sizeof line, "%s%s at %s", gap, row->bottleneck,
                                       row->name)
                       : report_append(line, sizeof line, "%s%s from %s to %s", gap,
                                       row->bottleneck, row->name, result->rows[next - 1].name);
        first = next;
    }
    if (line[0] != '\0') {
        report_paragraph(text, 4, "Bottleneck: %s.", line);
    }
}

/* "zstd,4 and zstd,5; zstd,7 and zstd,8": rows whose difference may as well be none. */
static void print_equals(const struct report_text *text, const struct cadv_result *result)
{
    char line[LINE_MAX_BYTES] = "";
    bool has_room = true;
    for (size_t i = 1; i < result->row_count && has_room; i++) {
        if (report_step_is_in_doubt(&result->rows[i])) {
            has_room =
                report_append(line, sizeof line, "%s%s and %s", line[0] != '\0' ? "; " : "",
                              result->rows[i - 1].name, result->rows[i].name);
        }
    }
    if (line[0] != '\0') {
        report_paragraph(text, 4, "Equal in size within the interval: %s.", line);
    }
}

void report_advice(const struct report_text *text, const struct cadv_result *result)
{
    const struct cadv_advice *advice = &result->advice;
    print_recommendation(text, result, "Daily", &advice->daily, true);
    print_recommendation(text, result, "Archive", &advice->archive, true);
    print_recommendation(text, result, "Knee", &advice->knee, false);
    print_recommendation(text, result, "Second opinion (Kneedle)", &advice->kneedle, false);
    print_bottleneck(text, result);
    print_equals(text, result);
    char bound[UNITS_TEXT_MAX];
    report_paragraph(
        text, 4, "Never more than %s: the repository if nothing were repeated or compressed.",
        report_bytes(text, result->upper_bound, 4, bound));
}

static void print_problem(const struct report_text *text, const struct cadv_problem *problem)
{
    char size[UNITS_TEXT_MAX];
    (void)fprintf(text->out, "  %-10s %8s  ", cadv_problem_kind_name(problem->kind),
                  report_bytes(text, problem->bytes, 3, size));
    escape_print(text->out, problem->path, report_path_flags(text));
    const char *reason = report_errno_text(problem->saved_errno);
    if (reason != NULL) {
        (void)fprintf(text->out, " (%s)", reason);
    }
    (void)fputc('\n', text->out);
}

void report_warnings(const struct report_text *text, const struct cadv_result *result)
{
    for (size_t i = 0; i < result->warning_count && i < CADV_WARNINGS_MAX; i++) {
        report_paragraph(text, 4, "Warning: %s", result->warnings[i]);
    }
    const struct cadv_dataset *dataset = &result->dataset;
    size_t shown = dataset->problems_listed;
    shown = shown < PROBLEMS_SHOWN ? shown : PROBLEMS_SHOWN;
    if (shown == 0) {
        return;
    }
    (void)fputs("\nFiles with problems:\n", text->out);
    for (size_t i = 0; i < shown; i++) {
        print_problem(text, &dataset->problems[i]);
    }
    if (dataset->problem_count > shown) {
        char count[UNITS_TEXT_MAX];
        (void)fprintf(text->out, "  and %s more\n",
                      cadv_count_format(dataset->problem_count - shown, count));
    }
}
