/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/seams.h"

#include <stdlib.h>

#include "base/array.h"
#include "record/items.h"

/* A set of digests, open addressing; at most half of the places are used. It grows as they come: in
 * the items of a scan that was stopped are chunks that are counted nowhere. */
struct seen {
    struct record_digest *places;
    bool *is_used;
    size_t place_count;
    size_t used;
    uint64_t seams;
};

#define PLACES_MIN 1024U

/* Where it is, or belongs. Digests are as good as random, so their bits are the hash. */
static size_t find(const struct seen *seen, struct record_digest digest)
{
    size_t at = (size_t)digest.low & (seen->place_count - 1);
    while (seen->is_used[at] &&
           (seen->places[at].high != digest.high || seen->places[at].low != digest.low)) {
        at = (at + 1) & (seen->place_count - 1);
    }
    return at;
}

static void put(struct seen *seen, struct record_digest digest)
{
    size_t at = find(seen, digest);
    seen->used += !seen->is_used[at];
    seen->is_used[at] = true;
    seen->places[at] = digest;
}

static void fini(struct seen *seen)
{
    free(seen->places);
    free(seen->is_used);
}

static bool grow(struct seen *seen)
{
    struct seen larger = {.place_count =
                              seen->place_count == 0 ? PLACES_MIN : 2 * seen->place_count};
    larger.places = malloc(size_mul(larger.place_count, sizeof *larger.places));
    larger.is_used = calloc(larger.place_count, sizeof *larger.is_used);
    larger.seams = seen->seams;
    if (larger.places == NULL || larger.is_used == NULL) {
        fini(&larger);
        return false;
    }
    for (size_t i = 0; i < seen->place_count; i++) {
        if (seen->is_used[i]) {
            put(&larger, seen->places[i]);
        }
    }
    fini(seen);
    *seen = larger;
    return true;
}

static enum cadv_status visit(const struct record_item *item, const char *path,
                              const char *source, void *ctx, struct cadv_error *err)
{
    struct seen *seen = ctx;
    bool was_again = false;
    (void)path;
    if (item->type != RECORD_ITEM_FILE || source != NULL) {
        return CADV_OK;
    }
    for (size_t i = 0; i < item->chunk_count; i++) {
        if (2 * seen->used >= seen->place_count && !grow(seen)) {
            return error_nomem(err, "looking for repeated content");
        }
        bool is_again = seen->is_used[find(seen, item->chunks[i].digest)];
        put(seen, item->chunks[i].digest);
        seen->seams += i > 0 && is_again != was_again ? 1 : 0;
        was_again = is_again;
    }
    return CADV_OK;
}

enum cadv_status seams_count(struct record *record, uint64_t *count, struct cadv_error *err)
{
    struct seen seen = {0};
    enum cadv_status status = record_items_visit(&record->items, visit, &seen, err);
    *count = seen.seams;
    fini(&seen);
    return status;
}
