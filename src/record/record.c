/* SPDX-License-Identifier: BSD-2-Clause */
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

#include "record/items.h"
#include "record/problems.h"

void record_init(struct record *record)
{
    memset(record, 0, sizeof *record);
}

static void stratum_fini(struct record_stratum *stratum)
{
    free(stratum->chunks);
    for (size_t level = 0; level < CADV_LEVELS_MAX; level++) {
        free(stratum->trials[level]);
    }
}

void record_population_fini(struct record_population *population)
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        stratum_fini(&population->strata[s]);
    }
    *population = (struct record_population){0};
}

void record_fini(struct record *record)
{
    for (size_t p = 0; p < record->population_count; p++) {
        record_population_fini(&record->populations[p]);
    }
    record_items_fini(&record->items);
    record_problems_fini(&record->problems);
    record_ids_fini(&record->ids);
    free(record->archives);
    record_init(record);
}

enum record_stratum_id record_stratum_of(uint32_t chunk_bytes)
{
    return chunk_bytes >= RECORD_LARGE_MIN_BYTES ? RECORD_LARGE : RECORD_SMALL;
}

/* Newton's iteration for the fifth root of x^3. The start 2^(0.6 e), e the exponent of x, is
   off by less than a factor of 2^0.6, from where eight steps reach the last bit of a double. */
double record_size_measure(uint32_t chunk_bytes)
{
    static const double power_of_two_fifths[5] = {1.0, 1.148698354997035, 1.3195079107728942,
                                                  1.5157165665103982, 1.7411011265922482};
    unsigned exponent = 0;
    while (exponent < 31 && chunk_bytes >> (exponent + 1) != 0) {
        exponent++;
    }
    double x = (double)chunk_bytes;
    double cube = x * x * x;
    double root =
        power_of_two_fifths[3 * exponent % 5] * (double)(UINT64_C(1) << 3 * exponent / 5);
    for (int step = 0; step < 8; step++) {
        double fourth = root * root * root * root;
        root = (4.0 * root + cube / fourth) / 5.0;
    }
    return root;
}

size_t record_level_index(const struct cadv_level_list *levels, struct cadv_level level)
{
    for (size_t i = 0; i < levels->count; i++) {
        if (cadv_level_compare(levels->items[i], level) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static bool is_same_chunker(const struct cadv_chunker_params *a,
                            const struct cadv_chunker_params *b)
{
    return a->kind == b->kind && a->min_exp == b->min_exp && a->max_exp == b->max_exp &&
           a->mask_bits == b->mask_bits && a->window_bytes == b->window_bytes &&
           a->seed == b->seed && a->block_bytes == b->block_bytes &&
           a->header_bytes == b->header_bytes;
}

const struct record_population *record_find(const struct record *record,
                                            enum record_purpose purpose,
                                            const struct cadv_chunker_params *chunker)
{
    for (size_t p = 0; p < record->population_count; p++) {
        const struct record_population *population = &record->populations[p];
        if (population->purpose == purpose && is_same_chunker(&population->chunker, chunker)) {
            return population;
        }
    }
    return NULL;
}

uint64_t record_unique_chunks(const struct record_population *population)
{
    uint64_t count = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        count += population->strata[s].unique_chunks;
    }
    return count;
}

uint64_t record_unique_bytes(const struct record_population *population)
{
    uint64_t bytes = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        bytes += population->strata[s].unique_bytes;
    }
    return bytes;
}
