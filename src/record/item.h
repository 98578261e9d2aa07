/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/item.h - the dataset's entries as a target's metadata needs them. Part of the record; see
 * record.h.
 */
#ifndef RECORD_ITEM_H
#define RECORD_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** 128-bit digest of a chunk's content. */
struct record_digest {
    uint64_t high;
    uint64_t low;
};

struct record_ids;

enum record_item_type {
    RECORD_ITEM_FILE = 0,
    RECORD_ITEM_DIRECTORY,
    RECORD_ITEM_SYMLINK,
    RECORD_ITEM_FIFO,
    RECORD_ITEM_DEVICE,
    RECORD_ITEM_TYPES
};

struct record_chunk_ref {
    struct record_digest digest;
    uint32_t bytes;
};

/** Chunks of a file beyond those that are listed; there is no end to how many a file may have. */
struct record_unlisted {
    uint64_t chunks;
    uint64_t bytes;
    /** What a target packs of them, with their own lengths in place of stored sizes; see target.h. */
    uint64_t packed_bytes;
};

/**
 * One directory entry as a target's metadata needs it. Strings are borrowed from the block that
 * holds the item, or from whoever made the item.
 */
struct record_item {
    enum record_item_type type;
    uint32_t mode;
    uint32_t uid;
    uint32_t gid;
    uint64_t ino;
    uint64_t dev;
    uint64_t rdev;
    uint64_t nlink;
    uint64_t size_bytes;
    int64_t mtime_ns;
    int64_t ctime_ns;
    /** Name within the directory; the root's own path for a root. */
    const char *name;
    /**
     * Symlinks: where it points. Files of an archive: the path of the first link when this is a
     * further one. Else NULL.
     */
    const char *link_target;
    /** It comes from an archive: there is no change time, and links are told by `link_target`. */
    bool is_member;
    /** Names of the owner and the group, as this machine knows them; NULL: unknown. */
    const char *user;
    const char *group;
    /** Files: the chunks in order, and what of the end is not listed. */
    const struct record_chunk_ref *chunks;
    size_t chunk_count;
    struct record_unlisted unlisted;
    /** Their ids, as far as known; may be NULL. */
    const struct record_ids *ids;
    /** Extended attributes by name, and ACLs, as base/pairs.h and walk/attributes.h have them. */
    const uint8_t *attributes;
    uint32_t attributes_bytes;
    /** Flags in BSD's numbers. */
    uint32_t flags;
};

/** Consecutive entries (by inode number) of one directory. */
struct record_item_block {
    /** Path of the directory as an archive names it (no leading slash); "" above a root item. */
    char *directory;
    /** Which root, in the order given, and which block of the directory, from 0. */
    uint32_t root;
    uint32_t sequence;
    struct record_item *items;
    size_t item_count;
    /** Bytes that this block occupies, and beside them the chunk lists of files with several links. */
    size_t memory_bytes;
    size_t linked_bytes;
    /** All that its items point to, and they. */
    void *storage;
};

/** The dataset's entries: exact counts, and the blocks that were kept to see real ones. */
struct record_items {
    uint64_t count_by_type[RECORD_ITEM_TYPES];
    /** Further links to files whose content was counted once. */
    uint64_t hardlinks;
    /** Sockets and other things no archive holds. */
    uint64_t skipped_special;
    /** Exact sum over all items of the target's packed size (see target.h). */
    uint64_t packed_bytes;
    struct record_item_block *blocks;
    size_t block_count;
    /** Chunks that no item lists. */
    uint64_t unlisted_chunks;
    /** True when every block was kept, and every list or its head. */
    bool is_whole;
    /** Set by the first record_items_visit(): the blocks are in order. */
    bool is_sorted;
};

#endif
