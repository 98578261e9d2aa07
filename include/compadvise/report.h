/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - a result as text for people, or as JSON, CSV or Markdown. Computes nothing. Start from
 * cadv_report_options_default(), change fields, write.
 */
#ifndef COMPADVISE_REPORT_H
#define COMPADVISE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "compadvise/error.h"
#include "compadvise/result.h"
#include "compadvise/units.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cadv_format {
    /** Text for people: facts, a table of levels, advice. */
    CADV_FORMAT_TABLE = 0,
    /** Everything, for programs; docs/report.schema.json is its contract. */
    CADV_FORMAT_JSON,
    /** One row a level as RFC 4180 has it, with a header; bytes are integers, unknown is empty. */
    CADV_FORMAT_CSV,
    /** One row a level as a table of GitHub's Markdown, then the advice. */
    CADV_FORMAT_MARKDOWN
};

/** Columns of the table, of Markdown, and groups of fields of CSV. */
enum cadv_column {
    CADV_COLUMN_LEVEL = 0,
    CADV_COLUMN_SIZE,
    CADV_COLUMN_DATA,
    CADV_COLUMN_RATIO,
    CADV_COLUMN_SAVED,
    CADV_COLUMN_STEP,
    CADV_COLUMN_CPU,
    CADV_COLUMN_CPU_RANGE,
    CADV_COLUMN_WALL,
    CADV_COLUMN_CORES,
    CADV_COLUMN_RESTORE,
    CADV_COLUMN_TRIALS,
    CADV_COLUMN_BOTTLENECK,
    CADV_COLUMN_MARKS,
    CADV_COLUMN_COUNT
};

/** Columns in the order they are shown, each at most once. */
struct cadv_column_list {
    /** The first `count` are valid. */
    enum cadv_column items[CADV_COLUMN_COUNT];
    /** 0: those of the format: all that fit 80 columns, or every field of CSV. */
    size_t count;
};

/** How a report is written. JSON looks at `format` alone. */
struct cadv_report_options {
    enum cadv_format format;
    /** 0 is the usual text, 1 adds assumptions, -1 leaves out all but the levels. */
    int verbosity;
    /** Of sizes in the table and in Markdown. */
    enum cadv_units units;
    /** Colours and dims rows of the table; never says anything that words do not. */
    bool is_colored;
    /** Rows in the order of this column's values, smallest first; LEVEL: as in the result. */
    enum cadv_column sort;
    /** What is shown of each level. */
    struct cadv_column_list columns;
};

/** A table in decimal units without colours. */
struct cadv_report_options cadv_report_options_default(void);

/** The format called `name` in `*format`; CADV_ERR_USAGE lists the names. */
enum cadv_status cadv_format_parse(const char *name, enum cadv_format *format,
                                   struct cadv_error *err);

/** The column called `name` in `*column`; CADV_ERR_USAGE lists the names. */
enum cadv_status cadv_column_parse(const char *name, enum cadv_column *column,
                                   struct cadv_error *err);

/** Comma-separated columns, none twice, in `*columns`; CADV_ERR_USAGE says which is wrong. */
enum cadv_status cadv_columns_parse(const char *names, struct cadv_column_list *columns,
                                    struct cadv_error *err);

/** The column's name, "cpu-range" for instance. Static text; NULL beyond the last column. */
const char *cadv_column_name(enum cadv_column column);

/**
 * Writes the report to `out`, which is not closed but flushed. Characters beyond ASCII appear only
 * where the locale's character set is UTF-8; JSON and CSV do not depend on the locale.
 * CADV_ERR_OUTPUT when `out` failed.
 */
enum cadv_status cadv_report_write(const struct cadv_result *result,
                                   const struct cadv_report_options *options, FILE *out,
                                   struct cadv_error *err);

#ifdef __cplusplus
}
#endif
#endif
