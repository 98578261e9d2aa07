/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/metadata.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "record/items.h"

struct stream {
    const struct target *target;
    struct cadv_cutter *cutter;
    struct record_population *population;
    struct sample *sample;
    uint64_t salt;
    const struct record_ids *ids;
    const struct target_setup *setup;
    struct chunk_sizes sizes;
    /** Index of lz4, or SIZE_MAX. */
    size_t lz4;
    double lz4_ratio;
    /** Packed bytes not yet cut. */
    uint8_t *buffer;
    size_t used;
    size_t capacity;
};

static uint64_t noted_csize(void *ctx, const struct record_chunk_ref *chunk)
{
    const struct stream *stream = ctx;
    struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4, .level = 0};
    uint32_t raw = stream->lz4 == SIZE_MAX
                       ? 0
                       : chunk_sizes_raw(&stream->sizes, chunk->digest, stream->lz4);
    if (raw == 0) {
        raw = (uint32_t)((double)chunk->bytes * stream->lz4_ratio);
    }
    uint64_t stored = stream->target->stored_bytes(chunk->bytes, raw, lz4);
    return stream->target->noted_csize(stored, stream->setup);
}

static enum cadv_status add_chunk(struct stream *stream, const uint8_t *data, uint32_t bytes,
                                  struct cadv_error *err)
{
    XXH128_hash_t hash = XXH3_128bits(data, bytes);
    struct record_chunk chunk = {.digest = {.high = hash.high64, .low = hash.low64},
                                 .bytes = bytes};
    chunk.priority = sample_priority(chunk.digest, bytes, stream->salt);
    /* Chunks of this stream do not repeat: nearly each holds ids or times of its own. */
    struct record_stratum *stratum = &stream->population->strata[record_stratum_of(bytes)];
    stratum->unique_chunks++;
    stratum->unique_bytes += bytes;
    stream->population->total_chunks++;
    stream->population->original_bytes += bytes;
    return sample_offer(stream->sample, &chunk, data, NULL, err);
}

/* Cuts what is certain, or everything at the end. */
static enum cadv_status cut(struct stream *stream, bool is_last, struct cadv_error *err)
{
    size_t start = 0;
    for (;;) {
        size_t length = cadv_cutter_next(stream->cutter, stream->buffer + start,
                                         stream->used - start, is_last);
        if (length == 0) {
            break;
        }
        enum cadv_status status =
            add_chunk(stream, stream->buffer + start, (uint32_t)length, err);
        if (status != CADV_OK) {
            return status;
        }
        start += length;
    }
    stream->used -= start;
    memmove(stream->buffer, stream->buffer + start, stream->used);
    return CADV_OK;
}

static enum cadv_status pack(const struct record_item *listed, const char *path,
                             const char *source, void *ctx, struct cadv_error *err)
{
    struct stream *stream = ctx;
    struct record_item with_ids = *listed;
    const struct record_item *item = &with_ids;
    with_ids.ids = stream->ids;
    size_t bytes = stream->target->pack_item(item, path, source, noted_csize, stream, NULL, 0);
    uint8_t *buffer =
        array_reserve(stream->buffer, &stream->capacity, size_add(stream->used, bytes), 1);
    if (buffer == NULL) {
        return error_nomem(err, "packing the items");
    }
    stream->buffer = buffer;
    (void)stream->target->pack_item(item, path, source, noted_csize, stream,
                                    buffer + stream->used, bytes);
    stream->used += bytes;
    size_t enough = 2 * cadv_cutter_max_bytes(stream->cutter);
    return stream->used < enough ? CADV_OK : cut(stream, false, err);
}

/*
 * When only some items were kept, or not all of their chunks, the stream stands for all: same mix,
 * exact number of bytes, so counts are scaled up and the chunks at hand become a sample. They are one
 * even when they have more bytes, which the stored sizes that the kept items note may make up.
 */
static void scale_to_whole(struct record_population *population, uint64_t counted_bytes)
{
    uint64_t have = population->original_bytes;
    if (have == 0) {
        return;
    }
    uint64_t packed_bytes = counted_bytes > have ? counted_bytes : have;
    double factor = (double)packed_bytes / (double)have;
    struct record_stratum *last = NULL;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        struct record_stratum *stratum = &population->strata[s];
        if (stratum->unique_chunks == 0) {
            continue;
        }
        stratum->unique_bytes = (uint64_t)((double)stratum->unique_bytes * factor);
        stratum->unique_chunks = (uint64_t)((double)stratum->unique_chunks * factor) + 1;
        if (stratum->chunk_count > 0 && stratum->threshold <= 0.0) {
            stratum->threshold = stratum->chunks[stratum->chunk_count - 1].priority;
        }
        last = stratum;
    }
    /* What rounding took or gave. */
    CADV_ASSERT(last != NULL);
    last->unique_bytes += packed_bytes - record_unique_bytes(population);
    population->total_chunks = record_unique_chunks(population);
    population->original_bytes = record_unique_bytes(population);
}

enum cadv_status metadata_build(struct record *record, const struct target *target,
                                const struct target_setup *setup, double lz4_ratio,
                                const struct sample_config *config, struct sample **sample,
                                struct cadv_error *err)
{
    CADV_ASSERT(record->population_count < RECORD_POPULATIONS_MAX);
    struct record_population *population = &record->populations[record->population_count++];
    population->name = "items";
    population->purpose = RECORD_METADATA;
    population->chunker = target->items_chunker(&record->populations[0].chunker);

    struct stream stream = {
        .target = target,
        .cutter = cadv_cutter_new(&population->chunker),
        .population = population,
        .sample = sample_new(config),
        .salt = config->salt,
        .setup = setup,
        .ids = &record->ids,
        .lz4 = record_level_index(record, (struct cadv_level){.codec = CADV_CODEC_LZ4}),
        .lz4_ratio = lz4_ratio};
    enum cadv_status status = CADV_OK;
    if (stream.cutter == NULL || stream.sample == NULL ||
        !chunk_sizes_init(&stream.sizes, &record->populations[0])) {
        status = error_nomem(err, "packing the items");
    }
    if (status == CADV_OK) {
        cadv_cutter_start(stream.cutter);
        status = record_items_visit(&record->items, pack, &stream, err);
    }
    if (status == CADV_OK && stream.used > 0) {
        status = cut(&stream, true, err);
    }
    if (status == CADV_OK) {
        status = sample_finish(stream.sample, population, NULL, err);
    }
    if (status == CADV_OK) {
        if (record_items_are_complete(&record->items)) {
            record->items.packed_bytes = population->original_bytes;
        } else {
            scale_to_whole(population, record->items.packed_bytes);
        }
        *sample = stream.sample;
        stream.sample = NULL;
    }
    sample_free(stream.sample);
    cadv_cutter_free(stream.cutter);
    chunk_sizes_fini(&stream.sizes);
    free(stream.buffer);
    return status;
}
