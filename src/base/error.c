/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* File names may hold any byte; a message is one printable line. */
static void make_printable(char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte == 0x7f) {
            *text = '?';
        }
    }
}

CADV_PRINTF(4, 0)
static void fill(struct cadv_error *err, enum cadv_status status, int saved_errno,
                 const char *format, va_list args)
{
    err->status = status;
    err->saved_errno = saved_errno;
    (void)vsnprintf(err->message, sizeof err->message, format, args);
    if (saved_errno != 0) {
        char reason[128];
        size_t used = strlen(err->message);
        (void)snprintf(err->message + used, sizeof err->message - used, ": %s",
                       strerror_r(saved_errno, reason, sizeof reason));
    }
    make_printable(err->message);
}

enum cadv_status error_set(struct cadv_error *err, enum cadv_status status, const char *format,
                           ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        fill(err, status, 0, format, args);
        va_end(args);
    }
    return status;
}

enum cadv_status error_errno(struct cadv_error *err, enum cadv_status status, int saved_errno,
                             const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        fill(err, status, saved_errno, format, args);
        va_end(args);
    }
    return status;
}

enum cadv_status error_nomem(struct cadv_error *err, const char *what)
{
    return error_set(err, CADV_ERR_NOMEM,
                     "out of memory while %s; try a smaller --jobs or --sample-budget", what);
}

_Noreturn void error_assert_failed(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "compadvise: bug: %s:%d: %s does not hold\n", file, line, condition);
    abort();
}
