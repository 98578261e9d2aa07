/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one row saves over another, and how well that is known. The model of the repository around
 * the chunks leans the same way at both levels, so its margin is no part of it.
 */
#include <math.h>
#include <stdlib.h>

#include "session/run.h"

/* Two rows of the result, by index. */
struct row_pair {
    size_t from;
    size_t to;
};

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

/* Each row with the one before, and at the end the knee with the step beyond it, if there is one. */
static size_t choose_pairs(const struct cadv_result *result, struct row_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 1; i < result->row_count; i++) {
        pairs[count++] = (struct row_pair){.from = i - 1, .to = i};
    }
    if (result->advice.beyond_knee != CADV_NO_ROW) {
        pairs[count++] = (struct row_pair){.from = result->advice.knee.row,
                                           .to = result->advice.beyond_knee};
    }
    return count;
}

static void fill(struct cadv_result *result, const struct row_pair *pairs, size_t count,
                 const struct estimate *content, const struct estimate *items)
{
    for (size_t i = 0; i < count; i++) {
        struct cadv_difference difference = add_up(
            &result->rows[pairs[i].from], &result->rows[pairs[i].to], &content[i], &items[i]);
        if (i + 1 < result->row_count) {
            result->rows[i + 1].step = difference;
        } else {
            result->advice.beyond_knee_step = difference;
        }
    }
}

enum cadv_status run_differences(struct run *run, struct cadv_error *err)
{
    struct cadv_result *result = run->result;
    size_t room = result->row_count + 1;
    struct row_pair *rows = calloc(room, sizeof *rows);
    struct estimate_pair *pairs = calloc(room, sizeof *pairs);
    struct estimate *content = calloc(room, sizeof *content);
    struct estimate *items = calloc(room, sizeof *items);
    enum cadv_status status = CADV_OK;
    if (rows == NULL || pairs == NULL || content == NULL || items == NULL) {
        status = error_nomem(err, "comparing levels");
    } else {
        size_t count = choose_pairs(result, rows);
        for (size_t i = 0; i < count; i++) {
            pairs[i].from =
                record_level_index(&run->record.levels, result->rows[rows[i].from].level);
            pairs[i].to =
                record_level_index(&run->record.levels, result->rows[rows[i].to].level);
        }
        status = estimate_pairs(run, pairs, count, content, items, err);
        if (status == CADV_OK) {
            fill(result, rows, count, content, items);
        }
    }
    free(items);
    free(content);
    free(pairs);
    free(rows);
    return status;
}
