/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/metadata.h"

#include <math.h>

#include "record/items.h"
#include "session/item_stream.h"

/** The population in the making. */
struct making {
    const struct target *target;
    struct record_population *population;
    struct sample *sample;
    uint64_t salt;
    const struct target_setup *setup;
    struct chunk_sizes sizes;
    /** Index of lz4, or SIZE_MAX. */
    size_t lz4;
    double lz4_ratio;
};

static uint64_t noted_csize(void *ctx, const struct record_chunk_ref *chunk)
{
    const struct making *making = ctx;
    struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4, .level = 0};
    uint32_t raw = making->lz4 == SIZE_MAX
                       ? 0
                       : chunk_sizes_raw(&making->sizes, chunk->digest, making->lz4);
    if (raw == 0) {
        raw = (uint32_t)((double)chunk->bytes * making->lz4_ratio);
    }
    uint64_t stored = making->target->stored_bytes(chunk->bytes, raw, lz4);
    return making->target->noted_csize(stored, making->setup);
}

static enum cadv_status add_chunk(void *ctx, const uint8_t *data, uint32_t bytes,
                                  struct record_digest digest, struct cadv_error *err)
{
    struct making *making = ctx;
    struct record_chunk chunk = {.digest = digest, .bytes = bytes};
    chunk.priority = sample_priority(chunk.digest, bytes, making->salt);
    struct record_stratum *stratum = &making->population->strata[record_stratum_of(bytes)];
    stratum->unique_chunks++;
    stratum->unique_bytes += bytes;
    making->population->total_chunks++;
    making->population->original_bytes += bytes;
    return sample_offer(making->sample, &chunk, data, NULL, err);
}

/* With fewer chunks at hand, the last of which is cut short by the end, their mean says nothing. */
#define CHUNKS_FOR_MEAN 16

/* Bytes of a cutter's usual chunk: none within the shortest, then one cut in 2^mask_bits places. */
static double usual_bytes(const struct cadv_chunker_params *chunker)
{
    if (chunker->kind == CADV_CHUNKER_FIXED) {
        return (double)chunker->block_bytes;
    }
    return fmin(ldexp(1.0, (int)chunker->min_exp) + ldexp(1.0, (int)chunker->mask_bits),
                ldexp(1.0, (int)chunker->max_exp));
}

/* How many chunks `bytes` make: as many times those at hand as there are more bytes, if these are the
 * cutter's and not mostly one that the end cut short. */
static uint64_t scaled_chunks(const struct record_population *population, uint64_t have,
                              double factor, uint64_t bytes)
{
    double scaled = (double)have * factor + 1.0;
    if (population->total_chunks < CHUNKS_FOR_MEAN) {
        scaled = fmin(scaled, (double)bytes / usual_bytes(&population->chunker) + 1.0);
    }
    return (uint64_t)fmax(scaled, (double)have + 1.0);
}

/*
 * When only some items were kept, or not all of their chunks, the stream stands for all: same mix,
 * exact number of bytes, so counts are scaled up and the chunks at hand become a sample. They are one
 * even when they have more bytes, which the stored sizes that the kept items note may make up.
 */
static void scale_to_whole(struct record_population *population, uint64_t counted_bytes)
{
    uint64_t have = population->original_bytes;
    uint64_t repeated_chunks = population->total_chunks - record_unique_chunks(population);
    uint64_t repeated_bytes = have - record_unique_bytes(population);
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
        stratum->unique_chunks =
            scaled_chunks(population, stratum->unique_chunks, factor, stratum->unique_bytes);
        if (stratum->chunk_count > 0 && stratum->threshold <= 0.0) {
            stratum->threshold = stratum->chunks[stratum->chunk_count - 1].priority;
        }
        last = stratum;
    }
    /* What rounding took or gave. */
    CADV_ASSERT(last != NULL);
    last->unique_bytes += packed_bytes - (uint64_t)((double)repeated_bytes * factor) -
                          record_unique_bytes(population);
    population->total_chunks =
        record_unique_chunks(population) + (uint64_t)((double)repeated_chunks * factor);
    population->original_bytes = packed_bytes;
}

enum cadv_status metadata_build(struct record *record, const struct target *target,
                                const struct target_setup *setup, double lz4_ratio,
                                const struct sample_config *config, struct sample **sample,
                                struct cadv_error *err)
{
    CADV_ASSERT(record->population_count == RUN_ITEMS);
    struct record_population *population = &record->populations[record->population_count++];
    population->name = "items";
    population->purpose = RECORD_METADATA;
    population->chunker = target->items_chunker(&record->populations[RUN_CONTENT].chunker);

    struct making making = {.target = target,
                            .population = population,
                            .sample = sample_new(config),
                            .salt = config->salt,
                            .setup = setup,
                            .lz4 = record_level_index(
                                &record->levels, (struct cadv_level){.codec = CADV_CODEC_LZ4}),
                            .lz4_ratio = lz4_ratio};
    const struct item_stream stream = {.target = target,
                                       .chunker = population->chunker,
                                       .ids = &record->ids,
                                       .csize = noted_csize,
                                       .take = add_chunk,
                                       .ctx = &making};
    enum cadv_status status = CADV_OK;
    if (making.sample == NULL ||
        !chunk_sizes_init(&making.sizes, &record->populations[RUN_CONTENT])) {
        status = error_nomem(err, "packing the items");
    }
    if (status == CADV_OK) {
        struct item_stream_repeats repeats;
        status = item_stream_make(&stream, &record->items, &repeats, err);
        population->total_chunks += repeats.chunks;
        population->original_bytes += repeats.bytes;
    }
    if (status == CADV_OK) {
        status = sample_finish(making.sample, population, NULL, err);
    }
    if (status == CADV_OK) {
        if (record_items_are_complete(&record->items)) {
            record->items.packed_bytes = population->original_bytes;
        } else {
            scale_to_whole(population, record->items.packed_bytes);
        }
        *sample = making.sample;
        making.sample = NULL;
    }
    sample_free(making.sample);
    chunk_sizes_fini(&making.sizes);
    return status;
}
