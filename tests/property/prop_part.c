/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A part of a population is estimated as honestly as the whole. The part here is that of the
 * chunks under 768 KiB: all of one stratum, some of the other, and the hardest to see, since few
 * of the large chunks sampled belong to it.
 */
#include <math.h>
#include <stdio.h>

#include "estimate/estimate.h"
#include "estimate/part.h"
#include "support/fake_population.h"
#include "support/unit.h"

#define SALTS 1000
#define LARGE_CHUNKS 1200
/* So few that the contents of all are kept. */
#define FEW_LARGE_CHUNKS 60
#define SMALL_CHUNKS 1500
#define BUDGET_BYTES 150000000
#define COVERED_MIN 0.93

enum level_index { LZ4, ZSTD_1, ZSTD_3, ZSTD_9, LEVELS };

static bool is_in_part(const struct record_chunk *chunk, const void *ctx)
{
    (void)ctx;
    return chunk->bytes < RECORD_MEDIUM_MAX_BYTES;
}

/* Sizes as Borg cuts them; small chunks shrink less, as small files do. */
static void make(struct fake_data *data, size_t large_chunks)
{
    struct cadv_level_list levels = {.count = 0};
    uint64_t random = 7;
    fake_level(&levels, CADV_CODEC_LZ4, 0);
    fake_level(&levels, CADV_CODEC_ZSTD, 1);
    fake_level(&levels, CADV_CODEC_ZSTD, 3);
    fake_level(&levels, CADV_CODEC_ZSTD, 9);
    fake_data_init(data, &levels, large_chunks + SMALL_CHUNKS);
    for (size_t chunk = 0; chunk < data->count; chunk++) {
        double u = fake_uniform(&random);
        double bytes = chunk < large_chunks ? fmin(524288.0 - 2e6 * log(u), 8388608.0)
                                            : fmin(500.0 / (u + 0.001), 524287.0);
        double ratio = 0.3 + 0.4 * fake_uniform(&random) + (bytes < 786432.0 ? 0.15 : 0.0);
        uint32_t *raw = &data->raw_bytes[chunk * LEVELS];
        data->bytes[chunk] = (uint32_t)bytes;
        raw[LZ4] = (uint32_t)(bytes * ratio * (1.1 + 0.2 * fake_uniform(&random))) + 1;
        raw[ZSTD_1] = (uint32_t)(bytes * ratio) + 1;
        raw[ZSTD_3] = (uint32_t)(bytes * ratio * (0.9 + 0.1 * fake_uniform(&random))) + 1;
        raw[ZSTD_9] = (uint32_t)(bytes * ratio * (0.8 + 0.2 * fake_uniform(&random))) + 1;
    }
}

static void count(const struct fake_data *data, struct part_counts *counts,
                  double truth[LEVELS])
{
    for (size_t i = 0; i < data->count; i++) {
        if (data->bytes[i] >= RECORD_MEDIUM_MAX_BYTES) {
            continue;
        }
        enum record_stratum_id stratum = record_stratum_of(data->bytes[i]);
        counts->unique_chunks[stratum]++;
        counts->unique_bytes[stratum] += data->bytes[i];
        for (size_t l = 0; l < LEVELS; l++) {
            truth[l] += (double)fake_stored(data->bytes[i], data->raw_bytes[i * LEVELS + l],
                                            data->levels.items[l]);
        }
    }
}

/* Draws a sample, tries what the budget plans, and estimates the part. */
static void estimate_part(const struct fake_data *data, const struct part_counts *counts,
                          uint64_t budget_bytes, uint64_t salt, struct estimate found[LEVELS])
{
    struct fake_sample sample;
    struct plan_scan scan;
    struct plan_trials trials;
    struct record_population part;
    plan_scan(&data->levels, false, budget_bytes, &scan);
    assert_int_equal(scan.levels.count, LEVELS);
    fake_sample_init(&sample, data, &scan, salt);
    struct plan_request request = {
        .population = &sample.population,
        .levels = &data->levels,
        .contents_available = {sample.contents_available[0], sample.contents_available[1]},
        .budget_bytes = budget_bytes};
    plan_trials(&request, &trials);
    fake_trial(&sample, data, trials.counts);
    assert_int_equal(
        part_init(&part, &sample.population, LEVELS, is_in_part, NULL, counts, NULL), CADV_OK);
    assert_int_equal(estimate_sizes(&part, &data->levels, fake_stored, found, NULL), CADV_OK);
    record_population_fini(&part);
    fake_sample_fini(&sample);
}

static void intervals_of_a_part_hold(void **state)
{
    (void)state;
    struct fake_data data;
    struct part_counts counts = {0};
    double truth[LEVELS] = {0}, bias[LEVELS] = {0};
    unsigned covered[LEVELS] = {0}, known[LEVELS] = {0};
    make(&data, LARGE_CHUNKS);
    count(&data, &counts, truth);
    for (uint64_t salt = 0; salt < SALTS; salt++) {
        struct estimate found[LEVELS];
        estimate_part(&data, &counts, BUDGET_BYTES, salt, found);
        for (size_t l = 0; l < LEVELS; l++) {
            assert_true(l == LZ4 || !found[l].is_exact);
            if (!found[l].is_known) {
                continue;
            }
            known[l]++;
            covered[l] += found[l].lo <= truth[l] && truth[l] <= found[l].hi;
            bias[l] += found[l].est / truth[l] - 1.0;
        }
    }
    for (size_t l = 0; l < LEVELS; l++) {
        print_message("level %zu: %u known, %.1f %% of them covered, bias %.3f %%\n", l,
                      known[l], 100.0 * covered[l] / known[l], 100.0 * bias[l] / known[l]);
        /* A sample may hold none of the part's large chunks: then it says that it knows nothing. */
        assert_true(known[l] >= 0.9 * SALTS);
        assert_true(covered[l] >= COVERED_MIN * known[l]);
        assert_true(fabs(bias[l]) < 0.005 * known[l]);
    }
    fake_data_fini(&data);
}

static void a_part_of_which_all_was_tried_is_exact(void **state)
{
    (void)state;
    struct fake_data data;
    struct part_counts counts = {0};
    struct estimate found[LEVELS];
    double truth[LEVELS] = {0};
    make(&data, FEW_LARGE_CHUNKS);
    count(&data, &counts, truth);
    estimate_part(&data, &counts, UINT64_MAX, 1, found);
    for (size_t l = 0; l < LEVELS; l++) {
        assert_true(found[l].is_exact);
        assert_true(found[l].est == truth[l]);
        assert_true(found[l].lo == truth[l] && found[l].hi == truth[l]);
    }
    fake_data_fini(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_a_part_hold),
        cmocka_unit_test(a_part_of_which_all_was_tried_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
