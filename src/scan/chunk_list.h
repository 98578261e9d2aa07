/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan/chunk_list.h - the chunks of the files of one block of items, in order, within a bound.
 *
 * A file of any size may be cut into any number of chunks, so only the first are listed. What lies
 * beyond is counted: how many chunks, their bytes, and what a target packs of them. What is listed of a
 * file must not depend on which of its links was read, so files with one link share a list of
 * RECORD_BLOCK_MAX_REFS, and all others another. A folder's files are put into a block by their sizes,
 * which make up fewer chunks than that unless a file is alone in its block; so the second list is full
 * early only where files turn out to be longer than that.
 *
 *     chunk_list_clear()                       a block begins
 *     chunk_list_begin(), _add() ..., _end()   each item; only files add
 *     chunk_list_settle()                      the block is complete: lists get their addresses
 *
 * One thread.
 */
#ifndef SCAN_CHUNK_LIST_H
#define SCAN_CHUNK_LIST_H

#include "base/error.h"
#include "record/item.h"

struct chunk_list {
    /** Chunks that files with one link, and all others, may list. */
    size_t refs_max;
    /** Packed length of a chunk's entry; see target.h. */
    size_t (*pack_chunk)(uint32_t chunk_bytes, uint64_t csize);
    /** Those of all files so far, one after the other. */
    struct record_chunk_ref *refs;
    size_t count;
    size_t capacity;
    /** How many of them belong to files with one link. */
    size_t own_count;
    /** The file in hand: its first chunk, how many it may list, whether it has several links. */
    size_t first;
    size_t room;
    bool is_linked;
    /** All its bytes, and what of it is not listed. */
    uint64_t bytes;
    struct record_unlisted unlisted;
};

/** `refs_max`: RECORD_BLOCK_MAX_REFS. Allocates nothing. */
void chunk_list_init(struct chunk_list *list, size_t refs_max,
                     size_t (*pack_chunk)(uint32_t chunk_bytes, uint64_t csize));
void chunk_list_fini(struct chunk_list *list);

/** Forgets all files; memory stays for the next block. */
void chunk_list_clear(struct chunk_list *list);

/** A file with `links` links comes next; nothing was added since the last one was ended. */
void chunk_list_begin(struct chunk_list *list, uint64_t links);

/** The next chunk of the file in hand. CADV_ERR_NOMEM is the only failure. */
enum cadv_status chunk_list_add(struct chunk_list *list, struct record_digest digest,
                                uint32_t bytes, struct cadv_error *err);

/**
 * Notes the chunks of the file in hand in its item; of what is no file, or had been read before, there
 * are none. The address of the item's list is good until a chunk is added.
 */
void chunk_list_end(struct chunk_list *list, struct record_item *item);

/** Gives the `count` items ended since the last clearing addresses that are good until the next. */
void chunk_list_settle(const struct chunk_list *list, struct record_item *items, size_t count);

#endif
