/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The order of an archive, rebuilt from blocks that arrived in any order: blocks are sorted by
 * root, directory and sequence, then walked depth first with a stack of our own (trees may be
 * deeper than the thread's stack).
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "record/items.h"
#include "record/links.h"

/** A directory being listed: its blocks, and the next entry. */
struct frame {
    size_t block;
    size_t item;
    size_t block_end;
};

struct visit {
    struct record_items *items;
    record_item_fn call;
    void *ctx;
    struct cadv_error *err;
    struct record_links links;
    struct frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    char *path;
    size_t path_capacity;
};

static int compare_directory(const struct record_item_block *block, uint32_t root,
                             const char *directory)
{
    if (block->root != root) {
        return block->root < root ? -1 : 1;
    }
    return strcmp(block->directory, directory);
}

static int by_place(const void *left, const void *right)
{
    const struct record_item_block *a = left;
    const struct record_item_block *b = right;
    int order = compare_directory(a, b->root, b->directory);
    return order != 0 ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* First block at or after (root, directory). */
static size_t lower_bound(const struct record_items *items, uint32_t root,
                          const char *directory)
{
    size_t low = 0;
    size_t high = items->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_directory(&items->blocks[middle], root, directory) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static enum cadv_status push(struct visit *visit, uint32_t root, const char *directory)
{
    struct frame frame = {.block = lower_bound(visit->items, root, directory)};
    frame.block_end = frame.block;
    while (frame.block_end < visit->items->block_count &&
           compare_directory(&visit->items->blocks[frame.block_end], root, directory) == 0) {
        frame.block_end++;
    }
    if (frame.block == frame.block_end) {
        return CADV_OK;
    }
    struct frame *frames = array_reserve(visit->frames, &visit->frame_capacity,
                                         visit->frame_count + 1, sizeof *frames);
    if (frames == NULL) {
        return error_nomem(visit->err, "ordering the items");
    }
    visit->frames = frames;
    frames[visit->frame_count++] = frame;
    return CADV_OK;
}

/* The item's archive path in visit->path; false when memory ran out. */
static bool make_path(struct visit *visit, const char *directory, const char *name)
{
    bool is_top =
        directory[0] == '\0' || strcmp(directory, ".") == 0 || strcmp(directory, "..") == 0;
    size_t directory_bytes = is_top ? 0 : strlen(directory);
    size_t name_bytes = strlen(name);
    char *path =
        array_reserve(visit->path, &visit->path_capacity, directory_bytes + name_bytes + 2, 1);
    if (path == NULL) {
        return false;
    }
    visit->path = path;
    if (!is_top) {
        memcpy(path, directory, directory_bytes);
        path[directory_bytes++] = '/';
    }
    memcpy(path + directory_bytes, name, name_bytes);
    path[directory_bytes + name_bytes] = '\0';
    return true;
}

static enum cadv_status visit_item(struct visit *visit, const struct record_item_block *block,
                                   const struct record_item *item)
{
    if (!make_path(visit, block->directory, item->name)) {
        return error_nomem(visit->err, "ordering the items");
    }
    if (item->type == RECORD_ITEM_FILE && item->link_target != NULL) {
        return visit->call(item, visit->path, item->link_target, visit->ctx, visit->err);
    }
    bool is_linked = item->type == RECORD_ITEM_FILE && item->nlink > 1;
    if (!is_linked) {
        return visit->call(item, visit->path, NULL, visit->ctx, visit->err);
    }
    if (!visit->items->is_whole) {
        return CADV_OK;
    }
    struct record_link *link = record_links_find(&visit->links, item->dev, item->ino);
    struct record_item resolved = *item;
    if (link == NULL || link->first_path != NULL) {
        resolved.chunk_count = 0;
        resolved.unlisted = (struct record_unlisted){0};
        return visit->call(&resolved, visit->path, link == NULL ? NULL : link->first_path,
                           visit->ctx, visit->err);
    }
    resolved.chunks = link->chunks;
    resolved.chunk_count = link->chunk_count;
    resolved.unlisted = link->unlisted;
    link->first_path = strdup(visit->path);
    if (link->first_path == NULL) {
        return error_nomem(visit->err, "ordering the items");
    }
    return visit->call(&resolved, visit->path, NULL, visit->ctx, visit->err);
}

static enum cadv_status visit_tree(struct visit *visit, uint32_t root)
{
    enum cadv_status status = push(visit, root, "");
    while (status == CADV_OK && visit->frame_count > 0) {
        struct frame *frame = &visit->frames[visit->frame_count - 1];
        if (frame->block == frame->block_end) {
            visit->frame_count--;
            continue;
        }
        const struct record_item_block *block = &visit->items->blocks[frame->block];
        if (frame->item == block->item_count) {
            frame->block++;
            frame->item = 0;
            continue;
        }
        const struct record_item *item = &block->items[frame->item++];
        status = visit_item(visit, block, item);
        if (status == CADV_OK && item->type == RECORD_ITEM_DIRECTORY) {
            status = push(visit, root, visit->path);
        }
    }
    return status;
}

static enum cadv_status visit_blocks(struct visit *visit)
{
    enum cadv_status status = CADV_OK;
    for (size_t b = 0; b < visit->items->block_count && status == CADV_OK; b++) {
        const struct record_item_block *block = &visit->items->blocks[b];
        for (size_t i = 0; i < block->item_count && status == CADV_OK; i++) {
            status = visit_item(visit, block, &block->items[i]);
        }
    }
    return status;
}

enum cadv_status record_items_visit(struct record_items *items, record_item_fn call, void *ctx,
                                    struct cadv_error *err)
{
    struct visit visit = {.items = items, .call = call, .ctx = ctx, .err = err};
    enum cadv_status status = CADV_OK;
    if (items->block_count == 0) {
        return status;
    }
    if (!items->is_sorted) {
        qsort(items->blocks, items->block_count, sizeof *items->blocks, by_place);
        items->is_sorted = true;
    }
    if (items->is_whole) {
        if (!record_links_init(&visit.links, items)) {
            status = error_nomem(err, "ordering the items");
        }
        uint32_t root_end = items->blocks[items->block_count - 1].root + 1;
        for (uint32_t root = 0; root < root_end && status == CADV_OK; root++) {
            status = visit_tree(&visit, root);
        }
    } else {
        status = visit_blocks(&visit);
    }
    record_links_fini(&visit.links);
    free(visit.frames);
    free(visit.path);
    return status;
}
