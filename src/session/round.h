/* SPDX-License-Identifier: BSD-2-Clause */
/* session/round.h - estimates as integer bytes, never narrower than they were. */
#ifndef SESSION_ROUND_H
#define SESSION_ROUND_H

#include <math.h>

#include "compadvise/result.h"
#include "estimate/estimate.h"

static inline struct cadv_interval round_interval(const struct estimate *estimate)
{
    struct cadv_interval interval = {.est = (uint64_t)llround(fmax(estimate->est, 0.0)),
                                     .lo = (uint64_t)floor(fmax(estimate->lo, 0.0)),
                                     .hi = (uint64_t)ceil(fmax(estimate->hi, 0.0))};
    return interval;
}

#endif
