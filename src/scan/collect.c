/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/collect.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "par/sync.h"
#include "record/items.h"

void scan_collector_init(struct scan_collector *collector, uint64_t bytes_max)
{
    *collector = (struct scan_collector){
        .bytes_max = bytes_max, .linked_max = SIZE_MAX, .limit = UINT64_MAX, .is_whole = true};
    par_mutex_init(&collector->lock);
}

void scan_collector_fini(struct scan_collector *collector)
{
    for (size_t i = 0; i < collector->count; i++) {
        record_item_block_fini(&collector->blocks[i]);
    }
    free(collector->blocks);
    par_mutex_fini(&collector->lock);
}

static uint64_t place_hash(const char *directory, uint32_t root, uint32_t sequence)
{
    uint64_t seed = ((uint64_t)root << 32) | sequence;
    return XXH3_64bits_withSeed(directory, strlen(directory), seed);
}

/* Call with the lock held. */
static void halve(struct scan_collector *collector)
{
    collector->limit /= 2;
    size_t kept = 0;
    for (size_t i = 0; i < collector->count; i++) {
        struct record_item_block *block = &collector->blocks[i];
        if (place_hash(block->directory, block->root, block->sequence) <= collector->limit) {
            collector->blocks[kept++] = *block;
        } else {
            collector->bytes -= block->memory_bytes;
            record_item_block_fini(block);
        }
    }
    collector->count = kept;
}

/* Cuts the lists that may go to what they may have. Call with the lock held. */
static enum cadv_status trim(struct scan_collector *collector, struct record_item_block *block)
{
    size_t before = block->linked_bytes;
    enum cadv_status status = record_item_block_trim_linked(block, collector->linked_max);
    size_t gone = before - block->linked_bytes;
    collector->linked_bytes -= gone;
    collector->unlisted_chunks += gone / sizeof(struct record_chunk_ref);
    return status;
}

/* The next step down. Call with the lock held. */
static enum cadv_status trim_all(struct scan_collector *collector)
{
    collector->linked_max = collector->linked_max > SCAN_LINKED_HEAD ? SCAN_LINKED_HEAD : 0;
    collector->is_whole = collector->linked_max > 0;
    enum cadv_status status = CADV_OK;
    for (size_t i = 0; i < collector->count && status == CADV_OK; i++) {
        status = trim(collector, &collector->blocks[i]);
    }
    return status;
}

static bool is_full(const struct scan_collector *collector, uint64_t bytes)
{
    return bytes > collector->bytes_max && collector->count > 1;
}

/* Takes what the block holds, unless it is not wanted any more. Call with the lock held. */
static enum cadv_status add_locked(struct scan_collector *collector, uint64_t hash,
                                   struct record_item_block *block)
{
    if (hash > collector->limit) {
        return CADV_OK;
    }
    struct record_item_block *blocks = array_reserve(collector->blocks, &collector->capacity,
                                                     collector->count + 1, sizeof *blocks);
    if (blocks == NULL) {
        return CADV_ERR_NOMEM;
    }
    collector->blocks = blocks;
    blocks[collector->count++] = *block;
    collector->bytes += block->memory_bytes;
    collector->linked_bytes += block->linked_bytes;
    *block = (struct record_item_block){0};
    enum cadv_status status = trim(collector, &blocks[collector->count - 1]);
    while (status == CADV_OK && collector->linked_max > 0 &&
           is_full(collector, collector->bytes + collector->linked_bytes)) {
        status = trim_all(collector);
    }
    while (is_full(collector, collector->bytes)) {
        halve(collector);
    }
    return status;
}

enum cadv_status scan_collect(struct scan_collector *collector, const char *directory,
                              uint32_t root, uint32_t sequence, const struct record_item *items,
                              size_t item_count, struct cadv_error *err)
{
    uint64_t hash = place_hash(directory, root, sequence);
    par_lock(&collector->lock);
    bool is_wanted = hash <= collector->limit;
    par_unlock(&collector->lock);
    if (!is_wanted || item_count == 0) {
        return CADV_OK;
    }

    struct record_item_block block;
    enum cadv_status status =
        record_item_block_init(&block, directory, root, sequence, items, item_count);
    if (status == CADV_OK) {
        par_lock(&collector->lock);
        status = add_locked(collector, hash, &block);
        par_unlock(&collector->lock);
        record_item_block_fini(&block);
    }
    return status == CADV_OK ? status : error_nomem(err, "keeping the items");
}

void scan_collector_finish(struct scan_collector *collector, struct record_items *items)
{
    items->blocks = collector->blocks;
    items->block_count = collector->count;
    items->is_whole = collector->is_whole;
    items->unlisted_chunks += collector->unlisted_chunks;
    collector->blocks = NULL;
    collector->count = 0;
}
