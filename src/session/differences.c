/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one row saves over another, and how well that is known. The model of the repository around
 * the chunks leans the same way at both levels, so its margin is no part of it.
 */
#include <math.h>
#include <stdlib.h>

#include "session/run.h"

/* Padding is drawn for each level anew; the streams of --exact are counted, one a level. */
static bool is_related(const struct run *run, const struct estimate *difference,
                       const struct estimate_pair *pair, bool is_items)
{
    const struct cadv_level *levels = run->record.levels.items;
    return difference->is_known && levels[pair->from].obfuscate == 0 &&
           levels[pair->to].obfuscate == 0 && !(is_items && run->streams[pair->from].is_known);
}

/* Replaces what the sample knows of each pair where that is not the whole of it. */
static void complete(const struct run *run, const struct estimate *sizes,
                     const struct estimate_pair *pairs, size_t count, bool is_items,
                     struct estimate *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_related(run, &out[i], &pairs[i], is_items)) {
            out[i] = estimate_unrelated(&sizes[pairs[i].from], &sizes[pairs[i].to]);
        }
    }
}

static struct cadv_difference add_up(const struct cadv_row *from, const struct cadv_row *to,
                                     const struct estimate *content,
                                     const struct estimate *items)
{
    int64_t est = (int64_t)from->repository_size.est - (int64_t)to->repository_size.est;
    double down = hypot(content->est - content->lo, items->est - items->lo);
    double up = hypot(content->hi - content->est, items->hi - items->est);
    return (struct cadv_difference){.is_known = true,
                                    .est = est,
                                    .lo = est - (int64_t)ceil(down),
                                    .hi = est + (int64_t)ceil(up)};
}

static enum cadv_status estimate_pairs(const struct run *run, const struct estimate_pair *pairs,
                                       size_t count, struct estimate *content,
                                       struct estimate *items, struct cadv_error *err)
{
    const struct cadv_level_list *levels = &run->record.levels;
    estimate_stored_fn stored = run->target->stored_bytes;
    enum cadv_status status = estimate_differences(&run->record.populations[RUN_CONTENT],
                                                   levels, stored, pairs, count, content, err);
    if (status == CADV_OK) {
        status = estimate_differences(&run->record.populations[RUN_ITEMS], levels, stored,
                                      pairs, count, items, err);
    }
    if (status == CADV_OK) {
        complete(run, run->content.sizes, pairs, count, false, content);
        complete(run, run->items.sizes, pairs, count, true, items);
    }
    return status;
}

enum cadv_status run_differences(const struct run *run, const struct run_row_pair *rows,
                                 size_t count, struct cadv_difference *out,
                                 struct cadv_error *err)
{
    const struct cadv_row *all = run->result->rows;
    struct estimate *content = calloc(count + 1, sizeof *content);
    struct estimate *items = calloc(count + 1, sizeof *items);
    struct estimate_pair *pairs = calloc(count + 1, sizeof *pairs);
    enum cadv_status status = CADV_OK;
    if (content == NULL || items == NULL || pairs == NULL) {
        status = error_nomem(err, "comparing levels");
    } else {
        for (size_t i = 0; i < count; i++) {
            pairs[i].from = record_level_index(&run->record.levels, all[rows[i].from].level);
            pairs[i].to = record_level_index(&run->record.levels, all[rows[i].to].level);
        }
        status = estimate_pairs(run, pairs, count, content, items, err);
        for (size_t i = 0; i < count && status == CADV_OK; i++) {
            out[i] = add_up(&all[rows[i].from], &all[rows[i].to], &content[i], &items[i]);
        }
    }
    free(pairs);
    free(items);
    free(content);
    return status;
}

enum cadv_status run_row_steps(struct run *run, struct cadv_error *err)
{
    struct cadv_result *result = run->result;
    size_t count = result->row_count > 0 ? result->row_count - 1 : 0;
    struct run_row_pair *pairs = calloc(count + 1, sizeof *pairs);
    struct cadv_difference *steps = calloc(count + 1, sizeof *steps);
    enum cadv_status status = CADV_OK;
    if (pairs == NULL || steps == NULL) {
        status = error_nomem(err, "comparing levels");
    } else {
        for (size_t i = 0; i < count; i++) {
            pairs[i] = (struct run_row_pair){.from = i, .to = i + 1};
        }
        status = run_differences(run, pairs, count, steps, err);
        for (size_t i = 0; i < count && status == CADV_OK; i++) {
            result->rows[i + 1].step = steps[i];
        }
    }
    free(steps);
    free(pairs);
    return status;
}
