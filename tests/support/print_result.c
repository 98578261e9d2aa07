/* SPDX-License-Identifier: BSD-2-Clause */
/* print_result.c - `print_result CASE FORMAT [VERBOSITY]`: a result made by hand, as a report.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "compadvise/report.h"
#include "support/result_fixture.h"

int main(int argc, char **argv)
{
    static struct cadv_result result;
    enum cadv_format format;
    struct cadv_error err;
    (void)setlocale(LC_ALL, "");
    if (argc < 3 || !result_fixture(argv[1], &result) ||
        cadv_format_parse(argv[2], &format, &err) != CADV_OK) {
        (void)fputs("usage: print_result CASE table|json [VERBOSITY]\n", stderr);
        return 2;
    }
    int verbosity = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (cadv_report_write(&result, format, verbosity, stdout, &err) != CADV_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 3;
    }
    return 0;
}
