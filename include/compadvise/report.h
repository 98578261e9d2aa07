/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - a result as text for people, or as JSON for programs. Computes nothing.
 */
#ifndef COMPADVISE_REPORT_H
#define COMPADVISE_REPORT_H

#include <stdio.h>

#include "compadvise/error.h"
#include "compadvise/result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cadv_format { CADV_FORMAT_TABLE = 0, CADV_FORMAT_JSON };

/** The format called `name` in `*format`; CADV_ERR_USAGE lists the names. */
enum cadv_status cadv_format_parse(const char *name, enum cadv_format *format,
                                   struct cadv_error *err);

/**
 * Writes the report to `out`, which is not closed but flushed. `verbosity` 0 is the usual text,
 * 1 adds assumptions, -1 leaves out all but the table. CADV_ERR_OUTPUT when `out` failed.
 */
enum cadv_status cadv_report_write(const struct cadv_result *result, enum cadv_format format,
                                   int verbosity, FILE *out, struct cadv_error *err);

#ifdef __cplusplus
}
#endif
#endif
