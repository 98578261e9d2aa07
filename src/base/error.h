/* SPDX-License-Identifier: BSD-2-Clause */
/* base/error.h - filling a cadv_error, and the assert that stays in release builds. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "compadvise/error.h"

#define CADV_NODISCARD __attribute__((warn_unused_result))
#define CADV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/** cadv_error_set() where no call failed: without an errno. */
enum cadv_status error_set(struct cadv_error *err, enum cadv_status status, const char *format,
                           ...) CADV_PRINTF(3, 4);

/** error_set() for memory: "out of memory while WHAT". */
enum cadv_status error_nomem(struct cadv_error *err, const char *what);

/** Aborts with file, line and text when a promise of the program itself is broken. */
#define CADV_ASSERT(condition)                                                                 \
    ((condition) ? (void)0 : error_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void error_assert_failed(const char *condition, const char *file, int line);

#endif
