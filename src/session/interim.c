/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reports in between. The workers rest while a second run is made that borrows what the first has,
 * and is concluded as if it had ended; the first one is not changed by it. The watcher gets the
 * result at the next tick, when the workers are at it again, so that slow output holds up nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "record/derived.h"
#include "session/run.h"
#include "session/seams.h"

/*
 * Trials of derived levels are worked out anew with each estimate and belong to the population, so
 * a copy of one that is estimated must not share them.
 */
static void hide_derived(struct record *record)
{
    for (size_t p = 0; p < record->population_count; p++) {
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            struct record_stratum *stratum = &record->populations[p].strata[s];
            for (size_t level = 0; level < record->levels.count; level++) {
                if (record_is_derived(record->levels.items[level])) {
                    stratum->trials[level] = NULL;
                    stratum->trialled[level] = 0;
                }
            }
        }
    }
}

static void free_derived(struct record *record)
{
    for (size_t p = 0; p < record->population_count; p++) {
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            struct record_stratum *stratum = &record->populations[p].strata[s];
            for (size_t level = 0; level < record->levels.count; level++) {
                if (record_is_derived(record->levels.items[level])) {
                    free(stratum->trials[level]);
                }
            }
        }
    }
    hide_derived(record);
}

/* A run for one result, with everything that does not grow. */
static struct run *borrow(const struct run *run, const struct record *record)
{
    struct run *now = calloc(1, sizeof *now);
    struct cadv_result *result = calloc(1, sizeof *result);
    if (now == NULL || result == NULL) {
        free(now);
        free(result);
        return NULL;
    }
    now->options = run->options;
    now->target = run->target;
    now->spool_directory = run->spool_directory;
    now->rows = run->rows;
    now->plan = run->plan;
    now->record = *record;
    now->record.are_trials_complete = false;
    now->setup = run->setup;
    now->trees = run->trees;
    now->tree_count = run->tree_count;
    now->setup.chunker = &now->options.chunker;
    hide_derived(&now->record);
    now->content_sample = run->content_sample;
    memcpy(now->streams, run->streams, sizeof now->streams);
    now->rates = run->rates;
    now->start_s = run->start_s;
    now->result = result;
    result->stop_reason = CADV_STOP_INTERIM;
    result->warning_count = run->result->warning_count;
    memcpy(result->warnings, run->result->warnings, sizeof result->warnings);
    return now;
}

/* Concludes and gives back; memory running out costs this report, not the run. */
static void conclude(struct run *run, struct run *now)
{
    enum cadv_status status =
        run_estimate(now, &now->record.populations[RUN_CONTENT], &now->content, NULL);
    if (status == CADV_OK && now->record.population_count == 1) {
        status = run_count_items(now, NULL);
    }
    if (status == CADV_OK && now->setup.encryption->is_keyed) {
        status = seams_count(&now->record, &now->seam_squares, NULL);
    }
    if (status == CADV_OK) {
        status = run_conclude(now, NULL);
    }
    if (status == CADV_OK) {
        run->rates = now->rates;
        cadv_result_free(run->interim);
        run->interim = now->result;
        now->result = NULL;
    }
    cadv_result_free(now->result);
    sample_free(now->items_sample);
}

void interim_of_scan(void *ctx, struct record *now_record)
{
    struct run *run = ctx;
    struct run *now = borrow(run, now_record);
    if (now == NULL) {
        return;
    }
    conclude(run, now);
    /* What was added to it is the scan's to free. */
    *now_record = now->record;
    free(now);
}

void interim_of_content(void *ctx, const struct record_population *now_content)
{
    struct run *run = ctx;
    struct run *now = borrow(run, &run->record);
    if (now == NULL) {
        return;
    }
    now->record.populations[RUN_CONTENT] = *now_content;
    hide_derived(&now->record);
    conclude(run, now);
    free_derived(&now->record);
    /* What run_count_items() added; the rest is borrowed. */
    if (now->record.population_count == 2) {
        record_population_fini(&now->record.populations[RUN_ITEMS]);
    }
    free(now);
}

void interim_of_items(void *ctx, const struct record_population *now_items)
{
    struct run *run = ctx;
    struct run *now = borrow(run, &run->record);
    if (now == NULL) {
        return;
    }
    now->record.populations[RUN_ITEMS] = *now_items;
    hide_derived(&now->record);
    conclude(run, now);
    free_derived(&now->record);
    free(now);
}

void interim_deliver(struct run *run)
{
    struct cadv_result *result = run->interim;
    run->interim = NULL;
    if (result != NULL && run->watcher.interim != NULL) {
        run->watcher.interim(result, run->watcher.ctx);
    }
    cadv_result_free(result);
}
