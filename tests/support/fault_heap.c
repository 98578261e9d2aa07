/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash table with linear probing and a fixed number of places. */
#include "support/fault_heap.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Far more than a run on a small tree needs; a full table ends the run at once. */
enum { PLACES = 1 << 16 };

struct place {
    uintptr_t memory;
    const void *maker;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* All below: guarded by lock. */
static struct place places[PLACES];
static size_t used;
static bool is_watching;

static size_t home_of(uintptr_t memory)
{
    return (size_t)((memory >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 48) % PLACES;
}

/* Where it is, or the free place where it would go. */
static size_t find(uintptr_t memory)
{
    size_t at = home_of(memory);
    while (places[at].memory != 0 && places[at].memory != memory) {
        at = (at + 1) % PLACES;
    }
    return at;
}

/* Moves those behind the hole back that would not be found any more. */
static void close_hole(size_t hole)
{
    for (size_t at = (hole + 1) % PLACES; places[at].memory != 0; at = (at + 1) % PLACES) {
        size_t home = home_of(places[at].memory);
        if ((at - home) % PLACES >= (at - hole) % PLACES) {
            places[hole] = places[at];
            hole = at;
        }
    }
    places[hole] = (struct place){0};
}

void heap_watch(bool is_on)
{
    (void)pthread_mutex_lock(&lock);
    is_watching = is_on;
    (void)pthread_mutex_unlock(&lock);
}

void *heap_add(void *memory, const void *maker)
{
    (void)pthread_mutex_lock(&lock);
    if (is_watching && memory != NULL) {
        size_t at = find((uintptr_t)memory);
        used += places[at].memory == 0;
        if (used == PLACES) {
            abort();
        }
        places[at] = (struct place){.memory = (uintptr_t)memory, .maker = maker};
    }
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

void heap_remove(void *memory)
{
    (void)pthread_mutex_lock(&lock);
    size_t at = find((uintptr_t)memory);
    if (memory != NULL && places[at].memory != 0) {
        used--;
        close_hole(at);
    }
    (void)pthread_mutex_unlock(&lock);
}

void heap_visit(void (*visit)(const void *maker))
{
    for (size_t i = 0; i < PLACES; i++) {
        if (places[i].memory != 0) {
            visit(places[i].maker);
        }
    }
}
