/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/seams.h"

#include <stdlib.h>

#include "base/array.h"
#include "record/items.h"

/** A chunk that was met. */
struct place {
    struct record_digest digest;
    bool is_used;
    /** Seams at which this chunk is the repeated one. */
    uint64_t seams;
};

/*
 * A set of digests, open addressing; at most half of the places are used. It grows with what the
 * items name: of a scan that was stopped they may name more chunks than are counted.
 */
struct seen {
    struct place *places;
    size_t place_count;
    size_t used;
};

enum { PLACES_MIN = 1024 };

/* Where it is, or belongs. Digests are as good as random, so their bits are the hash. */
static struct place *find(const struct seen *seen, struct record_digest digest)
{
    size_t at = (size_t)digest.low & (seen->place_count - 1);
    while (seen->places[at].is_used && (seen->places[at].digest.high != digest.high ||
                                        seen->places[at].digest.low != digest.low)) {
        at = (at + 1) & (seen->place_count - 1);
    }
    return &seen->places[at];
}

static bool grow(struct seen *seen)
{
    struct seen larger = {.place_count = 2 * seen->place_count, .used = seen->used};
    larger.places = calloc(larger.place_count, sizeof *larger.places);
    if (larger.places == NULL) {
        return false;
    }
    for (size_t i = 0; i < seen->place_count; i++) {
        if (seen->places[i].is_used) {
            *find(&larger, seen->places[i].digest) = seen->places[i];
        }
    }
    free(seen->places);
    *seen = larger;
    return true;
}

/* Adds the chunk unless it is there; true when it was. There must be room. */
static bool add(struct seen *seen, struct record_digest digest)
{
    struct place *place = find(seen, digest);
    if (place->is_used) {
        return true;
    }
    *place = (struct place){.digest = digest, .is_used = true};
    seen->used++;
    return false;
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
        bool is_again = add(seen, item->chunks[i].digest);
        if (i > 0 && is_again != was_again) {
            find(seen, item->chunks[is_again ? i : i - 1].digest)->seams++;
        }
        was_again = is_again;
    }
    return CADV_OK;
}

enum cadv_status seams_count(struct record *record, uint64_t *squares, struct cadv_error *err)
{
    struct seen seen = {.place_count = PLACES_MIN};
    seen.places = calloc(seen.place_count, sizeof *seen.places);
    if (seen.places == NULL) {
        return error_nomem(err, "looking for repeated content");
    }
    enum cadv_status status = record_items_visit(&record->items, visit, &seen, err);
    *squares = 0;
    for (size_t at = 0; status == CADV_OK && at < seen.place_count; at++) {
        *squares += seen.places[at].seams * seen.places[at].seams;
    }
    free(seen.places);
    return status;
}
