/* SPDX-License-Identifier: BSD-2-Clause */
/* The plain facts of the dataset and of the sample, from record to result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/round.h"
#include "session/small_chunks.h"

static enum cadv_status copy_problems(struct run *run, struct cadv_error *err)
{
    const struct record_problems *from = &run->record.problems;
    struct cadv_dataset *to = &run->result->dataset;
    to->problem_count = from->count;
    to->problem_bytes = from->bytes;
    for (size_t kind = 0; kind < RECORD_PROBLEM_KINDS; kind++) {
        to->problem_count_by_kind[kind] = from->count_by_kind[kind];
    }
    to->problems = calloc(from->listed_count + 1, sizeof *to->problems);
    if (to->problems == NULL) {
        return error_nomem(err, "listing the problems");
    }
    for (size_t i = 0; i < from->listed_count; i++) {
        const struct record_problem *problem = &from->listed[i];
        to->problems[i] = (struct cadv_problem){.kind = (enum cadv_problem_kind)problem->kind,
                                                .saved_errno = problem->saved_errno,
                                                .bytes = problem->bytes,
                                                .path = strdup(problem->path)};
        if (to->problems[i].path == NULL) {
            return error_nomem(err, "listing the problems");
        }
        to->problems_listed++;
    }
    return CADV_OK;
}

enum cadv_status run_incompressible(struct run *run, struct cadv_error *err)
{
    const struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4};
    struct cadv_result *result = run->result;
    struct estimate *parts = calloc(CADV_LEVELS_MAX, sizeof *parts);
    if (parts == NULL) {
        return error_nomem(err, "estimating what does not shrink");
    }
    enum cadv_status status = estimate_incompressible(&run->record.populations[RUN_CONTENT],
                                                      &run->record.levels, parts, err);
    if (status == CADV_OK) {
        size_t level = record_level_index(&run->record.levels, lz4);
        result->dataset.is_incompressible_known = level != SIZE_MAX && parts[level].is_known;
        if (result->dataset.is_incompressible_known) {
            result->dataset.incompressible_bytes = round_interval(&parts[level]);
        }
        for (size_t i = 0; i < result->row_count; i++) {
            level = record_level_index(&run->record.levels, result->rows[i].level);
            result->rows[i].incompressible_bytes = round_interval(&parts[level]);
        }
    }
    free(parts);
    return status;
}

static void count_dataset(struct run *run)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    const struct record_items *items = &run->record.items;
    struct cadv_dataset *dataset = &run->result->dataset;
    dataset->nfiles = items->count_by_type[RECORD_ITEM_FILE];
    dataset->original_size = content->original_bytes;
    dataset->total_chunks = content->total_chunks;
    dataset->total_unique_chunks = record_unique_chunks(content);
    dataset->unique_size = record_unique_bytes(content);
    dataset->hardlinks = items->hardlinks;
    dataset->nitems = items->hardlinks;
    for (size_t type = 0; type < RECORD_ITEM_TYPES; type++) {
        dataset->nitems += items->count_by_type[type];
    }
    dataset->skipped_special = items->skipped_special;
    dataset->unread_bytes = run->record.is_scan_complete ? 0 : run->record.unread_bytes;
    dataset->is_walk_complete = run->record.is_scan_complete || run->record.is_walk_complete;
    small_chunks_count(run);
}

static uint64_t trials_at(const struct record_population *population, size_t level,
                          uint64_t *bytes)
{
    uint64_t chunks = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &population->strata[s];
        for (size_t rank = 0; rank < stratum->trialled[level]; rank++) {
            *bytes += stratum->chunks[rank].bytes;
        }
        chunks += stratum->trialled[level];
    }
    return chunks;
}

static void describe_sample(struct run *run)
{
    const struct record_population *content = &run->record.populations[RUN_CONTENT];
    struct cadv_sample *sample = &run->result->sample;
    *sample = (struct cadv_sample){.is_exact = true,
                                   .is_complete = run->record.is_scan_complete &&
                                                  run->record.are_trials_complete,
                                   .confidence = ESTIMATE_CONFIDENCE,
                                   .salt = run->record.salt};
    for (size_t level = 0; level < run->record.levels.count; level++) {
        uint64_t bytes = 0;
        uint64_t chunks = trials_at(content, level, &bytes);
        if (run->record.levels.items[level].codec != CADV_CODEC_NONE &&
            chunks > sample->chunks) {
            sample->chunks = chunks;
            sample->bytes = bytes;
        }
        /* Padding is never exact, however many chunks were trialled. */
        sample->is_exact = sample->is_exact && (run->content.sizes[level].is_exact ||
                                                run->record.levels.items[level].obfuscate != 0);
    }
}

int run_spool_errno(const struct run *run)
{
    int of_content = run->content_sample == NULL ? 0 : sample_spool_errno(run->content_sample);
    int of_items = run->items_sample == NULL ? 0 : sample_spool_errno(run->items_sample);
    return of_content != 0 ? of_content : of_items;
}

enum cadv_status run_facts(struct run *run, struct cadv_error *err)
{
    count_dataset(run);
    describe_sample(run);
    for (size_t level = 0; level < run->record.levels.count; level++) {
        run->level_chunks[level] =
            trials_at(&run->record.populations[RUN_CONTENT], level, &run->level_bytes[level]);
    }
    int problem = run_spool_errno(run);
    if (problem != 0) {
        run_warn(run,
                 "the temporary directory %s could not take the whole sample (%s), so "
                 "intervals are wider; set TMPDIR to one with more room",
                 run->spool_directory, strerror(problem));
    }
    return copy_problems(run, err);
}
