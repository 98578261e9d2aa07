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
    *collector =
        (struct scan_collector){.bytes_max = bytes_max, .limit = UINT64_MAX, .is_whole = true};
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
    collector->is_whole = false;
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

static enum cadv_status add_locked(struct scan_collector *collector,
                                   const struct record_item_block *block)
{
    struct record_item_block *blocks = array_reserve(collector->blocks, &collector->capacity,
                                                     collector->count + 1, sizeof *blocks);
    if (blocks == NULL) {
        return CADV_ERR_NOMEM;
    }
    collector->blocks = blocks;
    blocks[collector->count++] = *block;
    collector->bytes += block->memory_bytes;
    while (collector->bytes > collector->bytes_max && collector->count > 1) {
        halve(collector);
    }
    return CADV_OK;
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
    if (status != CADV_OK) {
        return error_nomem(err, "keeping the items");
    }
    bool is_kept = false;
    par_lock(&collector->lock);
    if (hash <= collector->limit) {
        status = add_locked(collector, &block);
        is_kept = status == CADV_OK;
    }
    par_unlock(&collector->lock);
    if (!is_kept) {
        record_item_block_fini(&block);
    }
    return status == CADV_OK ? status : error_nomem(err, "keeping the items");
}

void scan_collector_finish(struct scan_collector *collector, struct record_items *items)
{
    items->blocks = collector->blocks;
    items->block_count = collector->count;
    items->is_whole = collector->is_whole;
    collector->blocks = NULL;
    collector->count = 0;
}
