/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table.c - the table of levels, laid out by libsmartcols.
 *
 * It fits 80 columns whatever is in it: sizes give the unit once, times are compact, and marks
 * are broken over lines in the room that is left. In the widest case (three-digit negative
 * levels, growth and shrinkage beyond 99.9 %) sizes give up a digit for it.
 */
#include <errno.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/parts.h"

enum {
    COL_LEVEL = 0,
    COL_SIZE,
    COL_RATIO,
    COL_SAVED,
    COL_STEP,
    COL_CPU,
    COL_WALL,
    COL_CORES,
    COL_RESTORE,
    COL_MARKS,
    COL_COUNT
};

/* The longest single mark, "dominated", and the digits that sizes have when there is room. */
enum { MARKS_MIN = 9, SIZE_DIGITS = 4, SIZE_DIGITS_TIGHT = 3 };

static const struct {
    const char *title;
    int flags;
} columns[COL_COUNT] = {
    [COL_LEVEL] = {"level", 0},
    [COL_SIZE] = {"repository", SCOLS_FL_RIGHT},
    [COL_RATIO] = {"ratio", SCOLS_FL_RIGHT},
    [COL_SAVED] = {"saved", SCOLS_FL_RIGHT},
    [COL_STEP] = {"step", SCOLS_FL_RIGHT},
    [COL_CPU] = {"CPU", SCOLS_FL_RIGHT},
    [COL_WALL] = {"wall", SCOLS_FL_RIGHT},
    [COL_CORES] = {"cores", SCOLS_FL_RIGHT},
    [COL_RESTORE] = {"restore", SCOLS_FL_RIGHT},
    [COL_MARKS] = {"", SCOLS_FL_WRAP},
};

struct cells {
    char text[COL_COUNT][96];
};

/* What every row of one table has in common. */
struct layout {
    const struct report_text *text;
    const struct cadv_result *result;
    /** The row called none, to compare with; NULL without one. */
    const struct cadv_row *baseline;
    unsigned size_digits;
    size_t marks_width;
};

static void set_cell(struct cells *cells, int column, const char *text)
{
    (void)snprintf(cells->text[column], sizeof cells->text[column], "%s", text);
}

static void fill_size(const struct layout *layout, const struct cadv_row *row,
                      struct cells *cells)
{
    const struct cadv_interval *size = &row->repository_size;
    struct units_interval parts;
    units_split_interval(size->est, size->lo, size->hi, layout->size_digits, &parts);
    char *cell = cells->text[COL_SIZE];
    if (parts.margin[0] == '\0') {
        (void)snprintf(cell, sizeof cells->text[0], "%s %s", parts.value, parts.unit);
    } else {
        /* "+-" stands close to its number: the room is needed. */
        (void)snprintf(cell, sizeof cells->text[0], "%s %s%s%s %s", parts.value,
                       report_plus_minus(layout->text), layout->text->is_utf8 ? " " : "",
                       parts.margin, parts.unit);
    }
}

static void fill_savings(const struct layout *layout, size_t index, struct cells *cells)
{
    const struct cadv_row *row = &layout->result->rows[index];
    uint64_t size = row->repository_size.est;
    char text[UNITS_TEXT_MAX];
    set_cell(cells, COL_RATIO,
             units_format_ratio(layout->result->dataset.original_size, size, text));
    set_cell(cells, COL_SAVED, "-");
    set_cell(cells, COL_STEP, "-");
    if (layout->baseline != NULL && layout->baseline != row) {
        uint64_t before = layout->baseline->repository_size.est;
        set_cell(cells, COL_SAVED, units_format_saving(before, size, text));
    }
    if (index > 0 && report_row_is_known(row - 1)) {
        set_cell(cells, COL_STEP,
                 units_format_saving((row - 1)->repository_size.est, size, text));
    }
}

static void fill_times(const struct cadv_row *row, struct cells *cells)
{
    char text[UNITS_TEXT_MAX];
    set_cell(cells, COL_CPU, units_format_seconds(row->cpu_seconds.est, true, text));
    set_cell(cells, COL_WALL, units_format_seconds(row->wall_seconds, true, text));
    set_cell(cells, COL_RESTORE, units_format_seconds(row->restore_seconds, true, text));
    set_cell(cells, COL_CORES, "-");
    if (row->cores >= 0 && row->cores < 9999) {
        (void)snprintf(cells->text[COL_CORES], sizeof cells->text[0], "%.1f", row->cores);
    }
}

static void add_mark(struct cells *cells, const char *mark)
{
    char *cell = cells->text[COL_MARKS];
    size_t used = strlen(cell);
    (void)snprintf(cell + used, sizeof cells->text[0] - used, "%s%s", used > 0 ? "\n" : "",
                   mark);
}

static void fill_marks(const struct cadv_result *result, size_t index, struct cells *cells)
{
    const struct cadv_row *row = &result->rows[index];
    const struct {
        size_t row;
        const char *mark;
    } advice[] = {{result->advice.knee.row, "knee"},
                  {result->advice.daily.row, "daily"},
                  {result->advice.archive.row, "archive"}};
    if (!row->is_offered) {
        add_mark(cells, "not in");
        add_mark(cells, result->target_title);
        return;
    }
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        if (advice[i].row == index) {
            add_mark(cells, advice[i].mark);
        }
    }
    if (row->is_dominated) {
        add_mark(cells, "dominated");
    }
}

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

static void fill_row(const struct layout *layout, size_t index, struct cells *cells)
{
    const struct cadv_row *row = &layout->result->rows[index];
    memset(cells, 0, sizeof *cells);
    set_cell(cells, COL_LEVEL, row->name);
    if (report_row_is_known(row)) {
        fill_size(layout, row, cells);
        fill_savings(layout, index, cells);
        fill_times(row, cells);
        fill_marks(layout->result, index, cells);
    } else {
        for (int column = COL_SIZE; column < COL_MARKS; column++) {
            set_cell(cells, column, "-");
        }
        add_mark(cells, "not tried");
    }
    join_marks(cells->text[COL_MARKS], layout->marks_width);
}

/* Columns of UTF-8 text without combining characters, which cells never hold. */
static size_t display_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

/* Columns that all but the marks take, separators included. */
static size_t measure(const struct layout *layout)
{
    size_t widths[COL_MARKS];
    for (int column = 0; column < COL_MARKS; column++) {
        widths[column] = strlen(columns[column].title);
    }
    for (size_t i = 0; i < layout->result->row_count; i++) {
        struct cells cells;
        fill_row(layout, i, &cells);
        for (int column = 0; column < COL_MARKS; column++) {
            size_t width = display_width(cells.text[column]);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    size_t sum = 0;
    for (int column = 0; column < COL_MARKS; column++) {
        sum += widths[column] + 1;
    }
    return sum;
}

static struct layout make_layout(const struct report_text *text,
                                 const struct cadv_result *result)
{
    struct layout layout = {.text = text,
                            .result = result,
                            .size_digits = SIZE_DIGITS,
                            .marks_width = REPORT_COLUMNS};
    for (size_t i = 0; i < result->row_count; i++) {
        if (result->rows[i].level.codec == CADV_CODEC_NONE &&
            result->rows[i].level.obfuscate == 0 && report_row_is_known(&result->rows[i])) {
            layout.baseline = &result->rows[i];
        }
    }
    size_t used = measure(&layout);
    if (used + MARKS_MIN > REPORT_COLUMNS) {
        layout.size_digits = SIZE_DIGITS_TIGHT;
        used = measure(&layout);
    }
    layout.marks_width = used + MARKS_MIN > REPORT_COLUMNS ? MARKS_MIN : REPORT_COLUMNS - used;
    return layout;
}

static int add_columns(struct libscols_table *table)
{
    for (int i = 0; i < COL_COUNT; i++) {
        struct libscols_column *column =
            scols_table_new_column(table, columns[i].title, 0, columns[i].flags);
        if (column == NULL) {
            return -ENOMEM;
        }
        if (i == COL_MARKS) {
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

static int add_rows(struct libscols_table *table, const struct layout *layout)
{
    for (size_t i = 0; i < layout->result->row_count; i++) {
        struct cells cells;
        fill_row(layout, i, &cells);
        struct libscols_line *line = scols_table_new_line(table, NULL);
        if (line == NULL) {
            return -ENOMEM;
        }
        for (size_t column = 0; column < COL_COUNT; column++) {
            int failed = scols_line_set_data(line, column, cells.text[column]);
            if (failed != 0) {
                return failed;
            }
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

enum cadv_status report_table(const struct report_text *text, const struct cadv_result *result,
                              struct cadv_error *err)
{
    struct layout layout = make_layout(text, result);
    char *printed = NULL;
    struct libscols_table *table = scols_new_table();
    int failed = table == NULL ? -ENOMEM : 0;
    if (failed == 0) {
        /* The same table on a terminal, in a pipe and in a file. */
        failed = scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
    }
    if (failed == 0) {
        failed = add_columns(table);
    }
    if (failed == 0) {
        failed = add_rows(table, &layout);
    }
    if (failed == 0 && result->row_count > 0) {
        failed = scols_print_table_to_string(table, &printed);
    }
    if (failed == 0 && printed != NULL) {
        print_trimmed(text->out, printed);
    }
    free(printed);
    scols_unref_table(table);
    return failed == 0 ? CADV_OK : error_nomem(err, "laying out the table");
}

void report_legend(const struct report_text *text, const struct cadv_result *result)
{
    report_paragraph(
        text, 0,
        "ratio: original size / repository; saved: compared with none; step: with the row "
        "above%s%s%s.",
        result->sample.is_exact ? "" : "; ",
        result->sample.is_exact ? "" : report_plus_minus(text),
        result->sample.is_exact ? "" : ": 95 % interval");
}
