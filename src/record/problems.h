/* SPDX-License-Identifier: BSD-2-Clause */
/* record/problems.h - counting what went wrong with files, and naming the first of them by path. */
#ifndef RECORD_PROBLEMS_H
#define RECORD_PROBLEMS_H

#include "record/record.h"

/**
 * Counts a problem and lists it if its path is among the first RECORD_PROBLEMS_MAX in byte order,
 * whatever the order of calls. Copies `path`. False when memory ran out (it is counted anyway).
 */
bool record_problems_add(struct record_problems *problems, enum record_problem_kind kind,
                         int saved_errno, uint64_t bytes, const char *path);

void record_problems_fini(struct record_problems *problems);

#endif
