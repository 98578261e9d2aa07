/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Intervals of derived levels hold the truth: a made population whose results at lz4 and zstd,3 are
 * known for every chunk, so that Borg's choice in auto and its random padding can be played for all
 * of them; samples of many salts must then cover that truth as often as they promise.
 */
#include <math.h>

#include "estimate/derive.h"
#include "support/fake_population.h"
#include "support/unit.h"
#include "target/target.h"

enum { LZ4, ZSTD_1, ZSTD_3, AUTO, PADDED_RELATIVE, PADDED_UNIFORM, LEVELS };
enum { LARGE_CHUNKS = 600, SMALL_CHUNKS = 6000, SALTS = 200 };

/* Of 200 samples 95 % are 190; below 184 is as unlikely as one in some ten thousand. */
enum { COVERED_LEAST = 184 };

#define BUDGET_BYTES 15000000

static const struct derive_rules *rules(void)
{
    static struct derive_rules borg;
    borg = (struct derive_rules){.stored = target_borg1.stored_bytes,
                                 .choose = target_borg1.choose,
                                 .padding = target_borg1.padding};
    return &borg;
}

static void make(struct fake_data *data)
{
    struct cadv_level_list levels = {.count = 0};
    uint64_t random = 5;
    assert_int_equal(cadv_levels_add(&levels,
                                     "lz4,zstd:1,zstd:3,auto,zstd:3,obfuscate:2,auto,zstd:3,"
                                     "obfuscate:118,zstd:3",
                                     NULL),
                     CADV_OK);
    assert_int_equal(levels.count, LEVELS);
    fake_data_init(data, &levels, LARGE_CHUNKS + SMALL_CHUNKS);
    for (size_t i = 0; i < data->count; i++) {
        double u = fake_uniform(&random);
        double bytes =
            i < LARGE_CHUNKS ? 524288.0 + 5e6 * u * u : fmin(2000.0 / (u + 0.005), 524287.0);
        /* A third does not shrink, a third lies about auto's thresholds, a third halves. */
        double kind = fake_uniform(&random);
        double cheap = 0.4 + 0.2 * fake_uniform(&random);
        if (kind < 0.66) {
            cheap = kind < 0.33 ? 1.001 : 0.95 + 0.04 * fake_uniform(&random);
        }
        double dear = cheap * (0.75 + 0.26 * fake_uniform(&random));
        uint32_t *raw = &data->raw_bytes[i * LEVELS];
        data->bytes[i] = (uint32_t)bytes;
        raw[LZ4] = (uint32_t)(bytes * cheap) + 1;
        raw[ZSTD_3] = (uint32_t)(bytes * dear) + 1;
        raw[ZSTD_1] = (raw[LZ4] + raw[ZSTD_3]) / 2;
    }
}

/* What Borg would draw for one chunk, told as its source does. */
static double draw(uint64_t stored, int spec, uint64_t *random)
{
    double result = (double)stored + 2.0;
    double u = fake_uniform(random);
    double padding = spec < 100 ? floor(result * 0.001 * pow(10.0, spec) / fmax(0.0001, u))
                                : floor(ldexp(1.0, spec - 100) * u);
    return 6.0 + fmin(padding, 20971479.0 - 1024.0 - result);
}

/* One repository: what is stored of all chunks at each level. */
static void play_truth(const struct fake_data *data, uint64_t *random, double truth[LEVELS])
{
    for (size_t l = 0; l < LEVELS; l++) {
        truth[l] = 0.0;
    }
    for (size_t i = 0; i < data->count; i++) {
        const uint32_t *raw = &data->raw_bytes[i * LEVELS];
        uint64_t plain[3];
        for (size_t l = LZ4; l <= ZSTD_3; l++) {
            plain[l] = raw[l] < data->bytes[i] ? raw[l] : data->bytes[i];
            truth[l] += (double)plain[l];
        }
        double cheap = (double)plain[LZ4] + 2.0;
        bool is_tried = cheap / (data->bytes[i] + 2.0) < 0.97;
        bool is_kept = is_tried && ((double)plain[ZSTD_3] + 2.0) / cheap < 0.99;
        uint64_t chosen = is_kept ? plain[ZSTD_3] : plain[LZ4];
        truth[AUTO] += (double)chosen;
        truth[PADDED_RELATIVE] += (double)chosen + draw(chosen, 2, random);
        truth[PADDED_UNIFORM] += (double)plain[ZSTD_3] + draw(plain[ZSTD_3], 118, random);
    }
}

static void play(const struct fake_data *data, const struct plan_scan *scan, uint64_t salt,
                 unsigned covered[LEVELS], double bias[LEVELS])
{
    struct fake_sample sample;
    struct plan_trials trials;
    struct estimate found[LEVELS];
    double truth[LEVELS];
    uint64_t random = salt + 77;
    fake_sample_init(&sample, data, scan, salt);
    struct plan_request request = {
        .population = &sample.population,
        .levels = &data->levels,
        .contents_available = {sample.contents_available[0], sample.contents_available[1]},
        .budget_bytes = BUDGET_BYTES};
    plan_trials(&request, &trials);
    assert_false(trials.is_everything);
    fake_trial(&sample, data, trials.counts);
    assert_int_equal(derive_trials(&sample.population, &data->levels, rules(), NULL), CADV_OK);
    assert_int_equal(
        estimate_sizes(&sample.population, &data->levels, rules()->stored, found, NULL),
        CADV_OK);
    derive_add_padding(&sample.population, &data->levels, rules(), found);
    play_truth(data, &random, truth);
    for (size_t l = 0; l < LEVELS; l++) {
        assert_true(found[l].is_known);
        assert_true(found[l].lo <= found[l].est && found[l].est <= found[l].hi);
        covered[l] += found[l].lo <= truth[l] && truth[l] <= found[l].hi;
        bias[l] += (found[l].est / truth[l] - 1.0) / SALTS;
    }
    fake_sample_fini(&sample);
}

static void intervals_of_derived_levels_hold(void **state)
{
    (void)state;
    struct fake_data data;
    struct plan_scan scan;
    unsigned covered[LEVELS] = {0};
    double bias[LEVELS] = {0};
    make(&data);
    plan_scan(&data.levels, false, BUDGET_BYTES, &scan);
    assert_int_equal(scan.levels.count, LEVELS);
    for (uint64_t salt = 1; salt <= SALTS; salt++) {
        play(&data, &scan, salt, covered, bias);
    }
    for (size_t l = 0; l < LEVELS; l++) {
        char name[CADV_LEVEL_NAME_MAX];
        print_message("%-24s covered %u of %d, bias %+.3f %%\n",
                      cadv_level_name(data.levels.items[l], name), covered[l], SALTS,
                      100.0 * bias[l]);
        assert_true(covered[l] >= COVERED_LEAST);
        assert_true(fabs(bias[l]) < 0.01);
    }
    fake_data_fini(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_derived_levels_hold),
    };
    return cmocka_run_group_tests_name("derive_coverage", tests, NULL, NULL);
}
