/* SPDX-License-Identifier: BSD-2-Clause */
/* stop_reason.c - names of what can end a run before its time. */
#include "base/error.h"
#include "compadvise/result.h"

const char *cadv_stop_reason_name(enum cadv_stop_reason reason)
{
    static const char *const names[CADV_STOP_REASONS] = {
        [CADV_STOP_SIGNAL] = "signal", [CADV_STOP_CALLER] = "caller",
        [CADV_STOP_TIME] = "time",     [CADV_STOP_CPU] = "cpu",
        [CADV_STOP_MEMORY] = "memory", [CADV_STOP_INTERIM] = "interim",
    };
    CADV_ASSERT((unsigned)reason < CADV_STOP_REASONS);
    return names[reason];
}
