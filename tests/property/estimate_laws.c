/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Laws that hold for any population and any trials done, also those a signal cut short: the
 * interval holds the estimate and stays within what is certain; known means trialled; exact
 * means trialled whole and then equals the count; and asking twice gives the same bits.
 */
#include <string.h>

#include "estimate/estimate.h"
#include "support/fake_population.h"
#include "support/unit.h"

#define ROUNDS 3000
#define CHUNKS_MAX 120

static size_t below(uint64_t *random, size_t bound)
{
    return (size_t)(fake_random(random) % bound);
}

static void make(struct fake_data *data, uint64_t *random)
{
    struct cadv_level_list levels = {.count = 0};
    fake_level(&levels, CADV_CODEC_NONE, 0);
    fake_level(&levels, CADV_CODEC_LZ4, 0);
    for (int level = -3; level <= 22; level += 5) {
        fake_level(&levels, CADV_CODEC_ZSTD, level == 0 ? 1 : level);
    }
    fake_data_init(data, &levels, below(random, CHUNKS_MAX));
    bool is_alike = below(random, 4) == 0;
    for (size_t i = 0; i < data->count; i++) {
        data->bytes[i] =
            is_alike ? 4096 : (uint32_t)(1 + below(random, 1U << below(random, 23)));
        for (size_t l = 0; l < levels.count; l++) {
            uint32_t most = data->bytes[i] + data->bytes[i] / 128 + 8;
            data->raw_bytes[i * levels.count + l] =
                is_alike ? 100 : (uint32_t)(1 + below(random, most));
        }
    }
}

static void draw_counts(const struct fake_sample *sample, const struct fake_data *data,
                        uint64_t *random, size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX])
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        size_t most = sample->population.strata[s].chunk_count;
        for (size_t l = 0; l < data->levels.count; l++) {
            counts[s][l] = below(random, 3) == 0 ? most : below(random, most + 1);
            counts[s][l] = l == 0 ? 0 : counts[s][l];
        }
    }
}

static void check_level(const struct fake_sample *sample, const struct fake_data *data,
                        size_t level, const struct estimate *found)
{
    const struct record_stratum *strata = sample->population.strata;
    bool is_known = true, is_whole = true;
    double seen = 0.0, unseen_bytes = 0.0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        size_t trialled = strata[s].trialled[level];
        is_known = is_known && (trialled > 0 || strata[s].unique_chunks == 0);
        is_whole = is_whole && trialled == strata[s].unique_chunks;
        unseen_bytes += (double)strata[s].unique_bytes;
        for (size_t rank = 0; rank < trialled; rank++) {
            uint32_t bytes = strata[s].chunks[rank].bytes;
            seen += (double)fake_stored(bytes, strata[s].trials[level][rank].raw_bytes,
                                        data->levels.items[level]);
            unseen_bytes -= (double)bytes;
        }
    }
    if (level == 0) {
        assert_true(found->is_exact && found->est == unseen_bytes);
        return;
    }
    assert_int_equal(found->is_known, is_known);
    assert_int_equal(found->is_exact, is_known && is_whole);
    assert_true(found->lo <= found->est && found->est <= found->hi);
    if (is_known) {
        assert_true(found->lo >= seen && found->hi <= seen + unseen_bytes);
    }
    if (found->is_exact) {
        assert_true(found->est == (double)fake_data_stored(data, level));
        assert_true(found->lo == found->hi);
    }
}

/* A difference is that of the totals before they are cut to what is certain, which is known when
 * both are; a level does not differ from itself, and exact levels differ by an exact number. */
static void check_differences(const struct fake_sample *sample, const struct fake_data *data,
                              const struct estimate *found)
{
    const size_t count = data->levels.count;
    struct estimate_pair pairs[2 * CADV_LEVELS_MAX];
    struct estimate apart[2 * CADV_LEVELS_MAX];
    for (size_t l = 0; l < count; l++) {
        pairs[2 * l] = (struct estimate_pair){l, l};
        pairs[2 * l + 1] = (struct estimate_pair){l, (l + 1) % count};
    }
    assert_int_equal(estimate_differences(&sample->population, &data->levels, fake_stored,
                                          pairs, 2 * count, apart, NULL),
                     CADV_OK);
    for (size_t i = 0; i < 2 * count; i++) {
        const struct estimate *from = &found[pairs[i].from];
        const struct estimate *to = &found[pairs[i].to];
        assert_int_equal(apart[i].is_known, from->is_known && to->is_known);
        assert_true(apart[i].lo <= apart[i].est && apart[i].est <= apart[i].hi);
        if (from->is_exact && to->is_exact) {
            assert_true(apart[i].est == from->est - to->est && apart[i].lo == apart[i].hi);
        }
        if (from == to) {
            assert_true(apart[i].est == 0.0 && apart[i].lo == 0.0 && apart[i].hi == 0.0);
        }
    }
}

static void play(uint64_t seed)
{
    uint64_t random = seed;
    struct fake_data data;
    struct fake_sample sample;
    struct plan_scan scan = {.order_max = {1 + below(&random, 60), 1 + below(&random, 60)}};
    size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX] = {{0}};
    make(&data, &random);
    fake_sample_init(&sample, &data, &scan, seed);
    draw_counts(&sample, &data, &random, counts);
    fake_trial(&sample, &data, counts);

    struct estimate first[CADV_LEVELS_MAX], again[CADV_LEVELS_MAX];
    memset(first, 0, sizeof first);
    memset(again, 0, sizeof again);
    assert_int_equal(estimate_sizes(&sample.population, &data.levels, fake_stored, first, NULL),
                     CADV_OK);
    assert_int_equal(estimate_sizes(&sample.population, &data.levels, fake_stored, again, NULL),
                     CADV_OK);
    for (size_t l = 0; l < data.levels.count; l++) {
        assert_true(first[l].est == again[l].est && first[l].lo == again[l].lo &&
                    first[l].hi == again[l].hi);
        check_level(&sample, &data, l, &first[l]);
    }
    check_differences(&sample, &data, first);
    assert_int_equal(estimate_incompressible(&sample.population, &data.levels, first, NULL),
                     CADV_OK);
    for (size_t l = 0; l < data.levels.count; l++) {
        assert_true(first[l].lo >= 0.0 && first[l].lo <= first[l].est &&
                    first[l].est <= first[l].hi);
        assert_true(first[l].hi <= (double)record_unique_bytes(&sample.population));
    }
    fake_sample_fini(&sample);
    fake_data_fini(&data);
}

static void estimates_obey_their_laws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        play(seed);
    }
    print_message("seeds 1 to %d\n", ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimates_obey_their_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
