/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial/trial.h - compressing chunks to see what comes out: one trial, and the stage after the scan
 * that runs the planned ones on many threads.
 *
 * May include: base, par, codec, record, sample.
 */
#ifndef TRIAL_TRIAL_H
#define TRIAL_TRIAL_H

#include <stdatomic.h>

#include "base/error.h"
#include "record/record.h"
#include "sample/sample.h"

/** Buffers of one thread. Zero it first; grown as needed. */
struct trial_workspace {
    uint8_t *compressed;
    size_t compressed_bytes;
    uint8_t *restored;
    size_t restored_bytes;
};

void trial_workspace_fini(struct trial_workspace *workspace);

/** At least so many bytes in each buffer, whose contents are lost; false when memory ran out. */
bool trial_workspace_reserve(struct trial_workspace *workspace, size_t compressed_bytes,
                             size_t restored_bytes);

/**
 * Compresses and restores `content` (1 byte to 4 GB) at `level`, a plain one. Fails when memory runs out, or
 * when what comes back is not what went in.
 */
enum cadv_status trial_run(struct trial_workspace *workspace, struct cadv_level level,
                           const uint8_t *content, uint32_t bytes, struct record_trial *trial,
                           struct cadv_error *err);

/** What the stage shares with the caller while it runs. */
struct trial_control {
    /** Set from outside to end early. */
    const atomic_int *stop;
    /** What a byte at a level costs, for progress. */
    double (*cost)(struct cadv_level level);
    /** Cost of the trials done so far; added to by the workers. */
    atomic_uint_fast64_t done_cost;
    /** Thread CPU seconds of all trials; set when the stage ends. */
    double cpu_s;
    /** Called on the calling thread about ten times a second; may be NULL. */
    /**
     * Called on the calling thread every few seconds, with the trials that there are; may be NULL.
     * The population is borrowed for the call, and its trials only to be read.
     */
    void (*peek)(void *ctx, const struct record_population *now);
    void (*tick)(void *ctx);
    void *tick_ctx;
    /**
     * Not 0: `interim` is to be called, once, with `tick_ctx` and the population as it is now
     * (borrowed for the call), while the workers rest. Set from outside, reset here. May be NULL.
     */
    atomic_int *interim_wanted;
    void (*interim)(void *ctx, const struct record_population *now);
    unsigned jobs;
};

/**
 * Brings every level of `population` up to `counts[stratum][level]` trials of its head, reading
 * contents from `sample`; levels that already have as many are left alone. The first chunks come
 * first, at every level, so that an early end leaves every level with a head (`trialled` says how
 * long); it waits for the trials in hand.
 * Sets *is_complete to whether all planned trials were run.
 */
enum cadv_status trial_stage(struct record_population *population,
                             const struct cadv_level_list *levels,
                             size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX],
                             const struct sample *sample, struct trial_control *control,
                             bool *is_complete, struct cadv_error *err);

#endif
