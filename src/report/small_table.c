/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small_table.c - what each level makes of the small chunks alone: size with interval, ratio, and
 * how fast one thread compresses them. Shown on request, for it is a second table to read.
 */
#include <errno.h>
#include <libsmartcols.h>
#include <stdlib.h>

#include "base/units.h"
#include "report/parts.h"

enum { CELLS_PER_LIMIT = 3, CELLS = 1 + CADV_SMALL_LIMITS * CELLS_PER_LIMIT };
enum { CELL_MAX = 128, SIZE_DIGITS = 3 };

struct line {
    char cells[CELLS][CELL_MAX];
};

static void fill_limit(const struct report_text *text, const struct cadv_small_chunks *small,
                       const struct cadv_small_row *row, char (*cells)[CELL_MAX])
{
    if (!row->is_known || small->bytes == 0) {
        for (size_t i = 0; i < CELLS_PER_LIMIT; i++) {
            (void)snprintf(cells[i], CELL_MAX, "-");
        }
        return;
    }
    struct units_interval parts;
    const struct cadv_interval *size = &row->data_size;
    units_split(size->est, size->lo, size->hi, text->options->units, SIZE_DIGITS, &parts);
    (void)snprintf(cells[0], CELL_MAX, "%s%s%s %s", parts.value,
                   parts.margin[0] == '\0' ? "" : report_plus_minus(text), parts.margin,
                   parts.unit);

    char ratio[UNITS_TEXT_MAX];
    (void)snprintf(cells[1], CELL_MAX, "%s",
                   units_format_ratio(small->bytes, size->est, ratio));

    char speed[UNITS_TEXT_MAX];
    double seconds = row->compress_seconds.est;
    if (seconds > 0) {
        uint64_t rate = (uint64_t)((double)small->bytes / seconds);
        (void)snprintf(cells[2], CELL_MAX, "%s/s", report_bytes(text, rate, 3, speed));
    } else {
        (void)snprintf(cells[2], CELL_MAX, "-");
    }
}

static int add_columns(struct libscols_table *table, const struct cadv_dataset *dataset)
{
    static const char *const what[CELLS_PER_LIMIT] = {"size", "ratio", "speed"};
    if (scols_table_new_column(table, "level", 0, 0) == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < CADV_SMALL_LIMITS; i++) {
        for (size_t j = 0; j < CELLS_PER_LIMIT; j++) {
            char title[CELL_MAX];
            (void)snprintf(title, sizeof title, j == 0 ? "%s <%u KiB" : "%s", what[j],
                           (unsigned)(dataset->small_chunks[i].limit_bytes / 1024));
            if (scols_table_new_column(table, title, 0, SCOLS_FL_RIGHT) == NULL) {
                return -ENOMEM;
            }
        }
    }
    return 0;
}

static int add_row(struct libscols_table *table, const struct report_text *text,
                   const struct cadv_dataset *dataset, const struct cadv_row *row)
{
    struct line line;
    (void)snprintf(line.cells[0], CELL_MAX, "%s", row->name);
    for (size_t i = 0; i < CADV_SMALL_LIMITS; i++) {
        fill_limit(text, &dataset->small_chunks[i], &row->small_chunks[i],
                   &line.cells[1 + i * CELLS_PER_LIMIT]);
    }
    struct libscols_line *out = scols_table_new_line(table, NULL);
    int failed = out == NULL ? -ENOMEM : 0;
    for (size_t i = 0; i < CELLS && failed == 0; i++) {
        failed = scols_line_set_data(out, i, line.cells[i]);
    }
    return failed;
}

enum cadv_status report_small_chunks(const struct report_text *text,
                                     const struct cadv_result *result, struct cadv_error *err)
{
    if (result->dataset.small_chunks[CADV_SMALL_LIMITS - 1].bytes == 0) {
        return CADV_OK;
    }
    char *printed = NULL;
    struct libscols_table *table = scols_new_table();
    int failed = table == NULL ? -ENOMEM : 0;
    if (failed == 0) {
        failed = scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
    }
    if (failed == 0) {
        failed = add_columns(table, &result->dataset);
    }
    for (size_t i = 0; failed == 0 && i < result->row_count; i++) {
        failed = add_row(table, text, &result->dataset, &result->rows[i]);
    }
    if (failed == 0) {
        failed = scols_print_table_to_string(table, &printed);
    }
    if (failed == 0) {
        (void)fprintf(text->out, "\nSmall chunks alone (speed: one thread):\n%s", printed);
    }
    free(printed);
    scols_unref_table(table);
    return failed == 0 ? CADV_OK : error_nomem(err, "laying out the table of small chunks");
}
