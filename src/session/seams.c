/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/seams.h"

#include <stdlib.h>

#include "base/array.h"
#include "record/items.h"

/* A set of digests, open addressing; at most half of the places are used. */
struct seen {
    struct record_digest *places;
    bool *is_used;
    /** By place: seams at which that chunk is the repeated one. */
    uint64_t *seams;
    size_t place_count;
};

/* The chunk's place; *is_again: it was there before. Digests are as good as random, so their bits
 * are the hash. */
static size_t insert(struct seen *seen, struct record_digest digest, bool *is_again)
{
    *is_again = true;
    size_t at = (size_t)digest.low & (seen->place_count - 1);
    while (seen->is_used[at]) {
        if (seen->places[at].high == digest.high && seen->places[at].low == digest.low) {
            return at;
        }
        at = (at + 1) & (seen->place_count - 1);
    }
    seen->is_used[at] = true;
    seen->places[at] = digest;
    *is_again = false;
    return at;
}

static enum cadv_status visit(const struct record_item *item, const char *path,
                              const char *source, void *ctx, struct cadv_error *err)
{
    struct seen *seen = ctx;
    bool was_again = false;
    size_t before = 0;
    (void)path;
    (void)err;
    if (item->type != RECORD_ITEM_FILE || source != NULL) {
        return CADV_OK;
    }
    for (size_t i = 0; i < item->chunk_count; i++) {
        bool is_again = false;
        size_t at = insert(seen, item->chunks[i].digest, &is_again);
        if (i > 0 && is_again != was_again) {
            seen->seams[is_again ? at : before]++;
        }
        was_again = is_again;
        before = at;
    }
    return CADV_OK;
}

enum cadv_status seams_count(struct record *record, uint64_t *squares, struct cadv_error *err)
{
    uint64_t chunks = record_unique_chunks(&record->populations[0]);
    struct seen seen = {.place_count = 16};
    while (seen.place_count < 2 * chunks + 2) {
        seen.place_count *= 2;
    }
    seen.places = malloc(size_mul(seen.place_count, sizeof *seen.places));
    seen.is_used = calloc(seen.place_count, sizeof *seen.is_used);
    seen.seams = calloc(seen.place_count, sizeof *seen.seams);
    enum cadv_status status = CADV_OK;
    if (seen.places == NULL || seen.is_used == NULL || seen.seams == NULL) {
        status = error_nomem(err, "looking for repeated content");
    } else {
        status = record_items_visit(&record->items, visit, &seen, err);
    }
    *squares = 0;
    for (size_t at = 0; status == CADV_OK && at < seen.place_count; at++) {
        *squares += seen.seams[at] * seen.seams[at];
    }
    free(seen.seams);
    free(seen.places);
    free(seen.is_used);
    return status;
}
