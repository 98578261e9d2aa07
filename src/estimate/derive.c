/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/derive.h"

#include <math.h>
#include <stdlib.h>

/* One derived level in one stratum. */
struct derivation {
    const struct record_stratum *stratum;
    const struct derive_rules *rules;
    struct cadv_level level;
    /** lz4 (auto only), and what the level is made of; NULL for none, which has no trials. */
    const struct record_trial *cheap;
    const struct record_trial *dear;
    /** Ranks that have them. */
    size_t count;
    struct record_trial *trials;
};

static const struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4};

struct cadv_level derive_inner(struct cadv_level level)
{
    level.obfuscate = 0;
    return level;
}

/* The trials of `level`, and at most as many of them as there are. */
static const struct record_trial *need(struct derivation *derivation,
                                       const struct cadv_level_list *levels,
                                       struct cadv_level level)
{
    if (level.codec == CADV_CODEC_NONE) {
        return NULL;
    }
    size_t index = record_level_index(levels, level);
    size_t have = index == SIZE_MAX ? 0 : derivation->stratum->trialled[index];
    derivation->count = have < derivation->count ? have : derivation->count;
    return index == SIZE_MAX ? NULL : derivation->stratum->trials[index];
}

static void derive_auto(const struct derivation *derivation, size_t rank)
{
    const struct derive_rules *rules = derivation->rules;
    uint32_t bytes = derivation->stratum->chunks[rank].bytes;
    const struct record_trial *cheap = &derivation->cheap[rank];
    const struct record_trial *dear = &derivation->dear[rank];
    uint64_t cheap_bytes = rules->stored(bytes, cheap->raw_bytes, lz4);
    uint64_t dear_bytes =
        rules->stored(bytes, dear->raw_bytes, cadv_level_plain(derivation->level));

    struct record_trial *trial = &derivation->trials[rank];
    *trial = *cheap;
    trial->raw_bytes = (uint32_t)cheap_bytes;
    switch (rules->choose(bytes, cheap_bytes, dear_bytes)) {
    case RECORD_CHEAP:
        break;
    case RECORD_DEAR:
        trial->raw_bytes = (uint32_t)dear_bytes;
        trial->decompress_s = dear->decompress_s;
        trial->compress_s += dear->compress_s;
        break;
    case RECORD_CHEAP_AFTER_BOTH:
        trial->compress_s += dear->compress_s;
        break;
    }
}

static uint64_t inner_bytes(const struct derivation *derivation, size_t rank)
{
    uint32_t bytes = derivation->stratum->chunks[rank].bytes;
    if (derivation->dear == NULL) {
        return bytes;
    }
    return derivation->rules->stored(bytes, derivation->dear[rank].raw_bytes,
                                     derive_inner(derivation->level));
}

static void derive_padded(const struct derivation *derivation, size_t rank)
{
    uint64_t inner = inner_bytes(derivation, rank);
    struct record_padding padding =
        derivation->rules->padding(inner, derivation->level.obfuscate);
    struct record_trial *trial = &derivation->trials[rank];
    *trial = derivation->dear != NULL ? derivation->dear[rank] : (struct record_trial){0};
    trial->raw_bytes = (uint32_t)fmax(round((double)inner + padding.mean), 0.0);
}

static void prepare(struct derivation *derivation, const struct cadv_level_list *levels)
{
    derivation->count = derivation->stratum->chunk_count;
    if (derivation->level.obfuscate != 0) {
        derivation->dear = need(derivation, levels, derive_inner(derivation->level));
    } else {
        derivation->cheap = need(derivation, levels, lz4);
        derivation->dear = need(derivation, levels, cadv_level_plain(derivation->level));
    }
}

static bool derive_level(struct record_stratum *stratum, const struct cadv_level_list *levels,
                         size_t index, const struct derive_rules *rules)
{
    struct derivation derivation = {
        .stratum = stratum, .rules = rules, .level = levels->items[index]};
    prepare(&derivation, levels);
    derivation.trials = calloc(derivation.count + 1, sizeof *derivation.trials);
    if (derivation.trials == NULL) {
        return false;
    }
    for (size_t rank = 0; rank < derivation.count; rank++) {
        if (derivation.level.obfuscate != 0) {
            derive_padded(&derivation, rank);
        } else {
            derive_auto(&derivation, rank);
        }
    }
    free(stratum->trials[index]);
    stratum->trials[index] = derivation.trials;
    stratum->trialled[index] = derivation.count;
    return true;
}

/* In table order, so that auto is there before what pads it. */
enum cadv_status derive_trials(struct record_population *population,
                               const struct cadv_level_list *levels,
                               const struct derive_rules *rules, struct cadv_error *err)
{
    for (size_t i = 0; i < levels->count; i++) {
        if (!record_is_derived(levels->items[i])) {
            continue;
        }
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            if (!derive_level(&population->strata[s], levels, i, rules)) {
                return error_nomem(err, "working out auto and obfuscate");
            }
        }
    }
    return CADV_OK;
}
