/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan/plan.h - how much to trial. Two questions, both answered from options, counts and
 * constants, never from a clock or from a result: what a scan must keep and trial on the way,
 * and which trials to run when it is over.
 *
 * The unit of all costs is one byte compressed by zstd,19. docs/method.md has the rules.
 *
 * May include: base, record, estimate (for what levels are known to tell about each other).
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "record/record.h"

/**
 * Cost of compressing one byte at `level`, in bytes of zstd,19: at most 1.2; 0 for levels that need
 * no trials, which are none and all that are derived from others.
 */
double plan_cost(struct cadv_level level);

/** What a scan must do for the trials. */
struct plan_scan {
    /**
     * The record's levels: those asked for, those that they are derived from, and helpers that
     * make estimating them cheaper.
     */
    struct cadv_level_list levels;
    /** By index in levels: trial it during the scan, on every chunk of the head. */
    bool is_inline[CADV_LEVELS_MAX];
    /** Chunks of the ordering's head to keep; SIZE_MAX: all of them. */
    size_t order_max[RECORD_STRATUM_COUNT];
    /** Contents to keep, for the first of the head: at most so many chunks and bytes. */
    size_t content_max[RECORD_STRATUM_COUNT];
    uint64_t content_max_bytes[RECORD_STRATUM_COUNT];
};

/**
 * Plans a scan. With `is_exact` every level runs during the scan on every unique chunk and no
 * contents are kept. `requested` is a list in table order; `budget_bytes` is at least 1.
 */
void plan_scan(const struct cadv_level_list *requested, bool is_exact, uint64_t budget_bytes,
               struct plan_scan *out);

/** The part of a budget that trials of the metadata stream get; the rest is for content. */
uint64_t plan_metadata_budget(uint64_t budget_bytes);

/** What there is to plan trials for. Borrowed; trialled[] counts what the scan already did. */
struct plan_request {
    const struct record_population *population;
    const struct cadv_level_list *levels;
    /** Chunks of each stratum's head whose contents are at hand; at most chunk_count. */
    size_t contents_available[RECORD_STRATUM_COUNT];
    /** Everything this population's trials may cost, with what the scan spent. */
    uint64_t budget_bytes;
};

struct plan_trials {
    /**
     * By stratum and level index: trial this level on the first so many chunks of the head.
     * Never less than was trialled already, otherwise at most contents_available.
     */
    size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX];
    /** Every unique chunk at every level. */
    bool is_everything;
    /** What the scan's own trials are taken to have cost, and what these will: for progress. */
    double spent;
    double cost;
};

/**
 * Plans the trials after a scan: everything, when the budget and the contents allow; else
 * shares of what the scan left of the budget, by one rule scaled until it fits. Each level gets
 * a few trials even where the budget does not allow them, since an interval needs them;
 * plan_minimum() says what these cost. A larger budget never plans fewer trials of any level.
 */
void plan_trials(const struct plan_request *request, struct plan_trials *out);

/** The least that trials can cost, the scan's included: warn when the budget is below it. */
double plan_minimum(const struct plan_request *request);

#endif
