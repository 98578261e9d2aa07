/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "fuzz_target.h"

_Noreturn void fuzz_check_failed(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
    abort();
}
