/* SPDX-License-Identifier: BSD-2-Clause */
#include "index/index.h"

#include <stdbool.h>
#include <stdlib.h>

#include "par/sync.h"

/* More shards: less waiting and a smaller copy when one grows, but more fixed memory. */
#define SHARD_BITS 8
#define SHARD_COUNT (1U << SHARD_BITS)
#define SHARD_START 64U
#define GROWTH_PART 4U
/* Fuller: less memory, longer probes (at 0.8 about 3 for a hit, 13 for a miss). */
#define FILL_PERCENT 80U

struct slot {
    uint64_t high;
    uint64_t low;
};

struct shard {
    pthread_mutex_t lock;
    /** All below: guarded by lock. A slot of two zeros is free. */
    struct slot *slots;
    size_t capacity;
    size_t count;
};

struct index {
    struct shard shards[SHARD_COUNT];
};

struct index *index_new(void)
{
    struct index *index = calloc(1, sizeof *index);
    if (index == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < SHARD_COUNT; i++) {
        par_mutex_init(&index->shards[i].lock);
    }
    return index;
}

void index_free(struct index *index)
{
    if (index == NULL) {
        return;
    }
    for (size_t i = 0; i < SHARD_COUNT; i++) {
        par_mutex_fini(&index->shards[i].lock);
        free(index->shards[i].slots);
    }
    free(index);
}

/* Maps uniform bits to [0, capacity) without division; any capacity below 2^32 will do. */
static size_t home(uint64_t bits, size_t capacity)
{
    return (size_t)(((bits >> 32) * capacity) >> 32);
}

/* The slot that holds the digest, or the free one where it belongs. */
static struct slot *find(const struct shard *shard, struct slot digest)
{
    size_t at = home(digest.low, shard->capacity);
    for (;;) {
        struct slot *slot = &shard->slots[at];
        bool is_free = (slot->high | slot->low) == 0;
        if (is_free || (slot->high == digest.high && slot->low == digest.low)) {
            return slot;
        }
        at = at + 1 == shard->capacity ? 0 : at + 1;
    }
}

/* Digests fill all shards alike. Had they begun alike, all would grow within the same few chunks, and
 * memory by a quarter; so the beginnings are spread over one step. */
static size_t first_capacity(size_t number)
{
    return SHARD_START + SHARD_START / GROWTH_PART * number / SHARD_COUNT;
}

static bool grow(struct shard *shard, size_t number)
{
    struct shard larger = {.capacity = shard->capacity == 0
                                           ? first_capacity(number)
                                           : shard->capacity + shard->capacity / GROWTH_PART};
    if (larger.capacity > UINT32_MAX) {
        return false;
    }
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < shard->capacity; i++) {
        if ((shard->slots[i].high | shard->slots[i].low) != 0) {
            *find(&larger, shard->slots[i]) = shard->slots[i];
        }
    }
    free(shard->slots);
    shard->slots = larger.slots;
    shard->capacity = larger.capacity;
    return true;
}

static enum index_outcome insert_locked(struct shard *shard, size_t number, struct slot digest)
{
    if (shard->capacity > 0) {
        const struct slot *slot = find(shard, digest);
        if ((slot->high | slot->low) != 0) {
            return INDEX_AGAIN;
        }
    }
    if ((shard->count + 1) * 100 > shard->capacity * FILL_PERCENT && !grow(shard, number)) {
        return INDEX_NOMEM;
    }
    *find(shard, digest) = digest;
    shard->count++;
    return INDEX_NEW;
}

enum index_outcome index_insert(struct index *index, uint64_t high, uint64_t low)
{
    /* All zero marks a free slot; that one digest in 2^128 is stored as another. */
    struct slot digest = {.high = high, .low = (high | low) == 0 ? 1 : low};
    size_t number = high >> (64 - SHARD_BITS);
    struct shard *shard = &index->shards[number];
    par_lock(&shard->lock);
    enum index_outcome outcome = insert_locked(shard, number, digest);
    par_unlock(&shard->lock);
    return outcome;
}

size_t index_memory_bytes(struct index *index)
{
    size_t bytes = sizeof *index;
    for (size_t i = 0; i < SHARD_COUNT; i++) {
        struct shard *shard = &index->shards[i];
        par_lock(&shard->lock);
        bytes += shard->capacity * sizeof *shard->slots;
        par_unlock(&shard->lock);
    }
    return bytes;
}
