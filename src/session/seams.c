/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/seams.h"

#include <stdlib.h>

#include "base/array.h"
#include "record/items.h"

/* A set of digests, open addressing; at most half of the places are used. */
struct seen {
    struct record_digest *places;
    bool *is_used;
    size_t place_count;
    uint64_t seams;
};

/* True when it was there before. Digests are as good as random, so their bits are the hash. */
static bool insert(struct seen *seen, struct record_digest digest)
{
    size_t at = (size_t)digest.low & (seen->place_count - 1);
    while (seen->is_used[at]) {
        if (seen->places[at].high == digest.high && seen->places[at].low == digest.low) {
            return true;
        }
        at = (at + 1) & (seen->place_count - 1);
    }
    seen->is_used[at] = true;
    seen->places[at] = digest;
    return false;
}

static enum cadv_status visit(const struct record_item *item, const char *path,
                              const char *source, void *ctx, struct cadv_error *err)
{
    struct seen *seen = ctx;
    bool was_again = false;
    (void)path;
    (void)err;
    if (item->type != RECORD_ITEM_FILE || source != NULL) {
        return CADV_OK;
    }
    for (size_t i = 0; i < item->chunk_count; i++) {
        bool is_again = insert(seen, item->chunks[i].digest);
        seen->seams += i > 0 && is_again != was_again ? 1 : 0;
        was_again = is_again;
    }
    return CADV_OK;
}

enum cadv_status seams_count(struct record *record, uint64_t *count, struct cadv_error *err)
{
    uint64_t chunks = record_unique_chunks(&record->populations[0]);
    struct seen seen = {.place_count = 16};
    while (seen.place_count < 2 * chunks + 2) {
        seen.place_count *= 2;
    }
    seen.places = malloc(size_mul(seen.place_count, sizeof *seen.places));
    seen.is_used = calloc(seen.place_count, sizeof *seen.is_used);
    enum cadv_status status = CADV_OK;
    if (seen.places == NULL || seen.is_used == NULL) {
        status = error_nomem(err, "looking for repeated content");
    } else {
        status = record_items_visit(&record->items, visit, &seen, err);
    }
    *count = seen.seams;
    free(seen.places);
    free(seen.is_used);
    return status;
}
