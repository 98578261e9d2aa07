/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_target.h - what each fuzz_*.c defines, whoever calls it: libFuzzer or replay_main.c. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** Returns 0; aborts when a promise is broken. `data` may be NULL when data_bytes is 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes);

/** abort() with the line, so that a replay tells what broke. */
#define FUZZ_CHECK(condition)                                                                  \
    ((condition) ? (void)0 : fuzz_check_failed(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_check_failed(const char *condition, const char *file, int line);

#endif
