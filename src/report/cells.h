/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report/cells.h - what stands in a row of levels, cell by cell, for the table and for Markdown;
 * which columns and rows there are, and in what order. Pure.
 *
 * May include: base.
 */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/parts.h"

/** Room for the text of one cell. */
#define REPORT_CELL_MAX 96

/** What every row of one table has in common. */
struct report_view {
    /** Units, and whether there is a "±". */
    const struct report_text *text;
    /** Borrowed. */
    const struct cadv_result *result;
    /** The row called none, to compare with; NULL without one. */
    const struct cadv_row *baseline;
    /** Significant digits of sizes, 3 or more. */
    unsigned size_digits;
    /** The columns to show. */
    struct cadv_column_list columns;
    /** The rows in their order: the first result->row_count are indices into result->rows. */
    size_t order[CADV_LEVELS_MAX];
};

/** A view of the result, with the columns asked for or the usual ones. */
void report_view_init(struct report_view *view, const struct report_text *text,
                      const struct cadv_result *result);

/** The rows in the order asked for, as indices; `order` holds CADV_LEVELS_MAX. */
void report_order(const struct cadv_result *result, enum cadv_column sort, size_t *order);

/** The row that others are compared with: the codec none. NULL without one. */
const struct cadv_row *report_baseline(const struct cadv_result *result);

/** Above the column. Static text. */
const char *report_column_title(enum cadv_column column);

/** True for numbers. */
bool report_column_is_right(enum cadv_column column);

/**
 * The cell of a row (an index into result->rows) in `out`, which holds REPORT_CELL_MAX bytes; "-"
 * for what is not known. Marks come one a line, without a newline at the end.
 */
void report_cell(const struct report_view *view, size_t row, enum cadv_column column,
                 char *out);

/** False when nothing of the row was trialled, so that its sizes and times mean nothing. */
bool report_row_is_known(const struct cadv_row *row);

/** Columns on a terminal of UTF-8 text without combining characters, which cells never hold. */
size_t report_display_width(const char *text);

#endif
