/* SPDX-License-Identifier: BSD-2-Clause */
#include "record/ids.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool reserve(struct record_ids *ids, size_t more)
{
    struct record_id *all =
        array_reserve(ids->all, &ids->capacity, size_add(ids->count, more), sizeof *all);
    if (all == NULL) {
        return false;
    }
    ids->all = all;
    return true;
}

enum cadv_status record_ids_add(struct record_ids *ids, struct record_digest digest,
                                const uint8_t *data, size_t bytes, struct cadv_error *err)
{
    if (!reserve(ids, 1)) {
        return error_nomem(err, "noting the ids of chunks");
    }
    struct record_id *id = &ids->all[ids->count];
    unsigned length = 0;
    id->digest = digest;
    if (EVP_Digest(data, bytes, id->id, &length, EVP_sha256(), NULL) != 1) {
        return error_set(err, CADV_ERR_CODEC, "libcrypto cannot compute SHA-256");
    }
    ids->count++;
    return CADV_OK;
}

enum cadv_status record_ids_merge(struct record_ids *ids, struct record_ids *more,
                                  struct cadv_error *err)
{
    if (more->count > 0) {
        if (!reserve(ids, more->count)) {
            return error_nomem(err, "noting the ids of chunks");
        }
        memcpy(ids->all + ids->count, more->all, size_mul(more->count, sizeof *more->all));
        ids->count += more->count;
    }
    record_ids_fini(more);
    return CADV_OK;
}

static int compare(struct record_digest a, struct record_digest b)
{
    if (a.high != b.high) {
        return a.high < b.high ? -1 : 1;
    }
    return (a.low > b.low) - (a.low < b.low);
}

static int by_digest(const void *left, const void *right)
{
    return compare(((const struct record_id *)left)->digest,
                   ((const struct record_id *)right)->digest);
}

void record_ids_sort(struct record_ids *ids)
{
    if (ids->count > 1) {
        qsort(ids->all, ids->count, sizeof *ids->all, by_digest);
    }
}

const uint8_t *record_ids_find(const struct record_ids *ids, struct record_digest digest)
{
    if (ids == NULL || ids->count == 0) {
        return NULL;
    }
    struct record_id wanted = {.digest = digest};
    const struct record_id *found =
        bsearch(&wanted, ids->all, ids->count, sizeof wanted, by_digest);
    return found == NULL ? NULL : found->id;
}

void record_ids_fini(struct record_ids *ids)
{
    free(ids->all);
    *ids = (struct record_ids){0};
}
