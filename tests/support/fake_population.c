/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/fake_population.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static void *room(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    CADV_ASSERT(memory != NULL);
    return memory;
}

void fake_data_init(struct fake_data *data, const struct cadv_level_list *levels, size_t count)
{
    data->levels = *levels;
    data->count = count;
    data->bytes = room(count, sizeof *data->bytes);
    data->probe_bytes = room(count, sizeof *data->probe_bytes);
    data->raw_bytes = room(count * levels->count, sizeof *data->raw_bytes);
}

void fake_data_fini(struct fake_data *data)
{
    free(data->bytes);
    free(data->raw_bytes);
    free(data->probe_bytes);
    memset(data, 0, sizeof *data);
}

uint64_t fake_stored(uint32_t chunk_bytes, uint32_t raw_bytes, struct cadv_level level)
{
    bool is_none = level.codec == CADV_CODEC_NONE;
    return is_none || raw_bytes >= chunk_bytes ? chunk_bytes : raw_bytes;
}

uint64_t fake_data_stored(const struct fake_data *data, size_t level)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        sum += fake_stored(data->bytes[i], data->raw_bytes[i * data->levels.count + level],
                           data->levels.items[level]);
    }
    return sum;
}

/* splitmix64 (Steele, Lea and Flood 2014). */
uint64_t fake_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double fake_uniform(uint64_t *state)
{
    return ((double)(fake_random(state) >> 11) + 1.0) / 9007199254740992.0;
}

void fake_level(struct cadv_level_list *list, enum cadv_codec codec, int level)
{
    list->items[list->count++] = (struct cadv_level){.codec = codec, .level = level};
}

struct ranked {
    double priority;
    size_t chunk;
};

static int compare_ranked(const void *a, const void *b)
{
    double first = ((const struct ranked *)a)->priority;
    double second = ((const struct ranked *)b)->priority;
    return (first < second) - (first > second);
}

static void fill_stratum(struct fake_sample *sample, const struct fake_data *data,
                         const struct plan_scan *scan, size_t s, const struct ranked *order)
{
    struct record_stratum *stratum = &sample->population.strata[s];
    size_t all = (size_t)stratum->unique_chunks;
    size_t kept = all < scan->order_max[s] ? all : scan->order_max[s];
    stratum->chunks = room(kept, sizeof *stratum->chunks);
    stratum->chunk_count = kept;
    stratum->threshold = kept < all ? order[kept].priority : 0.0;
    sample->ranked[s] = room(kept, sizeof *sample->ranked[s]);

    uint64_t content_bytes = 0;
    bool is_full = false;
    for (size_t rank = 0; rank < kept; rank++) {
        size_t chunk = order[rank].chunk;
        sample->ranked[s][rank] = chunk;
        stratum->chunks[rank].digest.high = chunk;
        stratum->chunks[rank].bytes = data->bytes[chunk];
        stratum->chunks[rank].probe_bytes = data->probe_bytes[chunk];
        stratum->chunks[rank].priority = order[rank].priority;
        content_bytes += data->bytes[chunk];
        is_full = is_full || rank >= scan->content_max[s] ||
                  content_bytes > scan->content_max_bytes[s];
        sample->contents_available[s] += is_full ? 0 : 1;
    }
}

static void count_population(struct record_population *population, const struct fake_data *data)
{
    population->name = "content";
    population->total_chunks = data->count;
    for (size_t i = 0; i < data->count; i++) {
        struct record_stratum *stratum = &population->strata[record_stratum_of(data->bytes[i])];
        stratum->unique_chunks++;
        stratum->unique_bytes += data->bytes[i];
        stratum->probe_bytes += data->probe_bytes[i];
        population->original_bytes += data->bytes[i];
    }
}

void fake_sample_init(struct fake_sample *sample, const struct fake_data *data,
                      const struct plan_scan *scan, uint64_t salt)
{
    memset(sample, 0, sizeof *sample);
    count_population(&sample->population, data);
    struct ranked *order = room(data->count, sizeof *order);
    size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX] = {{0}};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        size_t found = 0;
        for (size_t i = 0; i < data->count; i++) {
            if (record_stratum_of(data->bytes[i]) == s) {
                uint64_t state = fake_random(&(uint64_t){salt}) + i;
                order[found].priority =
                    record_size_measure(data->bytes[i]) / fake_uniform(&state);
                order[found++].chunk = i;
            }
        }
        qsort(order, found, sizeof *order, compare_ranked);
        fill_stratum(sample, data, scan, s, order);
        for (size_t l = 0; l < data->levels.count; l++) {
            counts[s][l] = scan->is_inline[l] ? sample->population.strata[s].chunk_count : 0;
        }
    }
    free(order);
    fake_trial(sample, data, counts);
}

void fake_sample_fini(struct fake_sample *sample)
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        free(sample->population.strata[s].chunks);
        free(sample->ranked[s]);
        for (size_t l = 0; l < CADV_LEVELS_MAX; l++) {
            free(sample->population.strata[s].trials[l]);
        }
    }
    memset(sample, 0, sizeof *sample);
}

void fake_trial(struct fake_sample *sample, const struct fake_data *data,
                size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX])
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        struct record_stratum *stratum = &sample->population.strata[s];
        for (size_t l = 0; l < data->levels.count; l++) {
            free(stratum->trials[l]);
            stratum->trials[l] = room(counts[s][l], sizeof *stratum->trials[l]);
            stratum->trialled[l] = counts[s][l];
            for (size_t rank = 0; rank < counts[s][l]; rank++) {
                size_t chunk = sample->ranked[s][rank];
                struct record_trial *trial = &stratum->trials[l][rank];
                trial->raw_bytes = data->raw_bytes[chunk * data->levels.count + l];
                trial->compress_s = (float)data->bytes[chunk] / 1e6F;
                trial->decompress_s = (float)data->bytes[chunk] / 1e7F;
            }
        }
    }
}
