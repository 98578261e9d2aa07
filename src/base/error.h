/* SPDX-License-Identifier: BSD-2-Clause */
/* base/error.h - filling a cadv_error, and the assert that stays in release builds. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "compadvise/error.h"

#define CADV_NODISCARD __attribute__((warn_unused_result))
#define CADV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/**
 * Fills `err` (may be NULL) with the status, errno and a one-line message, control
 * characters and invalid UTF-8 escaped, so that a name cannot break line or terminal. Returns `status`, so that
 * `return error_set(...)` reads well. The message does not repeat strerror(); see error_errno().
 */
enum cadv_status error_set(struct cadv_error *err, enum cadv_status status, const char *format,
                           ...) CADV_PRINTF(3, 4);

/** Like error_set(), with saved_errno kept and ": " plus its text appended. */
enum cadv_status error_errno(struct cadv_error *err, enum cadv_status status, int saved_errno,
                             const char *format, ...) CADV_PRINTF(4, 5);

/** error_set() for memory: "out of memory while WHAT". */
enum cadv_status error_nomem(struct cadv_error *err, const char *what);

/** Aborts with file, line and text when a promise of the program itself is broken. */
#define CADV_ASSERT(condition)                                                                 \
    ((condition) ? (void)0 : error_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void error_assert_failed(const char *condition, const char *file, int line);

#endif
