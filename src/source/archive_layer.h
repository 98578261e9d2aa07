/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source/archive_layer.h - one libarchive reader and where its bytes come from. Inside source only.
 *
 * Layer 0 reads the input (or memory), layer 1 a member of layer 0.
 */
#ifndef SOURCE_ARCHIVE_LAYER_H
#define SOURCE_ARCHIVE_LAYER_H

#include <archive.h>
#include <archive_entry.h>

#include "source/input.h"

/** An archive, and in a deb the tar within it. */
#define SOURCE_LAYERS_MAX 2
/** Compressions one on top of another: rpm's or uu's own, and one within. More are a trap. */
#define SOURCE_FILTERS_MAX 3
/** What libarchive asks the input for. */
#define SOURCE_BLOCK_BYTES ((size_t)64 * 1024)

/** Where the bytes of layer 0 come from; and the bounds, which every read looks at. */
struct source_origin {
    struct source_input input;
    uint8_t *block;
    /** Instead of the input: memory, borrowed; NULL: none. */
    const uint8_t *memory;
    size_t memory_bytes;
    size_t memory_at;
    const atomic_int *stop;
    /** The user's limit; 0: the built-in rule. */
    uint64_t max_bytes;
    /** Bytes of members that were handed out. */
    uint64_t content_bytes;
    bool is_beyond;
    struct archive *layers[SOURCE_LAYERS_MAX];
    size_t depth;
};

/** The limit: `max_bytes`, or without one (0) more than SOURCE_EXPANSION_FREE_BYTES and at the
 * same time more than SOURCE_EXPANSION_RATIO times what was read. */
bool source_expands_beyond(uint64_t made_bytes, uint64_t read_bytes, uint64_t max_bytes);

/** True when what came out so far is more than the limit allows; stays so. */
bool source_origin_is_beyond(struct source_origin *origin);

/** Bytes of the input consumed so far. */
uint64_t source_origin_read_bytes(const struct source_origin *origin);

/**
 * Adds a layer on top (the first over the origin's bytes, the second over the current member's)
 * and finds out what it is: ARCHIVE_OK, or libarchive's code; then the layer is there all the same
 * and says more. NULL memory: ARCHIVE_FATAL and no layer.
 */
int source_layer_push(struct source_origin *origin);
void source_layer_pop(struct source_origin *origin);

/** The reader on top. */
struct archive *source_layer_top(const struct source_origin *origin);

#endif
