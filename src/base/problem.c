/* SPDX-License-Identifier: BSD-2-Clause */
/* problem.c - names of what can be wrong with one file. */
#include "base/error.h"
#include "compadvise/result.h"

const char *cadv_problem_kind_name(enum cadv_problem_kind kind)
{
    static const char *const names[CADV_PROBLEM_KINDS] = {
        [CADV_PROBLEM_UNREADABLE] = "unreadable",
        [CADV_PROBLEM_VANISHED] = "vanished",
        [CADV_PROBLEM_GREW] = "grew",
        [CADV_PROBLEM_SHRANK] = "shrank",
        [CADV_PROBLEM_CHANGED] = "changed",
        [CADV_PROBLEM_ENCRYPTED] = "encrypted",
        [CADV_PROBLEM_DAMAGED] = "damaged",
        [CADV_PROBLEM_LIMIT] = "limit",
    };
    CADV_ASSERT((unsigned)kind < CADV_PROBLEM_KINDS);
    return names[kind];
}
