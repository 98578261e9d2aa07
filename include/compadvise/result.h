/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * result.h - what a run found: a value that reports are written from. Sizes are integer bytes,
 * times seconds. Everything but `advice`, `timing` and each row's `timing` is the same for any
 * number of jobs.
 */
#ifndef COMPADVISE_RESULT_H
#define COMPADVISE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compadvise/dataset.h"
#include "compadvise/level.h"
#include "compadvise/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Seconds with their 95 % interval. */
struct cadv_seconds {
    double est;
    double lo;
    double hi;
};

/** What one level makes of them, alone. */
struct cadv_small_row {
    /** False when none of them was tried. */
    bool is_known;
    struct cadv_interval data_size;
    /** Thread CPU to compress them. */
    struct cadv_seconds compress_seconds;
};

struct cadv_sample {
    /** Chunks of file content trialled at the level trialled most (none not counted). */
    uint64_t chunks;
    uint64_t bytes;
    /** Every unique chunk was trialled at every level. */
    bool is_exact;
    /** Every planned trial was run. False after an early end: then intervals are wider. */
    bool is_complete;
    double confidence;
    uint64_t salt;
};

/**
 * Bytes that one level's repository is smaller by than another's; negative when it is larger. Both
 * are estimated from the same chunks, so lo and hi are far closer than the two sizes' own are.
 */
struct cadv_difference {
    bool is_known;
    int64_t est;
    int64_t lo;
    int64_t hi;
};

struct cadv_row {
    struct cadv_level level;
    /** As Borg spells it. */
    char name[CADV_LEVEL_NAME_MAX];
    /** What the codec left of the unique content chunks (raw length where stored raw). */
    struct cadv_interval data_size;
    /** All files of the repository after init and one create. */
    struct cadv_interval repository_size;
    /** What the level saves over the row before; not known in the first row. */
    struct cadv_difference step;
    /** Unique bytes in chunks that the level does not shrink; known when the sizes are. */
    struct cadv_interval incompressible_bytes;
    uint64_t trial_chunks;
    uint64_t trial_bytes;
    bool is_exact;
    /** True when the target's command accepts the level. */
    bool is_offered;
    /** The whole run of the target's create. */
    struct cadv_seconds cpu_seconds;
    double wall_seconds;
    double cores;
    double restore_seconds;
    /** The slowest stage; static text. */
    const char *bottleneck;
    /** Times that so long a run saves a checkpoint, and what they leave in the repository until it
     * is compacted; in none of the sizes above. */
    uint64_t checkpoints;
    uint64_t checkpoint_bytes;
    /** Another offered level is at least as small and as fast, and better in one of them. */
    bool is_dominated;
    /** On the lower convex hull of (wall time, repository size). */
    bool is_on_hull;
    /** By index of cadv_dataset's small_chunks. */
    struct cadv_small_row small_chunks[CADV_SMALL_LIMITS];
};

/** Index of no row. */
#define CADV_NO_ROW SIZE_MAX

struct cadv_recommendation {
    /** Index into rows, or CADV_NO_ROW when there is nothing to recommend. */
    size_t row;
    /** The rest of a sentence, with the numbers that decided: no capital, no full stop. */
    char why[512];
    /** The line to paste. Empty without a row. */
    char command[1024];
};

struct cadv_advice {
    struct cadv_recommendation knee;
    /** The step beyond the knee that was not worth its price: index into rows, or CADV_NO_ROW, and
     * what it saves over the knee. */
    size_t beyond_knee;
    struct cadv_difference beyond_knee_step;
    struct cadv_recommendation kneedle;
    struct cadv_recommendation daily;
    struct cadv_recommendation archive;
};

struct cadv_timing {
    double scan_seconds;
    double trial_cpu_seconds;
    /** From the first step to the last, all included. */
    double total_seconds;
    uint64_t peak_memory_bytes;
    unsigned jobs;
};

/** At most so many warnings are kept. */
#define CADV_WARNINGS_MAX 32

/** What ended a run before its time. */
enum cadv_stop_reason {
    CADV_STOP_NONE = 0,
    CADV_STOP_SIGNAL,
    /** cadv_session_stop() without a signal. */
    CADV_STOP_CALLER,
    /** A limit of the options. */
    CADV_STOP_TIME,
    CADV_STOP_CPU,
    CADV_STOP_MEMORY,
    /** Nothing: this is a report in between, and the run goes on. */
    CADV_STOP_INTERIM,
    CADV_STOP_REASONS
};

/** The reason as one word: "signal", "caller", "time", "cpu", "memory", "interim"; NULL for none. */
const char *cadv_stop_reason_name(enum cadv_stop_reason reason);

struct cadv_result {
    /** The figures are those of the whole dataset, and no level lacks its row. */
    bool is_complete;
    /** False when the scan itself was cut short, so that counts are not the dataset's. */
    bool is_scan_complete;
    /** What cut the scan or the trials short; then the signal, or 0. */
    enum cadv_stop_reason stop_reason;
    int stop_signal;
    /** A copy of the options with defaults filled in; pointers borrowed as in the options. */
    struct cadv_options options;
    /** What a person calls the target: "Borg 1.x". Static text. */
    const char *target_title;
    /** As the target notes them in the archive; any bytes. */
    char hostname[256];
    char username[256];
    struct cadv_dataset dataset;
    struct cadv_sample sample;
    struct cadv_row rows[CADV_LEVELS_MAX];
    size_t row_count;
    /** Repository bytes if nothing were repeated or compressed, at the level that adds most. */
    uint64_t upper_bound;
    struct cadv_advice advice;
    struct cadv_timing timing;
    /** Sentences for the reader, without newline. */
    char warnings[CADV_WARNINGS_MAX][256];
    size_t warning_count;
};

#ifdef __cplusplus
}
#endif
#endif
