/* SPDX-License-Identifier: BSD-2-Clause */
/* report.c - the public entry: formats by name, and whether everything really was written. */
#include <errno.h>
#include <string.h>

#include "report/parts.h"

static const struct {
    const char *name;
    enum cadv_format format;
} formats[] = {{"table", CADV_FORMAT_TABLE}, {"json", CADV_FORMAT_JSON}};

enum cadv_status cadv_format_parse(const char *name, enum cadv_format *format,
                                   struct cadv_error *err)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *format = formats[i].format;
            return CADV_OK;
        }
    }
    return error_set(err, CADV_ERR_USAGE, "unknown format '%.64s': choose table or json", name);
}

static enum cadv_status write_format(const struct cadv_result *result, enum cadv_format format,
                                     int verbosity, FILE *out, struct cadv_error *err)
{
    switch (format) {
    case CADV_FORMAT_TABLE:
        return report_write_text(result, verbosity, out, err);
    case CADV_FORMAT_JSON:
        return report_write_json(result, out, err);
    }
    return error_set(err, CADV_ERR_USAGE, "unknown format");
}

enum cadv_status cadv_report_write(const struct cadv_result *result, enum cadv_format format,
                                   int verbosity, FILE *out, struct cadv_error *err)
{
    errno = 0;
    enum cadv_status status = write_format(result, format, verbosity, out, err);
    if (status != CADV_OK) {
        return status;
    }
    /* An earlier write may have failed and a later one not: the mark on the stream stays. */
    if (fflush(out) != 0 || ferror(out)) {
        return error_errno(err, CADV_ERR_OUTPUT, errno != 0 ? errno : EIO,
                           "cannot write the report");
    }
    return CADV_OK;
}

const char *report_errno_text(int saved_errno)
{
    if (saved_errno == 0) {
        return NULL;
    }
    const char *text = strerrordesc_np(saved_errno);
    return text != NULL ? text : "unknown error";
}

bool report_row_is_known(const struct cadv_row *row)
{
    return row->is_exact || row->trial_chunks > 0;
}
