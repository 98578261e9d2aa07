/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report/parts.h - the pieces a report is put together from. All read the result and write to a
 * stream; errors of the stream are left for cadv_report_write() to find with ferror().
 *
 * May include: base.
 */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/escape.h"
#include "compadvise/report.h"
#include "compadvise/result.h"

/** Columns of the text report. Commands and paths are never broken and may exceed it. */
#define REPORT_COLUMNS 80

/** Where text goes and what it may contain. */
struct report_text {
    FILE *out;
    /** The locale's character set is UTF-8: "±" and file names as they are. */
    bool is_utf8;
    /** Of the caller. */
    const struct cadv_report_options *options;
};

/** `bytes` in the units that the report is written in. */
const char *report_bytes(const struct report_text *text, uint64_t bytes, unsigned digits,
                         char *out);

/** "±", or "+-" where the character set lacks it. Static text. */
const char *report_plus_minus(const struct report_text *text);

/** Flags of base/escape.h for paths shown on a terminal with this text's character set. */
unsigned report_path_flags(const struct report_text *text);

/* --- paragraph.c --- */

/**
 * Writes one paragraph wrapped at REPORT_COLUMNS, the lines after the first indented, with a
 * newline at the end. A number is kept on one line with the word behind it. Text beyond 4 KiB
 * is cut off; what a terminal must not see is escaped.
 */
void report_paragraph(const struct report_text *text, size_t indent, const char *format, ...)
    CADV_PRINTF(3, 4);

/** Adds to a sentence that has `room` bytes; false, and nothing is added, when that is too little. */
bool report_append(char *sentence, size_t room, const char *format, ...) CADV_PRINTF(3, 4);

/* --- the parts of the text report, in its order --- */

/** What and how much was read, sampled, and how long it took. */
void report_facts(const struct report_text *text, const struct cadv_result *result);

/** One line when the result is partial, first of all; nothing otherwise. */
void report_partial(const struct report_text *text, const struct cadv_result *result);

/** The table of levels, and what its columns mean. */
enum cadv_status report_table(const struct report_text *text, const struct cadv_result *result,
                              struct cadv_error *err);

/** What the levels make of the small chunks: a second table; nothing where there are none. */
enum cadv_status report_small_chunks(const struct report_text *text,
                                     const struct cadv_result *result, struct cadv_error *err);

/** True when the sample cannot tell the row's size from that of the row before. */
bool report_step_is_in_doubt(const struct cadv_row *row);

/** Daily, archive, knee and second opinion; bottleneck; levels that are as good as equal; upper
 * bound. */
void report_advice(const struct report_text *text, const struct cadv_result *result);

/** Warnings, then files with problems. */
void report_warnings(const struct report_text *text, const struct cadv_result *result);

/** What the figures rest on: rates, prices, cutter, budget. */
void report_assumptions(const struct report_text *text, const struct cadv_result *result);

/* --- whole reports --- */

enum cadv_status report_write_text(const struct cadv_result *result,
                                   const struct cadv_report_options *options, FILE *out,
                                   struct cadv_error *err);

enum cadv_status report_write_json(const struct cadv_result *result,
                                   const struct cadv_report_options *options, FILE *out,
                                   struct cadv_error *err);

enum cadv_status report_write_csv(const struct cadv_result *result,
                                  const struct cadv_report_options *options, FILE *out,
                                  struct cadv_error *err);

enum cadv_status report_write_markdown(const struct cadv_result *result,
                                       const struct cadv_report_options *options, FILE *out,
                                       struct cadv_error *err);

/** "Permission denied": the untranslated text of an errno, NULL for 0. Static text. */
const char *report_errno_text(int saved_errno);

#endif
