/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/items.h - the dataset's entries: blocks of them, and the order an archive lists them in.
 */
#ifndef RECORD_ITEMS_H
#define RECORD_ITEMS_H

#include "base/error.h"
#include "record/record.h"

/** Chunk lists of a block beyond this many bytes are cut off (and the items are not whole). */
#define RECORD_BLOCK_MAX_BYTES ((size_t)8 * 1024 * 1024)

/**
 * A deep copy of `items` in one allocation. *is_cut is set to true if chunk lists did not fit.
 * memory_bytes leaves out the chunk lists of files with several links, because which link carries
 * the list depends on who read it first. CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status record_item_block_init(struct record_item_block *block, const char *directory,
                                        uint32_t root, uint32_t sequence,
                                        const struct record_item *items, size_t item_count,
                                        bool *is_cut);
void record_item_block_fini(struct record_item_block *block);

/**
 * Called for each item: its full archive path, and for a further hard link the path of the first
 * (else NULL); `chunks`/`chunk_count` are what the item lists, which for the first link may have
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

void record_items_fini(struct record_items *items);

#endif
