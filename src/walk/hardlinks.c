/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of (device, inode), for the few files with several links. */
#include <stdlib.h>

#include "base/mix.h"
#include "par/sync.h"
#include "walk/walk.h"

#define START_SLOTS 256U

struct link_slot {
    dev_t device;
    ino_t inode;
    bool is_used;
};

struct walk_hardlinks {
    pthread_mutex_t lock;
    /** All below: guarded by lock. Linear probing, a power of two of slots, at most half used. */
    struct link_slot *slots;
    size_t slot_count;
    size_t used;
};

struct walk_hardlinks *walk_hardlinks_new(void)
{
    struct walk_hardlinks *links = calloc(1, sizeof *links);
    if (links == NULL) {
        return NULL;
    }
    links->slots = calloc(START_SLOTS, sizeof *links->slots);
    if (links->slots == NULL) {
        free(links);
        return NULL;
    }
    links->slot_count = START_SLOTS;
    par_mutex_init(&links->lock);
    return links;
}

void walk_hardlinks_free(struct walk_hardlinks *links)
{
    if (links != NULL) {
        par_mutex_fini(&links->lock);
        free(links->slots);
        free(links);
    }
}

static struct link_slot *find(struct link_slot *slots, size_t slot_count, dev_t device,
                              ino_t inode)
{
    size_t at = (size_t)mix64((uint64_t)inode ^ mix64((uint64_t)device)) & (slot_count - 1);
    while (slots[at].is_used && (slots[at].device != device || slots[at].inode != inode)) {
        at = (at + 1) & (slot_count - 1);
    }
    return &slots[at];
}

static bool grow(struct walk_hardlinks *links)
{
    size_t larger_count = links->slot_count * 2;
    struct link_slot *larger = calloc(larger_count, sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    for (size_t i = 0; i < links->slot_count; i++) {
        const struct link_slot *slot = &links->slots[i];
        if (slot->is_used) {
            *find(larger, larger_count, slot->device, slot->inode) = *slot;
        }
    }
    free(links->slots);
    links->slots = larger;
    links->slot_count = larger_count;
    return true;
}

static enum walk_link add_locked(struct walk_hardlinks *links, dev_t device, ino_t inode)
{
    struct link_slot *slot = find(links->slots, links->slot_count, device, inode);
    if (slot->is_used) {
        return WALK_LINK_AGAIN;
    }
    *slot = (struct link_slot){.device = device, .inode = inode, .is_used = true};
    links->used++;
    if (links->used * 2 > links->slot_count && !grow(links)) {
        slot->is_used = false;
        links->used--;
        return WALK_LINK_NOMEM;
    }
    return WALK_LINK_FIRST;
}

enum walk_link walk_hardlinks_add(struct walk_hardlinks *links, dev_t device, ino_t inode)
{
    par_lock(&links->lock);
    enum walk_link link = add_locked(links, device, inode);
    par_unlock(&links->lock);
    return link;
}
