/* SPDX-License-Identifier: BSD-2-Clause */
/* print_result.c - `print_result CASE FORMAT [VERBOSITY [si|iec|raw [color|plain
 * [SORT [COLUMNS]]]]]`: a result made by hand, as a report.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compadvise/report.h"
#include "support/result_fixture.h"

/* The optional arguments, from the fourth on. */
static enum cadv_status read_options(int argc, char **argv, struct cadv_report_options *options,
                                     struct cadv_error *err)
{
    enum cadv_status status = CADV_OK;
    options->verbosity = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
    options->is_colored = argc > 5 && strcmp(argv[5], "color") == 0;
    if (argc > 4) {
        status = cadv_units_parse(argv[4], &options->units, err);
    }
    if (status == CADV_OK && argc > 6) {
        status = cadv_column_parse(argv[6], &options->sort, err);
    }
    if (status == CADV_OK && argc > 7) {
        status = cadv_columns_parse(argv[7], &options->columns, err);
    }
    return status;
}

int main(int argc, char **argv)
{
    static struct cadv_result result;
    struct cadv_report_options options = cadv_report_options_default();
    struct cadv_error err = {.message = "unknown case"};
    (void)setlocale(LC_ALL, "");
    if (argc < 3 || !result_fixture(argv[1], &result) ||
        cadv_format_parse(argv[2], &options.format, &err) != CADV_OK ||
        read_options(argc, argv, &options, &err) != CADV_OK) {
        (void)fprintf(stderr, "print_result: %s\n", err.message);
        return 2;
    }
    if (cadv_report_write(&result, &options, stdout, &err) != CADV_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 3;
    }
    return 0;
}
