/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan/collect.h - keeping blocks of items within a cap, the same ones whatever the order.
 *
 * A block is kept while the hash of its place is under a limit. When the kept ones exceed the cap
 * the limit is halved and those at or above it go. The limit ends as the largest power of two
 * fraction whose blocks fit, which no order of arrival changes.
 *
 * The chunk lists of files with several links serve only as long as all blocks are kept, and which
 * block has such a list is chance; but each is there once, so that together they have the same bytes
 * in any order. When they and the rest exceed the cap they are cut to their heads, and when that is not
 * enough they are the first to go.
 */
#ifndef SCAN_COLLECT_H
#define SCAN_COLLECT_H

#include <pthread.h>

#include "base/error.h"
#include "record/record.h"

struct scan_collector {
    pthread_mutex_t lock;
    /** All below: guarded by lock. */
    struct record_item_block *blocks;
    size_t count;
    size_t capacity;
    /** Of all but the lists that may go, and of those. */
    uint64_t bytes;
    uint64_t linked_bytes;
    uint64_t bytes_max;
    /** Chunks that such a list may have, and how many were cut off. */
    size_t linked_max;
    uint64_t unlisted_chunks;
    /** Blocks whose hash is at most this are kept. */
    uint64_t limit;
    /** No block was refused or went, nor has any lost such a list whole. */
    bool is_whole;
};

void scan_collector_init(struct scan_collector *collector, uint64_t bytes_max);
void scan_collector_fini(struct scan_collector *collector);

/** Copies the items if their block is kept. Thread-safe. */
enum cadv_status scan_collect(struct scan_collector *collector, const char *directory,
                              uint32_t root, uint32_t sequence, const struct record_item *items,
                              size_t item_count, struct cadv_error *err);

/**
 * What a collector leaves of each list of a linked file when it cuts them; enough to show what such a
 * list is like.
 */
#define SCAN_LINKED_HEAD 64U

/** Moves the blocks into `items`, and adds what was cut off. */
void scan_collector_finish(struct scan_collector *collector, struct record_items *items);

#endif
