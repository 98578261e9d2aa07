/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h - run it: scan the roots, trial a sample, project, advise.
 */
#ifndef COMPADVISE_SESSION_H
#define COMPADVISE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "compadvise/error.h"
#include "compadvise/options.h"
#include "compadvise/result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cadv_phase { CADV_PHASE_SCAN = 0, CADV_PHASE_TRIALS, CADV_PHASE_DONE };

/** How far a run is; counters of the scan stay when the trials begin. */
struct cadv_progress {
    /** Last, and once however the run ends: CADV_PHASE_DONE. */
    enum cadv_phase phase;
    /** Read so far. */
    uint64_t files;
    uint64_t bytes;
    /** To read, by the sizes their folders stated; links to what was read and files that cannot
     *  be read are taken off again. Of archives and streams: what came out of them so far. More is
     *  found until `is_walk_done`. */
    uint64_t files_found;
    uint64_t bytes_found;
    /** Every folder has been listed, and every archive and stream read to its end. */
    bool is_walk_done;
    uint64_t unique_bytes;
    uint64_t problems;
    /** Trials: zstd,19-equivalent bytes done and planned. */
    uint64_t trial_done;
    uint64_t trial_planned;
    /** Trials: half the widest interval of the levels so far, as a share of the size; below 0:
     *  nothing is known of some level yet. Looked at every few seconds. */
    double widest_half_width;
    double elapsed_s;
};

/** Called about ten times a second, on the thread that called cadv_session_run() only. */
typedef void (*cadv_progress_fn)(const struct cadv_progress *progress, void *ctx);

/**
 * Called with what there is so far after cadv_session_report_now(), on the thread that called
 * cadv_session_run() only, while the run goes on. The result is the caller's for the call only.
 */
typedef void (*cadv_interim_fn)(const struct cadv_result *result, void *ctx);

/** Whom a run tells what. Functions may be NULL. */
struct cadv_watcher {
    cadv_progress_fn progress;
    cadv_interim_fn interim;
    /** Passed to both. */
    void *ctx;
};

/**
 * Runs to the end, or until cadv_session_stop() or a limit of the options. Blocks. `progress` may be
 * NULL. On CADV_OK the result is complete, or says what cut it short; release it with
 * cadv_result_free(). Reads the data only; writes nothing but an unlinked temporary file (in TMPDIR,
 * else /var/tmp) when the sample outgrows its memory. One run at a time per process.
 */
enum cadv_status cadv_session_run(const struct cadv_options *options, cadv_progress_fn progress,
                                  void *ctx, struct cadv_result **result,
                                  struct cadv_error *err);

/** As cadv_session_run(), which it does with `progress` alone. The watcher is only read. */
enum cadv_status cadv_session_run_watched(const struct cadv_options *options,
                                          const struct cadv_watcher *watcher,
                                          struct cadv_result **result, struct cadv_error *err);

/**
 * Asks the run in progress to call its watcher's `interim` soon; it waits for the trials in hand
 * and then for the workers to rest, and its own result is what it would be otherwise. Calls in
 * quick succession become one. Async-signal-safe, from any thread; nothing without a run.
 */
void cadv_session_report_now(void);

/**
 * Asks the run in progress to stop soon and report what it has; `signal_number` (or -1) lands in
 * the result. Async-signal-safe, from any thread; a second call changes nothing.
 */
void cadv_session_stop(int signal_number);

/** Frees a result; NULL is fine. */
void cadv_result_free(struct cadv_result *result);

#ifdef __cplusplus
}
#endif
#endif
