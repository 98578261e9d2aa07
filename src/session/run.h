/* SPDX-License-Identifier: BSD-2-Clause */
/* session/run.h - what the steps of one run share. Inside session only; one thread. */
#ifndef SESSION_RUN_H
#define SESSION_RUN_H

#include "compadvise/session.h"
#include "estimate/estimate.h"
#include "plan/plan.h"
#include "record/record.h"
#include "sample/sample.h"
#include "scan/scan.h"
#include "session/memory.h"
#include "session/metadata.h"
#include "session/stop.h"
#include "target/target.h"
#include "trial/machine.h"

/** Estimates of one population, by index of the record's levels. */
struct run_estimates {
    struct estimate sizes[CADV_LEVELS_MAX];
    struct estimate compress[CADV_LEVELS_MAX];
    struct estimate decompress[CADV_LEVELS_MAX];
};

struct run {
    struct cadv_options options;
    const struct target *target;
    /** Fixed once the options are checked; points into the options and the result's names. */
    struct target_setup setup;
    /** The paths that one create takes together; the array is owned, and lent to interim runs. */
    const char **trees;
    size_t tree_count;
    const char *spool_directory;
    /** Rows of the report. */
    struct cadv_level_list rows;
    struct plan_scan plan;
    struct memory_plan memory;
    struct record record;
    struct sample *content_sample;
    struct sample *items_sample;
    /** Only when a key decides the cuts; see seams.h. */
    uint64_t seam_squares;
    struct run_estimates content;
    struct run_estimates items;
    /** With --exact: the item stream as each level makes it, by level index. */
    struct metadata_stream streams[CADV_LEVELS_MAX];
    /** Content trials by level index: chunks and bytes. */
    uint64_t level_chunks[CADV_LEVELS_MAX];
    uint64_t level_bytes[CADV_LEVELS_MAX];
    struct target_machine machine;
    /** Measured when first needed, and again only for much more data. */
    struct machine_rates rates;
    struct cadv_result *result;
    /** A report in between that is not delivered yet; else NULL. */
    struct cadv_result *interim;
    /** Whom to tell; its functions may be NULL. */
    struct cadv_watcher watcher;
    /** Clocks at the start. */
    double start_s;
    double start_cpu_s;
    /** When a limit ended the scan, since the start; else 0. */
    double scan_end_s;
    double scan_end_cpu_s;
    /** For the limits: the scan must leave a reserve. */
    bool is_scanning;
    struct scan_progress counters;
    /** Of the trials that are running, and their planned cost. */
    const struct trial_control *trial_control;
    double trial_planned;
    /** Half width of the widest interval among the rows, a share of the size; below 0: unknown. */
    double widest;
};

/** The command lines of the target for a level, joined, into a buffer of `out_bytes` (command.c). */
const char *run_command(const struct run *run, struct cadv_level level, char *out,
                        size_t out_bytes);

/** How many commands that takes: one for all trees, one for each archive or stream. */
unsigned run_command_count(const struct run *run);

/** Adds a sentence for the reader. */
void run_warn(struct run *run, const char *format, ...) CADV_PRINTF(2, 3);

/** Scans the roots into the record: content, items, problems (steps.c). */
enum cadv_status run_scan(struct run *run, struct cadv_error *err);

/** Tells the caller that the run has ended (steps.c). */
void run_say_done(struct run *run);

/** Plans and runs the trials of one population within `budget_bytes` (steps.c). */
enum cadv_status run_trial(struct run *run, struct record_population *population,
                           const struct sample *sample, uint64_t budget_bytes,
                           struct cadv_error *err);

/** Adds the metadata stream as a population, and tries it (steps.c). Needs content's sizes. */
enum cadv_status run_items(struct run *run, struct cadv_error *err);

/** Works out one population's derived levels, and estimates all of them (project.c). */
enum cadv_status run_estimate(struct run *run, struct record_population *population,
                              struct run_estimates *out, struct cadv_error *err);

/** From the content's estimates and the items' population to a result (conclude.c). */
enum cadv_status run_conclude(struct run *run, struct cadv_error *err);

/** Adds the items as a population that nothing is kept of, so that only counts come of it. */
enum cadv_status run_count_items(struct run *run, struct cadv_error *err);

/** Callbacks of scan and trials: make a result of what there is; `ctx` is the run (interim.c). */
void interim_of_scan(void *ctx, struct record *now);
void interim_of_content(void *ctx, const struct record_population *now);
void interim_of_items(void *ctx, const struct record_population *now);

/** Gives the watcher the result that is waiting, if one is. */
void interim_deliver(struct run *run);
/** Puts the streams of levels, where they are known, in place of their estimates (project.c). */
void run_use_streams(struct run *run);

/** Tells the paths that are trees from archives and streams: run->trees, owned (command.c). */
enum cadv_status run_collect_trees(struct run *run, struct cadv_error *err);

/** Takes the options' encryption and archive name, and this host's and user's names (setup.c). */
enum cadv_status run_setup(struct run *run, struct cadv_error *err);

/** Fills load->object_stored_bytes: packs the archive's own objects and compresses them (objects.c).
 */
enum cadv_status run_objects(struct target_load *load, const struct target *target,
                             struct cadv_error *err);

/** Fills the machine's rates from options, calibration and the scan (machine_model.c). */
enum cadv_status run_machine(struct run *run, struct cadv_error *err);

/** Fills dataset, sample, rows and bound of the result (project.c, facts.c). */
enum cadv_status run_project(struct run *run, struct cadv_error *err);
enum cadv_status run_facts(struct run *run, struct cadv_error *err);

/** Why a temporary file could not take all of a sample; 0: it did (facts.c). */
int run_spool_errno(const struct run *run);

/** Fills each row's step, and that beyond the knee (differences.c). Needs the rows and the knee. */
enum cadv_status run_differences(struct run *run, struct cadv_error *err);

/** Fills the advice and the differences it rests on (recommend.c). Needs the rows. */
enum cadv_status run_recommend(struct run *run, struct cadv_error *err);

/** What does not shrink at lz4 and at the archive's level (facts.c). Needs the advice. */
enum cadv_status run_incompressible(struct run *run, struct cadv_error *err);

#endif
