/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/item_stream.h - the stream that a target makes of the items at hand: each packed as the
 * target packs it, in the order of the archive, cut as the target cuts it, and given away chunk by
 * chunk. Nearly each chunk holds ids or times of its own, but long lists of one chunk of zeros make
 * a stream that repeats itself; what was there before is counted only. About two of the longest
 * chunks, one item and 22 bytes a chunk are in memory.
 */
#ifndef SESSION_ITEM_STREAM_H
#define SESSION_ITEM_STREAM_H

#include <stdatomic.h>

#include "base/error.h"
#include "record/record.h"
#include "target/target.h"

/** What a stream is made with, all borrowed; its functions are called on the calling thread. */
struct item_stream {
    const struct target *target;
    struct cadv_chunker_params chunker;
    /** Ids of the content's chunks, as far as known. */
    const struct record_ids *ids;
    /** The stored size that an item notes of a chunk of content, as pack_item() asks for it. */
    uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk);
    /** Takes the next new chunk of the stream; any status but CADV_OK ends it. */
    enum cadv_status (*take)(void *ctx, const uint8_t *data, uint32_t bytes,
                             struct record_digest digest, struct cadv_error *err);
    void *ctx;
    /** Set from outside to end early, which is CADV_OK; may be NULL. */
    const atomic_int *stop;
};

/** Chunks that were there before. */
struct item_stream_repeats {
    uint64_t chunks;
    uint64_t bytes;
};

/** Makes the stream of `items` from end to end; see record_items_visit() for what it does to them. */
enum cadv_status item_stream_make(const struct item_stream *stream, struct record_items *items,
                                  struct item_stream_repeats *repeats, struct cadv_error *err);

#endif
