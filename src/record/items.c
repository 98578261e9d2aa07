/* SPDX-License-Identifier: BSD-2-Clause */
#include "record/items.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static size_t text_bytes(const char *text)
{
    return text == NULL ? 0 : strlen(text) + 1;
}

static size_t strings_bytes(const struct record_item *item)
{
    return text_bytes(item->name) + text_bytes(item->link_target) + text_bytes(item->user) +
           text_bytes(item->group) + item->attributes_bytes;
}

static const char *copy_text(char **at, const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    size_t bytes = strlen(text) + 1;
    char *copy = memcpy(*at, text, bytes);
    *at += bytes;
    return copy;
}

/* Where everything of a block goes: items, then chunk lists, then strings. */
struct layout {
    size_t items_bytes;
    size_t refs_bytes;
    /** The part of refs_bytes that belongs to files with several links. */
    size_t linked_bytes;
    size_t strings_bytes;
};

static struct layout measure(const struct record_item *items, size_t count)
{
    struct layout layout = {.items_bytes = size_mul(count, sizeof *items)};
    for (size_t i = 0; i < count; i++) {
        size_t bytes = size_mul(items[i].chunk_count, sizeof *items[i].chunks);
        layout.refs_bytes = size_add(layout.refs_bytes, bytes);
        layout.linked_bytes += items[i].nlink > 1 ? bytes : 0;
        layout.strings_bytes = size_add(layout.strings_bytes, strings_bytes(&items[i]));
    }
    return layout;
}

enum cadv_status record_item_block_init(struct record_item_block *block, const char *directory,
                                        uint32_t root, uint32_t sequence,
                                        const struct record_item *items, size_t item_count)
{
    struct layout layout = measure(items, item_count);
    size_t bytes = size_add(size_add(layout.items_bytes, layout.refs_bytes),
                            size_add(layout.strings_bytes, strlen(directory) + 1));
    char *storage = malloc(bytes);
    if (storage == NULL) {
        return CADV_ERR_NOMEM;
    }
    struct record_item *copies = (struct record_item *)storage;
    struct record_chunk_ref *refs = (struct record_chunk_ref *)(storage + layout.items_bytes);
    char *text = storage + layout.items_bytes + layout.refs_bytes;

    for (size_t i = 0; i < item_count; i++) {
        copies[i] = items[i];
        copies[i].name = copy_text(&text, items[i].name);
        copies[i].link_target = copy_text(&text, items[i].link_target);
        copies[i].user = copy_text(&text, items[i].user);
        copies[i].group = copy_text(&text, items[i].group);
        if (items[i].attributes_bytes > 0) {
            copies[i].attributes = memcpy(text, items[i].attributes, items[i].attributes_bytes);
            text += items[i].attributes_bytes;
        }
        copies[i].chunks = refs;
        if (copies[i].chunk_count > 0) {
            memcpy(refs, items[i].chunks, copies[i].chunk_count * sizeof *refs);
        }
        refs += copies[i].chunk_count;
    }
    size_t directory_bytes = strlen(directory) + 1;
    *block = (struct record_item_block){.directory = memcpy(text, directory, directory_bytes),
                                        .root = root,
                                        .sequence = sequence,
                                        .items = copies,
                                        .item_count = item_count,
                                        .memory_bytes = bytes - layout.linked_bytes,
                                        .linked_bytes = layout.linked_bytes,
                                        .storage = storage};
    return CADV_OK;
}

static void trim(struct record_item *item, size_t refs_max)
{
    while (item->chunk_count > refs_max) {
        item->chunk_count--;
        item->unlisted.chunks++;
        item->unlisted.bytes += item->chunks[item->chunk_count].bytes;
    }
}

enum cadv_status record_item_block_trim_linked(struct record_item_block *block, size_t refs_max)
{
    if (block->linked_bytes == 0) {
        return CADV_OK;
    }
    struct record_item *items = malloc(size_mul(block->item_count, sizeof *items));
    if (items == NULL) {
        return CADV_ERR_NOMEM;
    }
    memcpy(items, block->items, block->item_count * sizeof *items);
    for (size_t i = 0; i < block->item_count; i++) {
        if (items[i].nlink > 1) {
            trim(&items[i], refs_max);
        }
    }
    struct record_item_block smaller;
    enum cadv_status status = record_item_block_init(&smaller, block->directory, block->root,
                                                     block->sequence, items, block->item_count);
    if (status == CADV_OK) {
        record_item_block_fini(block);
        *block = smaller;
    }
    free(items);
    return status;
}

void record_item_block_fini(struct record_item_block *block)
{
    free(block->storage);
    *block = (struct record_item_block){0};
}

bool record_items_are_complete(const struct record_items *items)
{
    return items->is_whole && items->unlisted_chunks == 0;
}

void record_items_fini(struct record_items *items)
{
    for (size_t i = 0; i < items->block_count; i++) {
        record_item_block_fini(&items->blocks[i]);
    }
    free(items->blocks);
    items->blocks = NULL;
    items->block_count = 0;
}
