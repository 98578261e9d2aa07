/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate/parent.h - which level's estimate each level is built on, within one stratum. */
#ifndef ESTIMATE_PARENT_H
#define ESTIMATE_PARENT_H

#include "record/record.h"

/** No parent: the level is estimated from chunk sizes alone. */
#define PARENT_NONE SIZE_MAX

/** Built on the probes, whose total is known exactly. */
#define PARENT_PROBE (SIZE_MAX - 1)

/** False for what is not the index of a level. */
static inline bool parent_is_level(size_t parent)
{
    return parent < PARENT_PROBE;
}

struct parent_plan {
    /** Level indices with trials, those with most trials first; ties in list order. */
    size_t order[CADV_LEVELS_MAX];
    size_t count;
    /** By level index: the parent's index, PARENT_PROBE or PARENT_NONE. Parents come earlier in order. */
    size_t parent[CADV_LEVELS_MAX];
};

/**
 * Among the levels with more trials, the probes if `has_probes`, and no parent at all, each level takes what promises the
 * smallest variance: the prior gap over its own trials plus what the parent promises. A
 * function of the levels and the counts alone, never of results, so that choosing biases
 * nothing. A derived level knows no more than the levels it is made of, so it is no parent. With `is_chained` false nobody has a parent.
 */
void parent_choose(const struct record_stratum *stratum, const struct cadv_level_list *levels,
                   bool is_chained, bool has_probes, struct parent_plan *plan);

#endif
