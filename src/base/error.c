/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

CADV_PRINTF(4, 0)
static void fill(struct cadv_error *err, enum cadv_status status, int saved_errno,
                 const char *format, va_list args)
{
    char text[sizeof err->message];
    err->status = status;
    err->saved_errno = saved_errno;
    (void)vsnprintf(text, sizeof text, format, args);
    if (saved_errno != 0) {
        char reason[128];
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, ": %s",
                       strerror_r(saved_errno, reason, sizeof reason));
    }
    /* Names in it may hold any byte; a message is one printable line. */
    escape_copy(text, ESCAPE_CONTROLS, err->message, sizeof err->message);
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

enum cadv_status cadv_error_set(struct cadv_error *err, enum cadv_status status,
                                int saved_errno, const char *format, ...)
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
