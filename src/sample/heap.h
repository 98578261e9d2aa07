/* SPDX-License-Identifier: BSD-2-Clause */
/* sample/heap.h - a binary heap of sample entries, the lowest priority on top. */
#ifndef SAMPLE_HEAP_H
#define SAMPLE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "sample/contents.h"

struct sample_entry {
    struct record_chunk chunk;
    /** Set while the entry is among the holders. */
    struct content content;
    /** The trials made when the chunk was offered. */
    struct record_trial trials[];
};

struct sample_heap {
    struct sample_entry **entries;
    size_t count;
    size_t capacity;
};

/** The order of the sample: by priority, then by digest so that it is total. */
bool sample_entry_is_below(const struct sample_entry *a, const struct sample_entry *b);

/** Adds an entry (borrowed); false when memory ran out. */
bool sample_heap_push(struct sample_heap *heap, struct sample_entry *entry);

/** The lowest entry; the heap is not empty. */
struct sample_entry *sample_heap_top(const struct sample_heap *heap);
struct sample_entry *sample_heap_pop(struct sample_heap *heap);

/** Frees the heap, not its entries. */
void sample_heap_fini(struct sample_heap *heap);

#endif
