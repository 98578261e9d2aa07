/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash table with linear probing and a fixed number of places. */
#include "support/fault_heap.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "support/faults.h"

/* Far more than a run on a small tree needs; a full table ends the run at once. */
enum { PLACES = 1 << 16 };

struct place {
    /* See key_of(); 0: free. */
    uintptr_t key;
    const void *maker;
};

static bool lock;
/* All below: guarded by lock. */
static struct place places[PLACES];
static size_t used;
static bool is_watching;

/* Not the address itself, which would be a reference to it in the eyes of a leak detector. */
static uintptr_t key_of(const void *memory)
{
    return ~(uintptr_t)memory;
}

static size_t home_of(uintptr_t key)
{
    return (size_t)((key >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 48) % PLACES;
}

/* Where it is, or the free place where it would go. */
static size_t find(uintptr_t key)
{
    size_t at = home_of(key);
    while (places[at].key != 0 && places[at].key != key) {
        at = (at + 1) % PLACES;
    }
    return at;
}

/* Moves those behind the hole back that would not be found any more. */
static void close_hole(size_t hole)
{
    for (size_t at = (hole + 1) % PLACES; places[at].key != 0; at = (at + 1) % PLACES) {
        size_t home = home_of(places[at].key);
        if ((at - home) % PLACES >= (at - hole) % PLACES) {
            places[hole] = places[at];
            hole = at;
        }
    }
    places[hole] = (struct place){0};
}

void heap_watch(bool is_on)
{
    fault_lock(&lock);
    is_watching = is_on;
    fault_unlock(&lock);
}

void *heap_add(void *memory, const void *maker)
{
    fault_lock(&lock);
    if (is_watching && memory != NULL) {
        size_t at = find(key_of(memory));
        used += places[at].key == 0;
        if (used == PLACES) {
            abort();
        }
        places[at] = (struct place){.key = key_of(memory), .maker = maker};
    }
    fault_unlock(&lock);
    return memory;
}

void heap_remove(void *memory)
{
    fault_lock(&lock);
    size_t at = find(key_of(memory));
    if (memory != NULL && places[at].key != 0) {
        used--;
        close_hole(at);
    }
    fault_unlock(&lock);
}

void heap_visit(void (*visit)(const void *maker))
{
    for (size_t i = 0; i < PLACES; i++) {
        if (places[i].key != 0) {
            visit(places[i].maker);
        }
    }
}
