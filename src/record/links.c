/* SPDX-License-Identifier: BSD-2-Clause */
#include "record/links.h"

#include <stdlib.h>

#include "base/array.h"

static int by_inode(const void *left, const void *right)
{
    const struct record_link *a = left;
    const struct record_link *b = right;
    if (a->dev != b->dev) {
        return a->dev < b->dev ? -1 : 1;
    }
    if (a->ino != b->ino) {
        return a->ino < b->ino ? -1 : 1;
    }
    /* The one that carries the chunk list comes first. */
    if (a->chunk_count != b->chunk_count) {
        return a->chunk_count > b->chunk_count ? -1 : 1;
    }
    return (a->unlisted.chunks < b->unlisted.chunks) -
           (a->unlisted.chunks > b->unlisted.chunks);
}

static bool add(struct record_links *links, size_t *capacity, const struct record_item *item)
{
    struct record_link *grown =
        array_reserve(links->links, capacity, links->count + 1, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    links->links = grown;
    grown[links->count++] = (struct record_link){.dev = item->dev,
                                                 .ino = item->ino,
                                                 .chunks = item->chunks,
                                                 .chunk_count = item->chunk_count,
                                                 .unlisted = item->unlisted};
    return true;
}

/* Keeps the first of each inode. */
static void make_unique(struct record_links *links)
{
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++) {
        const struct record_link *link = &links->links[i];
        if (kept == 0 || links->links[kept - 1].dev != link->dev ||
            links->links[kept - 1].ino != link->ino) {
            links->links[kept++] = *link;
        }
    }
    links->count = kept;
}

bool record_links_init(struct record_links *links, const struct record_items *items)
{
    size_t capacity = 0;
    *links = (struct record_links){0};
    for (size_t b = 0; b < items->block_count; b++) {
        const struct record_item_block *block = &items->blocks[b];
        for (size_t i = 0; i < block->item_count; i++) {
            const struct record_item *item = &block->items[i];
            bool is_linked = item->type == RECORD_ITEM_FILE && item->nlink > 1;
            if (is_linked && !add(links, &capacity, item)) {
                return false;
            }
        }
    }
    if (links->count > 0) {
        qsort(links->links, links->count, sizeof *links->links, by_inode);
        make_unique(links);
    }
    return true;
}

void record_links_fini(struct record_links *links)
{
    for (size_t i = 0; i < links->count; i++) {
        free(links->links[i].first_path);
    }
    free(links->links);
    *links = (struct record_links){0};
}

struct record_link *record_links_find(const struct record_links *links, uint64_t dev,
                                      uint64_t ino)
{
    size_t low = 0;
    size_t high = links->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct record_link *link = &links->links[middle];
        if (link->dev == dev && link->ino == ino) {
            return link;
        }
        if (link->dev < dev || (link->dev == dev && link->ino < ino)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}
