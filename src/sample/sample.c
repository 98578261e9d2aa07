/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two heaps a stratum, each with the lowest priority on top: the order heap holds the chunks kept,
 * the content heap those whose bytes are kept. What leaves a heap raises its threshold, and nothing
 * below the threshold enters again. So the heads are the maximal ones that fit, whatever the order
 * of arrival: an entry leaves exactly when those above it fill the cap.
 */
#include "sample/sample.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/mix.h"
#include "par/sync.h"
#include "sample/contents.h"
#include "sample/heap.h"

struct stratum {
    struct sample_heap order;
    struct sample_heap holders;
    uint64_t content_bytes;
    /** Highest priority that left `holders`. */
    double content_threshold;
    /** Highest priority that left `order`; written under the lock, read without it. */
    _Atomic double threshold;
    /** After sample_finish(): contents by rank. */
    struct content *contents;
    size_t content_count;
};

struct sample {
    struct sample_config config;
    pthread_mutex_t lock;
    /** All below: guarded by lock until sample_finish(), then read-only. */
    struct stratum strata[RECORD_STRATUM_COUNT];
    struct contents store;
    bool is_finished;
};

double sample_priority(struct record_digest digest, uint32_t bytes, uint64_t salt)
{
    uint64_t bits = mix64(digest.low ^ mix64(digest.high ^ mix64(salt)));
    /* The top 53 bits as a number in (0, 1]. */
    double u = ((double)(bits >> 11) + 1.0) * 0x1p-53;
    return record_size_measure(bytes) / u;
}

struct sample *sample_new(const struct sample_config *config)
{
    struct sample *sample = calloc(1, sizeof *sample);
    if (sample == NULL) {
        return NULL;
    }
    sample->config = *config;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        CADV_ASSERT(config->content_max[s] <= config->order_max[s]);
        atomic_init(&sample->strata[s].threshold, 0.0);
    }
    contents_init(&sample->store, config->memory_max_bytes, config->spool_directory);
    par_mutex_init(&sample->lock);
    return sample;
}

void sample_free(struct sample *sample)
{
    if (sample == NULL) {
        return;
    }
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        struct stratum *stratum = &sample->strata[s];
        for (size_t i = 0; i < stratum->holders.count; i++) {
            contents_drop(&sample->store, &stratum->holders.entries[i]->content);
        }
        for (size_t i = 0; i < stratum->order.count; i++) {
            free(stratum->order.entries[i]);
        }
        for (size_t i = 0; i < stratum->content_count; i++) {
            contents_drop(&sample->store, &stratum->contents[i]);
        }
        sample_heap_fini(&stratum->order);
        sample_heap_fini(&stratum->holders);
        free(stratum->contents);
    }
    contents_fini(&sample->store);
    par_mutex_fini(&sample->lock);
    free(sample);
}

bool sample_wants(struct sample *sample, enum record_stratum_id id, double priority)
{
    return priority > atomic_load_explicit(&sample->strata[id].threshold, memory_order_relaxed);
}

static struct sample_entry *entry_new(const struct sample *sample,
                                      const struct record_chunk *chunk,
                                      const struct record_trial *trials)
{
    size_t trial_bytes = sample->config.inline_count * sizeof *trials;
    struct sample_entry *entry = malloc(sizeof *entry + trial_bytes);
    if (entry != NULL) {
        *entry = (struct sample_entry){.chunk = *chunk};
        if (trial_bytes > 0) {
            memcpy(entry->trials, trials, trial_bytes);
        }
    }
    return entry;
}

static void drop_lowest_holder(struct sample *sample, struct stratum *stratum)
{
    struct sample_entry *lowest = sample_heap_pop(&stratum->holders);
    stratum->content_bytes -= lowest->chunk.bytes;
    contents_drop(&sample->store, &lowest->content);
    if (lowest->chunk.priority > stratum->content_threshold) {
        stratum->content_threshold = lowest->chunk.priority;
    }
}

/* Keeps the content if its priority is among the highest that fit. */
static enum cadv_status hold_content(struct sample *sample, enum record_stratum_id id,
                                     struct sample_entry *entry, const uint8_t *content)
{
    struct stratum *stratum = &sample->strata[id];
    size_t count_max = sample->config.content_max[id];
    if (count_max == 0 || entry->chunk.priority <= stratum->content_threshold) {
        return CADV_OK;
    }
    while (!contents_put(&sample->store, content, entry->chunk.bytes, &entry->content)) {
        /* The disk is full: the lowest make room in memory, so that the head stays a head. */
        if (stratum->holders.count == 0 ||
            sample_entry_is_below(entry, sample_heap_top(&stratum->holders))) {
            stratum->content_threshold = entry->chunk.priority;
            return CADV_OK;
        }
        drop_lowest_holder(sample, stratum);
    }
    if (!sample_heap_push(&stratum->holders, entry)) {
        contents_drop(&sample->store, &entry->content);
        return CADV_ERR_NOMEM;
    }
    stratum->content_bytes += entry->chunk.bytes;
    while (stratum->holders.count > count_max ||
           stratum->content_bytes > sample->config.content_max_bytes[id]) {
        drop_lowest_holder(sample, stratum);
    }
    return CADV_OK;
}

static enum cadv_status offer_locked(struct sample *sample, const struct record_chunk *chunk,
                                     const uint8_t *content, const struct record_trial *trials)
{
    enum record_stratum_id id = record_stratum_of(chunk->bytes);
    struct stratum *stratum = &sample->strata[id];
    if (!sample_wants(sample, id, chunk->priority)) {
        return CADV_OK;
    }
    struct sample_entry *entry = entry_new(sample, chunk, trials);
    if (entry == NULL || !sample_heap_push(&stratum->order, entry)) {
        free(entry);
        return CADV_ERR_NOMEM;
    }
    enum cadv_status status = hold_content(sample, id, entry, content);
    if (stratum->order.count > sample->config.order_max[id]) {
        struct sample_entry *lowest = sample_heap_pop(&stratum->order);
        /* A head of contents is never longer than the head of the order. */
        if (stratum->holders.count > 0 && sample_heap_top(&stratum->holders) == lowest) {
            drop_lowest_holder(sample, stratum);
        }
        atomic_store_explicit(&stratum->threshold, lowest->chunk.priority,
                              memory_order_relaxed);
        free(lowest);
    }
    return status;
}

enum cadv_status sample_offer(struct sample *sample, const struct record_chunk *chunk,
                              const uint8_t *content, const struct record_trial *trials,
                              struct cadv_error *err)
{
    CADV_ASSERT(!sample->is_finished);
    par_lock(&sample->lock);
    enum cadv_status status = offer_locked(sample, chunk, content, trials);
    par_unlock(&sample->lock);
    return status == CADV_OK ? status : error_nomem(err, "keeping the sample");
}

int sample_spool_errno(const struct sample *sample)
{
    return sample->store.spool_errno;
}

static int by_rank(const void *left, const void *right)
{
    const struct sample_entry *const *a = left;
    const struct sample_entry *const *b = right;
    return sample_entry_is_below(*a, *b) ? 1 : -1;
}

/* Copies the head, `entries` in order, into a record's stratum. */
static enum cadv_status fill_stratum(const struct sample *sample,
                                     struct sample_entry *const *entries, size_t count,
                                     const size_t *inline_levels, struct record_stratum *out)
{
    out->chunks = malloc(count * sizeof *out->chunks);
    if (out->chunks == NULL) {
        return CADV_ERR_NOMEM;
    }
    out->chunk_count = count;
    for (size_t rank = 0; rank < count; rank++) {
        out->chunks[rank] = entries[rank]->chunk;
    }
    for (size_t t = 0; t < sample->config.inline_count; t++) {
        size_t level = inline_levels[t];
        out->trials[level] = malloc(count * sizeof *out->trials[level]);
        if (out->trials[level] == NULL) {
            return CADV_ERR_NOMEM;
        }
        out->trialled[level] = count;
        for (size_t rank = 0; rank < count; rank++) {
            out->trials[level][rank] = entries[rank]->trials[t];
        }
    }
    return CADV_OK;
}

static enum cadv_status finish_stratum(struct sample *sample, enum record_stratum_id id,
                                       struct record_stratum *out, const size_t *inline_levels)
{
    struct stratum *stratum = &sample->strata[id];
    size_t count = stratum->order.count;
    size_t holders = stratum->holders.count;
    struct sample_entry **entries = stratum->order.entries;
    out->threshold = atomic_load(&stratum->threshold);
    if (count == 0) {
        return CADV_OK;
    }
    qsort(entries, count, sizeof(void *), by_rank);

    stratum->contents = calloc(holders + 1, sizeof *stratum->contents);
    if (stratum->contents == NULL) {
        return CADV_ERR_NOMEM;
    }
    enum cadv_status status = fill_stratum(sample, entries, count, inline_levels, out);
    if (status != CADV_OK) {
        return status;
    }
    for (size_t rank = 0; rank < count; rank++) {
        if (rank < holders) {
            stratum->contents[rank] = entries[rank]->content;
        }
        free(entries[rank]);
    }
    stratum->content_count = holders;
    stratum->order.count = 0;
    stratum->holders.count = 0;
    return CADV_OK;
}

enum cadv_status sample_finish(struct sample *sample, struct record_population *population,
                               const size_t *inline_levels, struct cadv_error *err)
{
    CADV_ASSERT(!sample->is_finished);
    sample->is_finished = true;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        enum cadv_status status = finish_stratum(sample, (enum record_stratum_id)s,
                                                 &population->strata[s], inline_levels);
        if (status != CADV_OK) {
            return error_nomem(err, "sorting the sample");
        }
    }
    return CADV_OK;
}

/* The heap's own array stays a heap: what is sorted is a copy. */
static enum cadv_status peek_stratum(const struct sample *sample, const struct stratum *stratum,
                                     struct record_stratum *out, const size_t *inline_levels)
{
    size_t count = stratum->order.count;
    out->threshold = atomic_load(&stratum->threshold);
    if (count == 0) {
        return CADV_OK;
    }
    struct sample_entry **entries = malloc(count * sizeof(void *));
    if (entries == NULL) {
        return CADV_ERR_NOMEM;
    }
    memcpy(entries, stratum->order.entries, count * sizeof(void *));
    qsort(entries, count, sizeof(void *), by_rank);
    enum cadv_status status = fill_stratum(sample, entries, count, inline_levels, out);
    free(entries);
    return status;
}

enum cadv_status sample_peek(struct sample *sample, struct record_population *population,
                             const size_t *inline_levels, struct cadv_error *err)
{
    CADV_ASSERT(!sample->is_finished);
    enum cadv_status status = CADV_OK;
    par_lock(&sample->lock);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT && status == CADV_OK; s++) {
        status =
            peek_stratum(sample, &sample->strata[s], &population->strata[s], inline_levels);
    }
    par_unlock(&sample->lock);
    return status == CADV_OK ? status : error_nomem(err, "sorting the sample");
}

size_t sample_content_count(const struct sample *sample, enum record_stratum_id id)
{
    return sample->strata[id].content_count;
}

enum cadv_status sample_read(const struct sample *sample, enum record_stratum_id id,
                             size_t rank, uint8_t *buffer, struct cadv_error *err)
{
    const struct stratum *stratum = &sample->strata[id];
    CADV_ASSERT(rank < stratum->content_count);
    int problem = contents_read(&sample->store, &stratum->contents[rank], buffer);
    return problem == 0 ? CADV_OK
                        : cadv_error_set(err, CADV_ERR_SYSTEM, problem,
                                         "cannot read the temporary file in '%s'",
                                         sample->config.spool_directory);
}
