/* SPDX-License-Identifier: BSD-2-Clause */
/* support/result_fixture.h - results made by hand, so that reports can be tested alone. */
#ifndef SUPPORT_RESULT_FIXTURE_H
#define SUPPORT_RESULT_FIXTURE_H

#include <stdbool.h>

#include "compadvise/result.h"

/**
 * Fills `result` with the case called `name`; false when there is none of that name. Pointers
 * in it are to static storage. The cases: "typical" (sampled, four levels), "exact", "partial"
 * (scan cut short), "stopped" (in the trials), "empty" (no rows, all zero), "one" (one row),
 * "many" (150 rows, wide figures, no baseline), "huge" (petabytes), "hostile" (names with any
 * byte), "unknown" (a row without trials, numbers that are not finite).
 */
bool result_fixture(const char *name, struct cadv_result *result);

/** The names above, in their order; NULL ends them. */
extern const char *const result_fixture_names[];

#endif
