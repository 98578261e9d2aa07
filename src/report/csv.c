/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.c - levels as RFC 4180 has it: lines end with CR LF, fields with a quote, a comma or a line
 * break are quoted. Sizes are integer bytes, times seconds, truth is true or false, and what is not
 * known is empty. Nothing depends on the locale.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/cells.h"

/* One field: its row, and what a row is compared with. */
struct field {
    const struct cadv_result *result;
    const struct cadv_row *row;
    size_t index;
    FILE *out;
};

static void put_text(const struct field *f, const char *text)
{
    if (text[strcspn(text, "\",\r\n")] == '\0') {
        (void)fputs(text, f->out);
        return;
    }
    (void)fputc('"', f->out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', f->out);
        }
        (void)fputc(*text, f->out);
    }
    (void)fputc('"', f->out);
}

static void put_count(const struct field *f, uint64_t count)
{
    (void)fprintf(f->out, "%" PRIu64, count);
}

static void put_truth(const struct field *f, bool truth)
{
    (void)fputs(truth ? "true" : "false", f->out);
}

/* With `decimals` (1 to 9), by integers: the decimal point must not depend on the locale. */
static void put_number(const struct field *f, double number, int decimals)
{
    double scale = 1;
    for (int i = 0; i < decimals; i++) {
        scale *= 10;
    }
    if (isfinite(number) && number >= 0 && number * scale < 9e18) {
        uint64_t parts = (uint64_t)llround(number * scale);
        uint64_t one = (uint64_t)scale;
        (void)fprintf(f->out, "%" PRIu64 ".%0*" PRIu64, parts / one, decimals, parts % one);
    }
}

/* How much less than `before` the repository is; empty without one to compare with. */
static void put_difference(const struct field *f, const struct cadv_row *before)
{
    if (before != NULL && before != f->row && report_row_is_known(before)) {
        uint64_t was = before->repository_size.est;
        uint64_t is = f->row->repository_size.est;
        (void)fprintf(f->out, "%s%" PRIu64, was < is ? "-" : "",
                      was < is ? is - was : was - is);
    }
}

static void put_step(const struct field *f, int64_t bytes)
{
    if (f->row->step.is_known) {
        (void)fprintf(f->out, "%" PRId64, bytes);
    }
}

/* clang-format off: a table of one line a field reads better than its wrapped form. */
static void f_level(const struct field *f)
{
    put_text(f, f->row->name);
}
static void f_codec(const struct field *f)
{
    put_text(f, cadv_codec_name(f->row->level.codec));
}
static void f_number(const struct field *f)
{
    (void)fprintf(f->out, "%d", f->row->level.level);
}
static void f_size(const struct field *f)
{
    put_count(f, f->row->repository_size.est);
}
static void f_size_lo(const struct field *f)
{
    put_count(f, f->row->repository_size.lo);
}
static void f_size_hi(const struct field *f)
{
    put_count(f, f->row->repository_size.hi);
}
static void f_data(const struct field *f)
{
    put_count(f, f->row->data_size.est);
}
static void f_data_lo(const struct field *f)
{
    put_count(f, f->row->data_size.lo);
}
static void f_data_hi(const struct field *f)
{
    put_count(f, f->row->data_size.hi);
}
static void f_saved(const struct field *f)
{
    put_difference(f, report_baseline(f->result));
}
static void f_step(const struct field *f)
{
    put_difference(f, f->index > 0 ? f->row - 1 : NULL);
}
static void f_step_lo(const struct field *f)
{
    put_step(f, f->row->step.lo);
}
static void f_step_hi(const struct field *f)
{
    put_step(f, f->row->step.hi);
}
static void f_cpu(const struct field *f)
{
    put_number(f, f->row->cpu_seconds.est, 3);
}
static void f_cpu_lo(const struct field *f)
{
    put_number(f, f->row->cpu_seconds.lo, 3);
}
static void f_cpu_hi(const struct field *f)
{
    put_number(f, f->row->cpu_seconds.hi, 3);
}
static void f_wall(const struct field *f)
{
    put_number(f, f->row->wall_seconds, 3);
}
static void f_cores(const struct field *f)
{
    put_number(f, f->row->cores, 3);
}
static void f_restore(const struct field *f)
{
    put_number(f, f->row->restore_seconds, 3);
}
static void f_trial_chunks(const struct field *f)
{
    put_count(f, f->row->trial_chunks);
}
static void f_trial_bytes(const struct field *f)
{
    put_count(f, f->row->trial_bytes);
}
static void f_exact(const struct field *f)
{
    put_truth(f, f->row->is_exact);
}
static void f_offered(const struct field *f)
{
    put_truth(f, f->row->is_offered);
}
static void f_dominated(const struct field *f)
{
    put_truth(f, f->row->is_dominated);
}
static void f_on_hull(const struct field *f)
{
    put_truth(f, f->row->is_on_hull);
}
static void f_knee(const struct field *f)
{
    put_truth(f, f->index == f->result->advice.knee.row);
}
static void f_kneedle(const struct field *f)
{
    put_truth(f, f->index == f->result->advice.kneedle.row);
}
static void f_daily(const struct field *f)
{
    put_truth(f, f->index == f->result->advice.daily.row);
}
static void f_archive(const struct field *f)
{
    put_truth(f, f->index == f->result->advice.archive.row);
}
static void f_complete(const struct field *f)
{
    put_truth(f, f->result->is_complete);
}
/* clang-format on */

static void f_ratio(const struct field *f)
{
    if (f->row->repository_size.est > 0) {
        put_number(
            f, (double)f->result->dataset.original_size / (double)f->row->repository_size.est,
            4);
    }
}

static void f_bottleneck(const struct field *f)
{
    if (f->row->bottleneck != NULL) {
        put_text(f, f->row->bottleneck);
    }
}

/*
 * Every field, in order, with the column it belongs to. `is_always`: it does not come from trials,
 * so it is there when nothing was tried.
 */
static const struct {
    const char *name;
    enum cadv_column column;
    bool is_always;
    void (*put)(const struct field *field);
} fields[] = {
    {"level", CADV_COLUMN_LEVEL, true, f_level},
    {"codec", CADV_COLUMN_LEVEL, true, f_codec},
    {"codec_level", CADV_COLUMN_LEVEL, true, f_number},
    {"complete", CADV_COLUMN_LEVEL, true, f_complete},
    {"repository_size", CADV_COLUMN_SIZE, false, f_size},
    {"repository_size_lo", CADV_COLUMN_SIZE, false, f_size_lo},
    {"repository_size_hi", CADV_COLUMN_SIZE, false, f_size_hi},
    {"data_size", CADV_COLUMN_DATA, false, f_data},
    {"data_size_lo", CADV_COLUMN_DATA, false, f_data_lo},
    {"data_size_hi", CADV_COLUMN_DATA, false, f_data_hi},
    {"ratio", CADV_COLUMN_RATIO, false, f_ratio},
    {"saved_bytes", CADV_COLUMN_SAVED, false, f_saved},
    {"step_bytes", CADV_COLUMN_STEP, false, f_step},
    {"step_bytes_lo", CADV_COLUMN_STEP, false, f_step_lo},
    {"step_bytes_hi", CADV_COLUMN_STEP, false, f_step_hi},
    {"cpu_seconds", CADV_COLUMN_CPU, false, f_cpu},
    {"cpu_seconds_lo", CADV_COLUMN_CPU_RANGE, false, f_cpu_lo},
    {"cpu_seconds_hi", CADV_COLUMN_CPU_RANGE, false, f_cpu_hi},
    {"wall_seconds", CADV_COLUMN_WALL, false, f_wall},
    {"cores", CADV_COLUMN_CORES, false, f_cores},
    {"restore_seconds", CADV_COLUMN_RESTORE, false, f_restore},
    {"trial_chunks", CADV_COLUMN_TRIALS, true, f_trial_chunks},
    {"trial_bytes", CADV_COLUMN_TRIALS, true, f_trial_bytes},
    {"exact", CADV_COLUMN_TRIALS, true, f_exact},
    {"bottleneck", CADV_COLUMN_BOTTLENECK, false, f_bottleneck},
    {"offered", CADV_COLUMN_MARKS, true, f_offered},
    {"dominated", CADV_COLUMN_MARKS, false, f_dominated},
    {"on_hull", CADV_COLUMN_MARKS, false, f_on_hull},
    {"knee", CADV_COLUMN_MARKS, true, f_knee},
    {"kneedle", CADV_COLUMN_MARKS, true, f_kneedle},
    {"daily", CADV_COLUMN_MARKS, true, f_daily},
    {"archive", CADV_COLUMN_MARKS, true, f_archive},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* Which fields, in which order. */
struct selection {
    size_t items[FIELD_COUNT];
    size_t count;
};

static struct selection select_fields(const struct cadv_column_list *columns)
{
    struct selection chosen = {.count = 0};
    for (size_t i = 0; columns->count == 0 && i < FIELD_COUNT; i++) {
        chosen.items[chosen.count++] = i;
    }
    /* A column is listed once, so no field is chosen twice. */
    for (size_t c = 0; c < columns->count; c++) {
        for (size_t i = 0; i < FIELD_COUNT && chosen.count < FIELD_COUNT; i++) {
            if (fields[i].column == columns->items[c]) {
                chosen.items[chosen.count++] = i;
            }
        }
    }
    return chosen;
}

enum cadv_status report_write_csv(const struct cadv_result *result,
                                  const struct cadv_report_options *options, FILE *out,
                                  struct cadv_error *err)
{
    (void)err;
    struct selection chosen = select_fields(&options->columns);
    size_t order[CADV_LEVELS_MAX];
    report_order(result, options->sort, order);
    for (size_t i = 0; i < chosen.count; i++) {
        (void)fprintf(out, "%s%s", i > 0 ? "," : "", fields[chosen.items[i]].name);
    }
    (void)fputs("\r\n", out);
    for (size_t r = 0; r < result->row_count; r++) {
        const struct field field = {result, &result->rows[order[r]], order[r], out};
        for (size_t i = 0; i < chosen.count; i++) {
            if (i > 0) {
                (void)fputc(',', out);
            }
            if (fields[chosen.items[i]].is_always || report_row_is_known(field.row)) {
                fields[chosen.items[i]].put(&field);
            }
        }
        (void)fputs("\r\n", out);
    }
    return CADV_OK;
}
