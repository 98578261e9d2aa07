/* SPDX-License-Identifier: BSD-2-Clause */
/* cells.c - the text of each cell: units once, compact times, no digit finer than what is known. */
#include "report/cells.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* One cell: the view, which row, and where the text goes. */
struct cell {
    const struct report_view *view;
    const struct cadv_row *row;
    size_t index;
    char *out;
};

static void write_text(const struct cell *cell, const char *text)
{
    (void)snprintf(cell->out, REPORT_CELL_MAX, "%s", text);
}

static void write_interval(const struct cell *cell, const struct cadv_interval *size)
{
    const struct report_text *text = cell->view->text;
    struct units_interval parts;
    units_split(size->est, size->lo, size->hi, text->options->units, cell->view->size_digits,
                &parts);
    if (parts.margin[0] == '\0') {
        (void)snprintf(cell->out, REPORT_CELL_MAX, "%s %s", parts.value, parts.unit);
    } else {
        /* "+-" stands close to its number: the room is needed. */
        (void)snprintf(cell->out, REPORT_CELL_MAX, "%s %s%s%s %s", parts.value,
                       report_plus_minus(text), text->is_utf8 ? " " : "", parts.margin,
                       parts.unit);
    }
}

static void write_size(const struct cell *cell)
{
    write_interval(cell, &cell->row->repository_size);
}

static void write_data(const struct cell *cell)
{
    write_interval(cell, &cell->row->data_size);
}

static void write_ratio(const struct cell *cell)
{
    const struct cadv_interval *size = &cell->row->repository_size;
    char text[UNITS_TEXT_MAX];
    write_text(cell, units_format_ratio_within(cell->view->result->dataset.original_size,
                                               size->est, size->lo, size->hi, text));
}

static void write_saved(const struct cell *cell)
{
    const struct cadv_row *baseline = cell->view->baseline;
    char text[UNITS_TEXT_MAX];
    if (baseline != NULL && baseline != cell->row) {
        const struct cadv_interval *size = &cell->row->repository_size;
        write_text(cell, units_format_saving_within(baseline->repository_size.est, size->est,
                                                    size->lo, size->hi, text));
    }
}

static void write_step(const struct cell *cell)
{
    char text[UNITS_TEXT_MAX];
    if (cell->index == 0 || !report_row_is_known(cell->row - 1)) {
        return;
    }
    const struct cadv_difference *step = &cell->row->step;
    uint64_t before = (cell->row - 1)->repository_size.est;
    int64_t most = step->hi < (int64_t)before ? step->hi : (int64_t)before;
    if (report_step_is_in_doubt(cell->row)) {
        write_text(cell, "~0%");
    } else {
        write_text(cell, units_format_saving_within(before, cell->row->repository_size.est,
                                                    before - (uint64_t)most,
                                                    before - (uint64_t)step->lo, text));
    }
}

static void write_seconds(const struct cell *cell, double seconds)
{
    char text[UNITS_TEXT_MAX];
    write_text(cell, cadv_seconds_format(seconds, true, text));
}

static void write_cpu(const struct cell *cell)
{
    write_seconds(cell, cell->row->cpu_seconds.est);
}

static void write_cpu_range(const struct cell *cell)
{
    char lo[UNITS_TEXT_MAX];
    char hi[UNITS_TEXT_MAX];
    (void)snprintf(cell->out, REPORT_CELL_MAX, "%s to %s",
                   cadv_seconds_format(cell->row->cpu_seconds.lo, true, lo),
                   cadv_seconds_format(cell->row->cpu_seconds.hi, true, hi));
}

static void write_wall(const struct cell *cell)
{
    write_seconds(cell, cell->row->wall_seconds);
}

static void write_cores(const struct cell *cell)
{
    double cores = cell->row->cores;
    if (cores >= 0 && cores < 9999) {
        /* In integers: the decimal point must not depend on the locale. */
        long tenths = lround(cores * 10);
        (void)snprintf(cell->out, REPORT_CELL_MAX, "%ld.%ld", tenths / 10, tenths % 10);
    }
}

static void write_restore(const struct cell *cell)
{
    write_seconds(cell, cell->row->restore_seconds);
}

static void write_trials(const struct cell *cell)
{
    char text[UNITS_TEXT_MAX];
    write_text(cell, cadv_count_format(cell->row->trial_chunks, text));
}

static void write_bottleneck(const struct cell *cell)
{
    if (cell->row->bottleneck != NULL) {
        write_text(cell, cell->row->bottleneck);
    }
}

static void add_mark(const struct cell *cell, const char *mark)
{
    size_t used = strlen(cell->out);
    (void)snprintf(cell->out + used, REPORT_CELL_MAX - used, "%s%s", used > 0 ? "\n" : "",
                   mark);
}

static void write_marks(const struct cell *cell)
{
    const struct cadv_advice *advice = &cell->view->result->advice;
    const struct {
        size_t row;
        const char *mark;
    } marks[] = {{advice->knee.row, "knee"},
                 {advice->daily.row, "daily"},
                 {advice->archive.row, "archive"}};
    cell->out[0] = '\0';
    if (!report_row_is_known(cell->row)) {
        add_mark(cell, "not tried");
        return;
    }
    if (!cell->row->is_offered) {
        add_mark(cell, "not in");
        add_mark(cell, cell->view->result->target_title);
        return;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (marks[i].row == cell->index) {
            add_mark(cell, marks[i].mark);
        }
    }
    if (cell->row->is_dominated) {
        add_mark(cell, "dominated");
    }
}

static void write_level(const struct cell *cell)
{
    write_text(cell, cell->row->name);
}

typedef void (*write_fn)(const struct cell *cell);
static const write_fn writers[CADV_COLUMN_COUNT] = {
    [CADV_COLUMN_LEVEL] = write_level,
    [CADV_COLUMN_SIZE] = write_size,
    [CADV_COLUMN_DATA] = write_data,
    [CADV_COLUMN_RATIO] = write_ratio,
    [CADV_COLUMN_SAVED] = write_saved,
    [CADV_COLUMN_STEP] = write_step,
    [CADV_COLUMN_CPU] = write_cpu,
    [CADV_COLUMN_CPU_RANGE] = write_cpu_range,
    [CADV_COLUMN_WALL] = write_wall,
    [CADV_COLUMN_CORES] = write_cores,
    [CADV_COLUMN_RESTORE] = write_restore,
    [CADV_COLUMN_TRIALS] = write_trials,
    [CADV_COLUMN_BOTTLENECK] = write_bottleneck,
    [CADV_COLUMN_MARKS] = write_marks,
};

void report_cell(const struct report_view *view, size_t row, enum cadv_column column, char *out)
{
    const struct cell cell = {view, &view->result->rows[row], row, out};
    bool is_always = column == CADV_COLUMN_LEVEL || column == CADV_COLUMN_MARKS;
    (void)snprintf(out, REPORT_CELL_MAX, "-");
    if (is_always || report_row_is_known(cell.row)) {
        writers[column](&cell);
    }
}

bool report_step_is_in_doubt(const struct cadv_row *row)
{
    return row->step.is_known && row->step.lo <= 0 && row->step.hi >= 0 &&
           row->step.lo < row->step.hi;
}

size_t report_display_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}
