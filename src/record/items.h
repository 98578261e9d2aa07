/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/items.h - the dataset's entries: blocks of them, and the order an archive lists them in.
 */
#ifndef RECORD_ITEMS_H
#define RECORD_ITEMS_H

#include "base/error.h"
#include "record/record.h"

/**
 * Chunks that the files with one link of a block list, and those with several; 8 MiB each. More would
 * let larger files keep the stream of items whole, and take more memory for each thread.
 */
#define RECORD_BLOCK_MAX_REFS ((size_t)8 * 1024 * 1024 / sizeof(struct record_chunk_ref))

/**
 * A deep copy of `items` in one allocation. The chunk lists of files with several links are counted
 * apart, because which link carries the list depends on who read it first. CADV_ERR_NOMEM is the only
 * failure.
 */
enum cadv_status record_item_block_init(struct record_item_block *block, const char *directory,
                                        uint32_t root, uint32_t sequence,
                                        const struct record_item *items, size_t item_count);

/**
 * Leaves `refs_max` chunks, or all, in each of those lists, and gives up the memory of the others: they
 * are not listed then, though packed_bytes is not theirs. CADV_ERR_NOMEM is the only failure; nothing
 * changed then.
 */
enum cadv_status record_item_block_trim_linked(struct record_item_block *block,
                                               size_t refs_max);

void record_item_block_fini(struct record_item_block *block);

/**
 * Called for each item: its full archive path, and for a further hard link the path of the first
 * (else NULL); its chunks are what the item lists, which for the first link may have
 * been read under another name. Borrowed for the call. Any status but CADV_OK ends the visit.
 */
typedef enum cadv_status (*record_item_fn)(const struct record_item *item, const char *path,
                                           const char *source, void *ctx,
                                           struct cadv_error *err);

/**
 * Visits the kept items. When they are whole, in the order of Borg's stream: a directory before its
 * content, entries by inode number, hard links resolved. Otherwise block after block, files with
 * several links left out. The first visit sorts items->blocks; later ones only read, so any number of
 * threads may visit at once.
 */
enum cadv_status record_items_visit(struct record_items *items, record_item_fn visit, void *ctx,
                                    struct cadv_error *err);

/** True when the stream that a tool makes of the items can be rebuilt: all are there with all chunks. */
bool record_items_are_complete(const struct record_items *items);

void record_items_fini(struct record_items *items);

#endif
