/* SPDX-License-Identifier: BSD-2-Clause */
/* Derived levels: trials worked out from others, and what they may not be used for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/derive.h"
#include "estimate/parent.h"
#include "support/near.h"
#include "support/unit.h"
#include "target/target.h"

enum { CHUNKS = 4, LZ4, ZSTD_3, AUTO_ZSTD_3, PADDED_ZSTD_3, PADDED_AUTO };
enum { LEVELS_IN_ALL = 5, FIRST = LZ4 };

static const struct derive_rules *rules(void)
{
    static struct derive_rules borg;
    borg = (struct derive_rules){.stored = target_borg1.stored_bytes,
                                 .choose = target_borg1.choose,
                                 .padding = target_borg1.padding};
    return &borg;
}

struct hand {
    struct cadv_level_list levels;
    struct record record;
    struct record_population *population;
};

static size_t at(size_t level)
{
    return level - FIRST;
}

static struct record_trial *trials_of(const uint32_t raw[CHUNKS], float seconds)
{
    struct record_trial *trials = calloc(CHUNKS, sizeof *trials);
    assert_non_null(trials);
    for (size_t i = 0; i < CHUNKS; i++) {
        trials[i] = (struct record_trial){
            .raw_bytes = raw[i], .compress_s = seconds, .decompress_s = seconds / 2.0F};
    }
    return trials;
}

/* Chunks of 10000 bytes that lz4 halves, hardly shrinks, does not shrink, and halves as well. */
static void hand_init(struct hand *hand, size_t lz4_trials, size_t zstd_trials)
{
    static const uint32_t lz4_raw[CHUNKS] = {5000, 9800, 10040, 5000};
    static const uint32_t zstd_raw[CHUNKS] = {4000, 2000, 10010, 4990};
    memset(hand, 0, sizeof *hand);
    assert_int_equal(cadv_levels_add(&hand->levels,
                                     "lz4,zstd:3,auto,zstd:3,obfuscate:110,zstd:3,"
                                     "obfuscate:110,auto,zstd:3",
                                     NULL),
                     CADV_OK);
    assert_int_equal(hand->levels.count, LEVELS_IN_ALL);
    record_init(&hand->record);
    hand->record.population_count = 1;
    hand->population = &hand->record.populations[0];
    struct record_stratum *small = &hand->population->strata[RECORD_SMALL];
    small->chunks = calloc(CHUNKS, sizeof *small->chunks);
    assert_non_null(small->chunks);
    for (size_t i = 0; i < CHUNKS; i++) {
        small->chunks[i].bytes = 10000;
        small->chunks[i].priority = 100.0 - (double)i;
    }
    small->chunk_count = small->unique_chunks = CHUNKS;
    small->unique_bytes = 10000 * CHUNKS;
    small->trials[at(LZ4)] = trials_of(lz4_raw, 1.0F);
    small->trials[at(ZSTD_3)] = trials_of(zstd_raw, 10.0F);
    small->trialled[at(LZ4)] = lz4_trials;
    small->trialled[at(ZSTD_3)] = zstd_trials;
}

static void auto_takes_lz4_or_the_codec(void **state)
{
    (void)state;
    static const uint32_t stored[CHUNKS] = {4000, 9800, 10000, 5000};
    static const float compress_s[CHUNKS] = {11.0F, 1.0F, 1.0F, 11.0F};
    static const float decompress_s[CHUNKS] = {5.0F, 0.5F, 0.5F, 0.5F};
    struct hand hand;
    hand_init(&hand, CHUNKS, CHUNKS);
    assert_int_equal(derive_trials(hand.population, &hand.levels, rules(), NULL), CADV_OK);
    const struct record_stratum *small = &hand.population->strata[RECORD_SMALL];
    assert_int_equal(small->trialled[at(AUTO_ZSTD_3)], CHUNKS);
    for (size_t i = 0; i < CHUNKS; i++) {
        const struct record_trial *trial = &small->trials[at(AUTO_ZSTD_3)][i];
        assert_int_equal(trial->raw_bytes, stored[i]);
        assert_near((double)trial->compress_s, (double)compress_s[i], 1e-6);
        assert_near((double)trial->decompress_s, (double)decompress_s[i], 1e-6);
    }
    record_fini(&hand.record);
}

static void derived_levels_go_as_far_as_what_they_are_made_of(void **state)
{
    (void)state;
    struct hand hand;
    hand_init(&hand, 3, 2);
    struct record_stratum *small = &hand.population->strata[RECORD_SMALL];
    /* Twice: what is there is replaced, also when trials were added in between. */
    assert_int_equal(derive_trials(hand.population, &hand.levels, rules(), NULL), CADV_OK);
    assert_int_equal(small->trialled[at(AUTO_ZSTD_3)], 2);
    assert_int_equal(small->trialled[at(PADDED_ZSTD_3)], 2);
    small->trialled[at(ZSTD_3)] = CHUNKS;
    assert_int_equal(derive_trials(hand.population, &hand.levels, rules(), NULL), CADV_OK);
    assert_int_equal(small->trialled[at(AUTO_ZSTD_3)], 3);
    assert_int_equal(small->trialled[at(PADDED_AUTO)], 3);
    assert_int_equal(small->trialled[at(PADDED_ZSTD_3)], CHUNKS);
    record_fini(&hand.record);
}

static void padding_adds_its_mean_and_its_chance(void **state)
{
    (void)state;
    struct hand hand;
    struct estimate sizes[LEVELS_IN_ALL];
    hand_init(&hand, CHUNKS, CHUNKS);
    assert_int_equal(derive_trials(hand.population, &hand.levels, rules(), NULL), CADV_OK);
    assert_int_equal(
        estimate_sizes(hand.population, &hand.levels, rules()->stored, sizes, NULL), CADV_OK);
    derive_add_padding(hand.population, &hand.levels, rules(), sizes);
    /* zstd leaves 4000 + 2000 + 10000 + 4990; each gets 6 bytes and 0 to 1023. */
    double expected = 20990.0 + 4 * (6.0 + 511.5);
    double half = 1.96 * sqrt(4 * (1024.0 * 1024.0 - 1.0) / 12.0);
    const struct estimate *padded = &sizes[at(PADDED_ZSTD_3)];
    assert_near(padded->est, expected, 1e-6);
    assert_near(padded->lo, expected - half, 1.0);
    assert_near(padded->hi, expected + half, 1.0);
    assert_false(padded->is_exact);
    /* The others are left alone. */
    assert_true(sizes[at(AUTO_ZSTD_3)].is_exact);
    assert_near(sizes[at(AUTO_ZSTD_3)].est, 4000.0 + 9800.0 + 10000.0 + 5000.0, 0.0);
    record_fini(&hand.record);
}

/* Else a level would be predicted from one that knows no more than its own parent. */
static void a_derived_level_is_no_parent_and_shares_its_codecs(void **state)
{
    (void)state;
    struct hand hand;
    struct parent_plan plan;
    hand_init(&hand, CHUNKS, 2);
    struct record_stratum *small = &hand.population->strata[RECORD_SMALL];
    small->unique_chunks = 1000;
    small->trialled[at(AUTO_ZSTD_3)] = 3;
    small->trialled[at(PADDED_ZSTD_3)] = 2;
    parent_choose(small, &hand.levels, true, false, &plan);
    assert_int_equal(plan.parent[at(ZSTD_3)], at(LZ4));
    assert_int_equal(plan.parent[at(PADDED_ZSTD_3)], at(LZ4));
    record_fini(&hand.record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_takes_lz4_or_the_codec),
        cmocka_unit_test(derived_levels_go_as_far_as_what_they_are_made_of),
        cmocka_unit_test(padding_adds_its_mean_and_its_chance),
        cmocka_unit_test(a_derived_level_is_no_parent_and_shares_its_codecs),
    };
    return cmocka_run_group_tests_name("derive", tests, NULL, NULL);
}
