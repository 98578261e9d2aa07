/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial/task_order.h - in which order the tasks of a stage come. It may be ended at any time, so they come
 * in the order in which they are worth most: a few chunks of each stratum at all levels, the
 * cheapest first, since a level without a trial has no row; then enough that intervals are honest;
 * then the rest, cheap levels first, which the dear ones are predicted from. No result depends on
 * it.
 */
#ifndef TRIAL_TASK_ORDER_H
#define TRIAL_TASK_ORDER_H

#include "record/record.h"

/** In place of a level's index: all the cheap ones. */
#define TRIAL_CHEAP_LEVELS SIZE_MAX

/** One task: a chunk of a stratum, by rank, at one level. */
struct trial_place {
    enum record_stratum_id stratum;
    size_t rank;
    /** Index in the list of levels, or TRIAL_CHEAP_LEVELS. */
    size_t level;
    /** What a byte costs at the level; 0 for the cheap ones. */
    double cost;
};

/** Below 0 when `a` is to come first, above 0 when `b` is; 0 for the same task only. */
int trial_place_compare(const struct trial_place *a, const struct trial_place *b);

#endif
