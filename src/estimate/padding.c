/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * padding.c - the chance in the padding itself. Each unique chunk draws its own, independently, so
 * the variance of all of it is the sum of the chunks' variances; that sum is estimated from the
 * sampled chunks, each counted 1/pi times (Horvitz and Thompson).
 */
#include <math.h>

#include "estimate/derive.h"

/* Two-sided 95 % of a normal sum. With few chunks and a heavy tail the true spread lies to the
   right and the rare large values are rarer than that: the interval then covers more. */
#define NORMAL_975 1.96

struct padded {
    double each;
    double variance;
};

static double weight_of(const struct record_stratum *stratum, size_t count, size_t rank)
{
    double threshold =
        count < stratum->chunk_count ? stratum->chunks[count].priority : stratum->threshold;
    double size = record_size_measure(stratum->chunks[rank].bytes);
    return count < stratum->unique_chunks && size < threshold ? threshold / size : 1.0;
}

static void add_stratum(const struct record_stratum *stratum, size_t index, size_t inner,
                        struct cadv_level level, const struct derive_rules *rules,
                        struct padded *sum)
{
    size_t count = stratum->trialled[index];
    for (size_t rank = 0; rank < count; rank++) {
        uint32_t bytes = stratum->chunks[rank].bytes;
        uint64_t stored = inner == SIZE_MAX
                              ? bytes
                              : rules->stored(bytes, stratum->trials[inner][rank].raw_bytes,
                                              derive_inner(level));
        struct record_padding padding = rules->padding(stored, level.obfuscate);
        sum->each = padding.each;
        sum->variance += weight_of(stratum, count, rank) * padding.variance;
    }
}

static void widen(struct estimate *size, const struct padded *sum, uint64_t chunks,
                  double least)
{
    double added = (double)chunks * sum->each;
    double chance = NORMAL_975 * sqrt(sum->variance);
    double down = hypot(size->est - size->lo, chance);
    double up = hypot(size->hi - size->est, chance);
    size->est += added;
    size->lo = fmax(size->est - down, least);
    size->hi = size->est + up;
    size->is_exact = false;
}

void derive_add_padding(const struct record_population *population,
                        const struct cadv_level_list *levels, const struct derive_rules *rules,
                        struct estimate *sizes)
{
    for (size_t i = 0; i < levels->count; i++) {
        struct cadv_level level = levels->items[i];
        if (level.obfuscate == 0 || !sizes[i].is_known) {
            continue;
        }
        struct padded sum = {0};
        size_t inner = level.codec == CADV_CODEC_NONE
                           ? SIZE_MAX
                           : record_level_index(levels, derive_inner(level));
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            add_stratum(&population->strata[s], i, inner, level, rules, &sum);
        }
        /* Whatever is drawn, nothing is stored in less than without padding. */
        double least = inner == SIZE_MAX ? 0.0 : sizes[inner].lo;
        widen(&sizes[i], &sum, record_unique_chunks(population), least);
    }
}
