/* SPDX-License-Identifier: BSD-2-Clause */
/* The pure end of a run: from what is known of content and items to the result. */
#include <math.h>

#include "base/clock.h"
#include "session/resident.h"
#include "session/run.h"
#include "session/small_chunks.h"

/* A codec may make data that does not shrink this much longer, and targets differ in whether they
 * keep it then. */
#define EXPANSION_MAX 1.01
/* Times of two kinds of data at one level differ by less than this factor. */
#define TIME_FACTOR 4.0

/* `share` of what is known of the content, with the widest interval that makes sense. */
static struct estimate assume(const struct estimate *content, double share, double most)
{
    double est = fmin(content->est * share, most);
    return (struct estimate){.est = est, .lo = 0.0, .hi = most, .is_known = true};
}

/*
 * A run that is cut short has no trials of the metadata stream, which is a few tenths of a percent
 * of a repository. It is taken to compress as the content does, with an interval from nothing to
 * all of it: wider, never wrong.
 */
static void assume_items(struct run *run)
{
    uint64_t content_bytes = record_unique_bytes(&run->record.populations[RUN_CONTENT]);
    double bytes = (double)record_unique_bytes(&run->record.populations[RUN_ITEMS]);
    double share = content_bytes > 0 ? bytes / (double)content_bytes : 0.0;
    for (size_t level = 0; level < run->record.levels.count; level++) {
        if (run->items.sizes[level].is_known || !run->content.sizes[level].is_known) {
            continue;
        }
        const struct estimate *compress = &run->content.compress[level];
        const struct estimate *decompress = &run->content.decompress[level];
        run->items.sizes[level] =
            assume(&run->content.sizes[level], share, bytes * EXPANSION_MAX);
        run->items.compress[level] =
            assume(compress, share, TIME_FACTOR * share * compress->est);
        run->items.decompress[level] =
            assume(decompress, share, TIME_FACTOR * share * decompress->est);
    }
}

static void finish(struct run *run)
{
    struct cadv_result *result = run->result;
    result->options = run->options;
    result->target_title = run->target->title;
    result->is_scan_complete = run->record.is_scan_complete;
    result->is_complete = run->record.is_scan_complete && result->row_count == run->rows.count;
    result->timing = (struct cadv_timing){.scan_seconds = run->record.scan_s,
                                          .trial_cpu_seconds = run->record.trial_cpu_s,
                                          .total_seconds = clock_wall_s() - run->start_s,
                                          .peak_memory_bytes = resident_peak_bytes(),
                                          .jobs = run->options.jobs};
}

enum cadv_status run_conclude(struct run *run, struct cadv_error *err)
{
    enum cadv_status status =
        run_estimate(run, &run->record.populations[RUN_ITEMS], &run->items, err);
    if (status == CADV_OK) {
        run_use_streams(run);
        assume_items(run);
        status = run_machine(run, err);
    }
    if (status == CADV_OK) {
        status = run_facts(run, err);
    }
    if (status == CADV_OK) {
        status = run_project(run, err);
    }
    if (status == CADV_OK) {
        status = run_recommend(run, err);
    }
    if (status == CADV_OK) {
        status = run_incompressible(run, err);
    }
    if (status == CADV_OK) {
        status = small_chunks_estimate(run, err);
    }
    if (status == CADV_OK) {
        finish(run);
    }
    return status;
}
