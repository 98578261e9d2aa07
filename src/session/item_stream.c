/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/item_stream.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "index/index.h"
#include "record/items.h"

struct packer {
    const struct item_stream *stream;
    struct cadv_cutter *cutter;
    /** Packed bytes not yet cut. */
    uint8_t *buffer;
    size_t used;
    size_t capacity;
    /** The stream's chunks so far. */
    struct index *seen;
    struct item_stream_repeats repeats;
};

static bool is_stopped(const struct packer *packer)
{
    const atomic_int *stop = packer->stream->stop;
    return stop != NULL && atomic_load(stop) != 0;
}

static enum cadv_status give(struct packer *packer, const uint8_t *data, size_t bytes,
                             struct cadv_error *err)
{
    XXH128_hash_t hash = XXH3_128bits(data, bytes);
    struct record_digest digest = {.high = hash.high64, .low = hash.low64};
    switch (index_insert(packer->seen, digest.high, digest.low)) {
    case INDEX_NEW:
        break;
    case INDEX_AGAIN:
        packer->repeats.chunks++;
        packer->repeats.bytes += bytes;
        return CADV_OK;
    case INDEX_NOMEM:
        return error_nomem(err, "packing the items");
    }
    return packer->stream->take(packer->stream->ctx, data, (uint32_t)bytes, digest, err);
}

/* Cuts what is certain, or everything at the end. */
static enum cadv_status cut(struct packer *packer, bool is_last, struct cadv_error *err)
{
    size_t start = 0;
    enum cadv_status status = CADV_OK;
    while (status == CADV_OK && !is_stopped(packer)) {
        size_t length = cadv_cutter_next(packer->cutter, packer->buffer + start,
                                         packer->used - start, is_last);
        if (length == 0) {
            break;
        }
        status = give(packer, packer->buffer + start, length, err);
        start += length;
    }
    packer->used -= start;
    memmove(packer->buffer, packer->buffer + start, packer->used);
    return status;
}

static enum cadv_status pack(const struct record_item *listed, const char *path,
                             const char *source, void *ctx, struct cadv_error *err)
{
    struct packer *packer = ctx;
    const struct item_stream *stream = packer->stream;
    if (is_stopped(packer)) {
        return CADV_OK;
    }
    struct record_item item = *listed;
    item.ids = stream->ids;
    size_t bytes =
        stream->target->pack_item(&item, path, source, stream->csize, stream->ctx, NULL, 0);
    uint8_t *buffer =
        array_reserve(packer->buffer, &packer->capacity, size_add(packer->used, bytes), 1);
    if (buffer == NULL) {
        return error_nomem(err, "packing the items");
    }
    packer->buffer = buffer;
    (void)stream->target->pack_item(&item, path, source, stream->csize, stream->ctx,
                                    buffer + packer->used, bytes);
    packer->used += bytes;
    size_t enough = 2 * cadv_cutter_max_bytes(packer->cutter);
    return packer->used < enough ? CADV_OK : cut(packer, false, err);
}

enum cadv_status item_stream_make(const struct item_stream *stream, struct record_items *items,
                                  struct item_stream_repeats *repeats, struct cadv_error *err)
{
    struct packer packer = {
        .stream = stream, .cutter = cadv_cutter_new(&stream->chunker), .seen = index_new()};
    enum cadv_status status = CADV_OK;
    if (packer.cutter == NULL || packer.seen == NULL) {
        status = error_nomem(err, "packing the items");
    } else {
        cadv_cutter_start(packer.cutter);
        status = record_items_visit(items, pack, &packer, err);
    }
    if (status == CADV_OK && packer.used > 0) {
        status = cut(&packer, true, err);
    }
    *repeats = packer.repeats;
    index_free(packer.seen);
    cadv_cutter_free(packer.cutter);
    free(packer.buffer);
    return status;
}
