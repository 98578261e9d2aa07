/* SPDX-License-Identifier: BSD-2-Clause */
/* report.c - the public entry: formats by name, and whether everything really was written. */
#include <errno.h>
#include <string.h>

#include "report/parts.h"

typedef enum cadv_status (*write_fn)(const struct cadv_result *result,
                                     const struct cadv_report_options *options, FILE *out,
                                     struct cadv_error *err);

static const struct {
    const char *name;
    enum cadv_format format;
    write_fn write;
} formats[] = {{"table", CADV_FORMAT_TABLE, report_write_text},
               {"json", CADV_FORMAT_JSON, report_write_json},
               {"csv", CADV_FORMAT_CSV, report_write_csv},
               {"markdown", CADV_FORMAT_MARKDOWN, report_write_markdown}};

struct cadv_report_options cadv_report_options_default(void)
{
    return (struct cadv_report_options){.format = CADV_FORMAT_TABLE};
}

enum cadv_status cadv_format_parse(const char *name, enum cadv_format *format,
                                   struct cadv_error *err)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *format = formats[i].format;
            return CADV_OK;
        }
    }
    return error_set(err, CADV_ERR_USAGE,
                     "unknown format '%.64s': choose table, json, csv or markdown", name);
}

static enum cadv_status write_format(const struct cadv_result *result,
                                     const struct cadv_report_options *options, FILE *out,
                                     struct cadv_error *err)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].format == options->format) {
            return formats[i].write(result, options, out, err);
        }
    }
    return error_set(err, CADV_ERR_USAGE, "unknown format");
}

enum cadv_status cadv_report_write(const struct cadv_result *result,
                                   const struct cadv_report_options *options, FILE *out,
                                   struct cadv_error *err)
{
    errno = 0;
    enum cadv_status status = write_format(result, options, out, err);
    if (status != CADV_OK) {
        return status;
    }
    /* An earlier write may have failed and a later one not: the mark on the stream stays. */
    if (fflush(out) != 0 || ferror(out)) {
        return cadv_error_set(err, CADV_ERR_OUTPUT, errno != 0 ? errno : EIO,
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
