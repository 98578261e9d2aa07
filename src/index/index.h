/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index/index.h - which chunk digests were seen: exact, sharded, safe for many threads.
 *
 * A set of 128-bit digests with linear probing; the digest is its own hash. Shards grow by a
 * quarter, and not all at a time, so memory has no peaks: about 16 / 0.72 = 22 bytes a digest, at
 * most 26 once a shard holds a few hundred, plus one shard being copied.
 *
 * May include: base, par.
 */
#ifndef INDEX_INDEX_H
#define INDEX_INDEX_H

#include <stddef.h>
#include <stdint.h>

/** What inserting a digest found. */
enum index_outcome { INDEX_NEW = 0, INDEX_AGAIN, INDEX_NOMEM };

struct index;

/** An empty set; NULL when memory ran out. Free with index_free(), NULL is fine. */
struct index *index_new(void);
void index_free(struct index *index);

/** Adds the digest (high, low) unless it is there. Thread-safe. INDEX_NOMEM: nothing changed. */
enum index_outcome index_insert(struct index *index, uint64_t high, uint64_t low);

/** Bytes allocated now. Thread-safe. */
size_t index_memory_bytes(struct index *index);

#endif
