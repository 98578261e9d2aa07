/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.c - the table of levels, laid out by libsmartcols.
 *
 * The usual columns fit 80 columns of a terminal whatever is in them: sizes give the unit once,
 * times are compact, and marks are broken over lines in the room that is left. Where that is not
 * enough, sizes give up a digit, then the least telling columns are left out. Columns that were
 * asked for are shown all, however wide.
 */
#include <errno.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "report/cells.h"

/* The longest single mark, "dominated", and the digits that sizes have when room is short. */
enum { MARKS_MIN = 9, SIZE_DIGITS_TIGHT = 3 };

/* Left out in this order. */
static const enum cadv_column spare[] = {CADV_COLUMN_CORES, CADV_COLUMN_STEP,
                                         CADV_COLUMN_RESTORE, CADV_COLUMN_SAVED};

/* Marks come one a line; puts as many on each line as fit in `width`. */
static void join_marks(char *marks, size_t width)
{
    char *start = marks;
    for (char *at = strchr(marks, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        size_t next = strcspn(at + 1, "\n");
        if ((size_t)(at - start) + 1 + next <= width) {
            *at = ' ';
        } else {
            start = at + 1;
        }
    }
}

/* Columns of the terminal that all but the marks take, separators included. */
static size_t measure(const struct report_view *view)
{
    size_t sum = 0;
    for (size_t c = 0; c < view->columns.count; c++) {
        enum cadv_column column = view->columns.items[c];
        size_t widest = strlen(report_column_title(column));
        if (column == CADV_COLUMN_MARKS) {
            continue;
        }
        for (size_t i = 0; i < view->result->row_count; i++) {
            char cell[REPORT_CELL_MAX];
            report_cell(view, i, column, cell);
            size_t width = report_display_width(cell);
            widest = width > widest ? width : widest;
        }
        sum += widest + 1;
    }
    return sum;
}

static void drop_column(struct cadv_column_list *columns, enum cadv_column column)
{
    size_t kept = 0;
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->items[i] != column) {
            columns->items[kept++] = columns->items[i];
        }
    }
    columns->count = kept;
}

/* Makes the view fit; returns the room for marks. */
static size_t fit(struct report_view *view)
{
    size_t used = measure(view);
    if (used + MARKS_MIN > REPORT_COLUMNS) {
        view->size_digits = SIZE_DIGITS_TIGHT;
        used = measure(view);
    }
    bool is_free = view->text->options->columns.count == 0;
    for (size_t i = 0;
         is_free && used + MARKS_MIN > REPORT_COLUMNS && i < sizeof spare / sizeof *spare;
         i++) {
        drop_column(&view->columns, spare[i]);
        used = measure(view);
    }
    return used + MARKS_MIN > REPORT_COLUMNS ? MARKS_MIN : REPORT_COLUMNS - used;
}

static int add_columns(struct libscols_table *table, const struct report_view *view)
{
    for (size_t i = 0; i < view->columns.count; i++) {
        enum cadv_column kind = view->columns.items[i];
        bool is_wrapped = kind == CADV_COLUMN_MARKS;
        int flags = report_column_is_right(kind) ? SCOLS_FL_RIGHT
                    : is_wrapped                 ? SCOLS_FL_WRAP
                                                 : 0;
        struct libscols_column *column =
            scols_table_new_column(table, report_column_title(kind), 0, flags);
        if (column == NULL) {
            return -ENOMEM;
        }
        if (is_wrapped) {
            int failed = scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
                                                   scols_wrapnl_nextchunk, NULL);
            /* Without this the line break would be printed as \x0a. */
            if (failed != 0 || (failed = scols_column_set_safechars(column, "\n")) != 0) {
                return failed;
            }
        }
    }
    return 0;
}

/* Recommended rows are green, rows that nobody should choose are dim. NULL for others. */
static const char *row_color(const struct cadv_result *result, size_t index)
{
    const struct cadv_row *row = &result->rows[index];
    if (!row->is_offered || !report_row_is_known(row)) {
        return "\033[2m";
    }
    if (index == result->advice.knee.row || index == result->advice.daily.row ||
        index == result->advice.archive.row) {
        return "\033[32m";
    }
    return row->is_dominated ? "\033[2m" : NULL;
}

static int add_rows(struct libscols_table *table, const struct report_view *view,
                    size_t marks_width)
{
    for (size_t i = 0; i < view->result->row_count; i++) {
        struct libscols_line *line = scols_table_new_line(table, NULL);
        if (line == NULL) {
            return -ENOMEM;
        }
        int failed = scols_line_set_color(line, row_color(view->result, view->order[i]));
        for (size_t column = 0; failed == 0 && column < view->columns.count; column++) {
            char cell[REPORT_CELL_MAX];
            report_cell(view, view->order[i], view->columns.items[column], cell);
            if (view->columns.items[column] == CADV_COLUMN_MARKS) {
                join_marks(cell, marks_width);
            }
            failed = scols_line_set_data(line, column, cell);
        }
        if (failed != 0) {
            return failed;
        }
    }
    return 0;
}

/* Prints without the spaces that an empty last column leaves at the ends of lines. */
static void print_trimmed(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        size_t kept = length;
        while (kept > 0 && text[kept - 1] == ' ') {
            kept--;
        }
        (void)fprintf(out, "%.*s\n", (int)kept, text);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

static bool is_shown(const struct report_view *view, enum cadv_column column)
{
    for (size_t i = 0; i < view->columns.count; i++) {
        if (view->columns.items[i] == column) {
            return true;
        }
    }
    return false;
}

static bool has_doubt(const struct cadv_result *result)
{
    for (size_t i = 0; i < result->row_count; i++) {
        if (report_step_is_in_doubt(&result->rows[i])) {
            return true;
        }
    }
    return false;
}

/* What the columns mean, of those that are there. */
static void print_legend(const struct report_view *view)
{
    bool is_by_level = view->text->options->sort == CADV_COLUMN_LEVEL;
    const struct {
        bool is_said;
        const char *meaning;
    } said[] = {
        {is_shown(view, CADV_COLUMN_DATA), "data: compressed content alone"},
        {is_shown(view, CADV_COLUMN_RATIO), "ratio: original size / repository"},
        {is_shown(view, CADV_COLUMN_SAVED), "saved: compared with none"},
        {is_shown(view, CADV_COLUMN_STEP),
         is_by_level ? "step: with the row above" : "step: with the level before"},
        {is_shown(view, CADV_COLUMN_STEP) && has_doubt(view->result),
         "~0%: equal within the interval"},
        {is_shown(view, CADV_COLUMN_TRIALS), "trials: chunks tried"},
        {!view->result->sample.is_exact,
         view->text->is_utf8 ? "\xc2\xb1: 95 % interval" : "+-: 95 % interval"},
    };
    char legend[512] = "";
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (said[i].is_said) {
            (void)report_append(legend, sizeof legend, "%s%s", legend[0] != '\0' ? "; " : "",
                                said[i].meaning);
        }
    }
    if (legend[0] != '\0') {
        report_paragraph(view->text, 0, "%s.", legend);
    }
}

static int set_up(struct libscols_table *table, const struct report_view *view)
{
    /* The same table on a terminal, in a pipe and in a file. */
    int failed = scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
    if (failed == 0) {
        /* Colour says what the marks say, and is nothing without them. */
        failed = scols_table_enable_colors(table, view->text->options->is_colored &&
                                                      is_shown(view, CADV_COLUMN_MARKS));
    }
    return failed == 0 ? add_columns(table, view) : failed;
}

enum cadv_status report_table(const struct report_text *text, const struct cadv_result *result,
                              struct cadv_error *err)
{
    struct report_view view;
    report_view_init(&view, text, result);
    size_t marks_width = fit(&view);
    char *printed = NULL;
    struct libscols_table *table = scols_new_table();
    int failed = table == NULL ? -ENOMEM : set_up(table, &view);
    if (failed == 0) {
        failed = add_rows(table, &view, marks_width);
    }
    if (failed == 0 && result->row_count > 0) {
        failed = scols_print_table_to_string(table, &printed);
    }
    if (failed == 0 && printed != NULL) {
        print_trimmed(text->out, printed);
        if (text->options->verbosity >= 0) {
            print_legend(&view);
        }
    }
    free(printed);
    scols_unref_table(table);
    return failed == 0 ? CADV_OK : error_nomem(err, "laying out the table");
}
