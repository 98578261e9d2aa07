/* SPDX-License-Identifier: BSD-2-Clause */
/* report_text.c - the report for people: facts, table, advice, warnings. */
#include <langinfo.h>
#include <string.h>

#include "report/parts.h"

static enum cadv_status write_table(const struct report_text *text,
                                    const struct cadv_result *result, struct cadv_error *err)
{
    if (result->row_count == 0) {
        report_paragraph(text, 0, "No level was tried, so there is no table.");
        return CADV_OK;
    }
    return report_table(text, result, err);
}

enum cadv_status report_write_text(const struct cadv_result *result,
                                   const struct cadv_report_options *options, FILE *out,
                                   struct cadv_error *err)
{
    struct report_text text = {
        .out = out, .is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0, .options = options};
    int verbosity = options->verbosity;
    /* That a result is partial is not left out at any verbosity. */
    report_partial(&text, result);
    if (verbosity >= 0) {
        report_facts(&text, result);
    }
    enum cadv_status status = write_table(&text, result, err);
    if (status != CADV_OK || verbosity < 0) {
        return status;
    }
    (void)fputc('\n', out);
    report_advice(&text, result);
    report_warnings(&text, result);
    if (verbosity > 0) {
        status = result->row_count > 0 ? report_small_chunks(&text, result, err) : CADV_OK;
        report_assumptions(&text, result);
    }
    return status;
}
