/* SPDX-License-Identifier: BSD-2-Clause */
#include "sample/heap.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

bool sample_entry_is_below(const struct sample_entry *a, const struct sample_entry *b)
{
    if (a->chunk.priority < b->chunk.priority || a->chunk.priority > b->chunk.priority) {
        return a->chunk.priority < b->chunk.priority;
    }
    if (a->chunk.digest.high != b->chunk.digest.high) {
        return a->chunk.digest.high < b->chunk.digest.high;
    }
    return a->chunk.digest.low < b->chunk.digest.low;
}

static void swap(struct sample_heap *heap, size_t a, size_t b)
{
    struct sample_entry *entry = heap->entries[a];
    heap->entries[a] = heap->entries[b];
    heap->entries[b] = entry;
}

bool sample_heap_push(struct sample_heap *heap, struct sample_entry *entry)
{
    struct sample_entry **entries =
        array_reserve(heap->entries, &heap->capacity, heap->count + 1, sizeof(void *));
    if (entries == NULL) {
        return false;
    }
    heap->entries = entries;
    size_t at = heap->count++;
    entries[at] = entry;
    while (at > 0 && sample_entry_is_below(entries[at], entries[(at - 1) / 2])) {
        swap(heap, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
    return true;
}

struct sample_entry *sample_heap_top(const struct sample_heap *heap)
{
    CADV_ASSERT(heap->count > 0);
    return heap->entries[0];
}

struct sample_entry *sample_heap_pop(struct sample_heap *heap)
{
    struct sample_entry *top = sample_heap_top(heap);
    heap->entries[0] = heap->entries[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t lowest = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++) {
            if (sample_entry_is_below(heap->entries[child], heap->entries[lowest])) {
                lowest = child;
            }
        }
        if (lowest == at) {
            return top;
        }
        swap(heap, at, lowest);
        at = lowest;
    }
}

void sample_heap_fini(struct sample_heap *heap)
{
    free(heap->entries);
    *heap = (struct sample_heap){0};
}
