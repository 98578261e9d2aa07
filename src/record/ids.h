/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/ids.h - SHA-256 of chunks, found by digest: what a target without a key calls them.
 * Filled by one thread, sorted once; then read-only, so any number of threads may ask.
 */
#ifndef RECORD_IDS_H
#define RECORD_IDS_H

#include "base/error.h"
#include "record/item.h"

#define RECORD_ID_BYTES 32U

struct record_id {
    struct record_digest digest;
    uint8_t id[RECORD_ID_BYTES];
};

/** Zero it first. */
struct record_ids {
    /** Owned. */
    struct record_id *all;
    size_t count;
    size_t capacity;
};

/** Adds the SHA-256 of `data`. Fails when memory ran out or the library refused. */
enum cadv_status record_ids_add(struct record_ids *ids, struct record_digest digest,
                                const uint8_t *data, size_t bytes, struct cadv_error *err);

/** Moves what is in `more` into `ids`; `more` is empty then. CADV_ERR_NOMEM is the only failure. */
enum cadv_status record_ids_merge(struct record_ids *ids, struct record_ids *more,
                                  struct cadv_error *err);

/** To be called once, before the first record_ids_find(). */
void record_ids_sort(struct record_ids *ids);

/** The id's RECORD_ID_BYTES, or NULL when it is not known; `ids` may be NULL. */
const uint8_t *record_ids_find(const struct record_ids *ids, struct record_digest digest);

void record_ids_fini(struct record_ids *ids);

#endif
