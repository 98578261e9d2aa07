/* SPDX-License-Identifier: BSD-2-Clause */
/* record/links.h - files with several links among the kept items, found by device and inode. */
#ifndef RECORD_LINKS_H
#define RECORD_LINKS_H

#include "record/record.h"

struct record_link {
    uint64_t dev;
    uint64_t ino;
    /** Borrowed from the item that was read. */
    const struct record_chunk_ref *chunks;
    size_t chunk_count;
    struct record_unlisted unlisted;
    /** Path of the link visited first; NULL before. Owned. */
    char *first_path;
};

struct record_links {
    /** Sorted by dev, ino. */
    struct record_link *links;
    size_t count;
};

/** Collects them from all blocks; false when memory ran out. */
bool record_links_init(struct record_links *links, const struct record_items *items);
void record_links_fini(struct record_links *links);

/** The entry, or NULL. */
struct record_link *record_links_find(const struct record_links *links, uint64_t dev,
                                      uint64_t ino);

#endif
