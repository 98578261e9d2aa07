/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The claim of every interval: it holds the truth 95 times in a hundred. Each shape is
 * a population made up once from a seed, sampled with 2,000 salts through the real plan and the
 * real estimate. 93 % is asked for: two points below what is promised, four standard errors of
 * 2,000 draws. The same of the differences between levels, which must be narrower than what
 * the two intervals alone would allow. Large chunks have probes that follow zstd,1 loosely, or not
 * at all.
 */
#include <math.h>
#include <stdio.h>

#include "estimate/estimate.h"
#include "support/fake_population.h"
#include "support/unit.h"

#define SALTS 2000
#define LARGE_CHUNKS 1200
#define SMALL_CHUNKS 2500
#define BUDGET_BYTES 80000000
#define COVERED_MIN 0.93

/* Ratios of one chunk: to what share of its size zstd,1 shrinks it, and what level 19 takes off
   that. */
struct ratios {
    double first;
    double last;
};
typedef struct ratios (*shape_fn)(uint64_t *random, double bytes);

static double around(uint64_t *random, double middle, double spread)
{
    return middle + spread * (fake_uniform(random) + fake_uniform(random) - 1.0);
}

static struct ratios smooth(uint64_t *random, double bytes)
{
    (void)bytes;
    return (struct ratios){around(random, 0.45, 0.35), around(random, 0.9, 0.08)};
}

/* Photographs and programs. */
static struct ratios bimodal(uint64_t *random, double bytes)
{
    (void)bytes;
    if (fake_uniform(random) < 0.4) {
        return (struct ratios){1.001, 1.0};
    }
    return (struct ratios){around(random, 0.35, 0.15), around(random, 0.85, 0.1)};
}

/* A tenth of the chunks is nearly nothing: sparse images, logs. */
static struct ratios skewed(uint64_t *random, double bytes)
{
    (void)bytes;
    double u = fake_uniform(random);
    if (u < 0.1) {
        return (struct ratios){0.001, 1.0};
    }
    return (struct ratios){1.05 - 0.8 * u * u, around(random, 0.92, 0.06)};
}

/* Large chunks compress worse, and level 19 finds a lot in one chunk of eight. */
static struct ratios jumping(uint64_t *random, double bytes)
{
    double first = around(random, 0.3, 0.15) + 0.3 * bytes / (bytes + 1e6);
    double last = fake_uniform(random) < 0.125 ? 0.6 : around(random, 0.95, 0.03);
    return (struct ratios){first, last};
}

/* All but one chunk in 25 does not shrink at all. */
static struct ratios mostly_full(uint64_t *random, double bytes)
{
    (void)bytes;
    if (fake_uniform(random) < 0.04) {
        return (struct ratios){around(random, 0.4, 0.2), 0.8};
    }
    return (struct ratios){1.0003, 1.0};
}

enum level_index { LZ4, ZSTD_1, ZSTD_3, ZSTD_9, ZSTD_19, LEVELS };

static void make_chunk(struct fake_data *data, size_t chunk, shape_fn shape,
                       bool is_probe_blind, uint64_t *random)
{
    double u = fake_uniform(random);
    double bytes = chunk < LARGE_CHUNKS ? fmin(524288.0 - 2e6 * log(u), 8388608.0)
                                        : fmin(500.0 / (u + 0.001), 524287.0);
    struct ratios ratios = shape(random, bytes);
    double first = ratios.first * bytes;
    double fall = 1.0 - ratios.last;
    uint32_t *raw = &data->raw_bytes[chunk * LEVELS];
    data->bytes[chunk] = (uint32_t)bytes;
    raw[LZ4] = (uint32_t)(first * around(random, 1.25, 0.15)) + 1;
    raw[ZSTD_1] = (uint32_t)first + 1;
    raw[ZSTD_3] = (uint32_t)(first * (1.0 - fall * around(random, 0.3, 0.3))) + 1;
    raw[ZSTD_9] = (uint32_t)(first * (1.0 - fall * around(random, 0.5, 0.2))) + 1;
    raw[ZSTD_19] = (uint32_t)(first * ratios.last) + 1;
    if (chunk < LARGE_CHUNKS) {
        double probe = is_probe_blind ? bytes * fake_uniform(random)
                                      : fmin(first * around(random, 1.0, 0.3), bytes);
        data->probe_bytes[chunk] = (uint32_t)probe + 1;
    }
}

static void make(struct fake_data *data, shape_fn shape, bool is_probe_blind)
{
    struct cadv_level_list levels = {.count = 0};
    fake_level(&levels, CADV_CODEC_LZ4, 0);
    fake_level(&levels, CADV_CODEC_ZSTD, 1);
    fake_level(&levels, CADV_CODEC_ZSTD, 3);
    fake_level(&levels, CADV_CODEC_ZSTD, 9);
    fake_level(&levels, CADV_CODEC_ZSTD, 19);
    fake_data_init(data, &levels, LARGE_CHUNKS + SMALL_CHUNKS);
    uint64_t random = 20;
    for (size_t chunk = 0; chunk < data->count; chunk++) {
        make_chunk(data, chunk, shape, is_probe_blind, &random);
    }
}

/* Each level with the next, and both ends. */
#define PAIRS 5
static const struct estimate_pair pairs[PAIRS] = {
    {LZ4, ZSTD_1}, {ZSTD_1, ZSTD_3}, {ZSTD_3, ZSTD_9}, {ZSTD_9, ZSTD_19}, {LZ4, ZSTD_19}};

/* What is added up over the salts. */
struct tally {
    unsigned covered[LEVELS];
    double bias[LEVELS];
    unsigned pair_covered[PAIRS];
    /** Mean half width over that of two unrelated totals. */
    double pair_narrowing[PAIRS];
};

static void tally_pairs(const struct fake_data *data, const struct fake_sample *sample,
                        const double truth[LEVELS], const struct estimate found[LEVELS],
                        struct tally *tally)
{
    struct estimate apart[PAIRS];
    assert_int_equal(estimate_differences(&sample->population, &data->levels, fake_stored,
                                          pairs, PAIRS, apart, NULL),
                     CADV_OK);
    for (size_t i = 0; i < PAIRS; i++) {
        const struct estimate *from = &found[pairs[i].from];
        const struct estimate *to = &found[pairs[i].to];
        double real = truth[pairs[i].from] - truth[pairs[i].to];
        double unrelated = hypot(from->hi - from->lo, to->hi - to->lo);
        tally->pair_covered[i] += apart[i].lo <= real && real <= apart[i].hi;
        tally->pair_narrowing[i] += (apart[i].hi - apart[i].lo) / unrelated / SALTS;
    }
}

/* One salt: which intervals hold the truth, and by how much the estimate is off. */
static void play(const struct fake_data *data, const struct plan_scan *scan, uint64_t salt,
                 const double truth[LEVELS], struct tally *tally)
{
    struct fake_sample sample;
    struct plan_trials trials;
    struct estimate found[LEVELS];
    fake_sample_init(&sample, data, scan, salt);
    struct plan_request request = {
        .population = &sample.population,
        .levels = &data->levels,
        .contents_available = {sample.contents_available[0], sample.contents_available[1]},
        .budget_bytes = BUDGET_BYTES};
    plan_trials(&request, &trials);
    assert_false(trials.is_everything);
    fake_trial(&sample, data, trials.counts);
    assert_int_equal(
        estimate_sizes(&sample.population, &data->levels, fake_stored, found, NULL), CADV_OK);
    for (size_t l = 0; l < LEVELS; l++) {
        assert_true(found[l].lo <= found[l].est && found[l].est <= found[l].hi);
        tally->covered[l] += found[l].lo <= truth[l] && truth[l] <= found[l].hi;
        tally->bias[l] += (found[l].est / truth[l] - 1.0) / SALTS;
    }
    tally_pairs(data, &sample, truth, found, tally);
    fake_sample_fini(&sample);
}

static void check(const char *name, shape_fn shape, bool is_probe_blind)
{
    struct fake_data data;
    struct plan_scan scan;
    double truth[LEVELS];
    struct tally tally = {0};
    make(&data, shape, is_probe_blind);
    plan_scan(&data.levels, false, BUDGET_BYTES, &scan);
    assert_int_equal(scan.levels.count, LEVELS);
    for (size_t l = 0; l < LEVELS; l++) {
        truth[l] = (double)fake_data_stored(&data, l);
    }

    for (uint64_t salt = 0; salt < SALTS; salt++) {
        play(&data, &scan, salt, truth, &tally);
    }
    for (size_t l = 0; l < LEVELS; l++) {
        char level[CADV_LEVEL_NAME_MAX];
        (void)snprintf(level, sizeof level, "%d", data.levels.items[l].level);
        print_message("%s, level %s: %.2f %% covered, bias %.3f %%\n", name, level,
                      100.0 * tally.covered[l] / SALTS, 100.0 * tally.bias[l]);
        assert_true(tally.covered[l] >= COVERED_MIN * SALTS);
        assert_true(fabs(tally.bias[l]) < 0.005);
    }
    for (size_t i = 0; i < PAIRS; i++) {
        print_message("%s, pair %zu: %.2f %% covered, %.2f of the width of two totals\n", name,
                      i, 100.0 * tally.pair_covered[i] / SALTS, tally.pair_narrowing[i]);
        assert_true(tally.pair_covered[i] >= COVERED_MIN * SALTS);
        assert_true(tally.pair_narrowing[i] <= 1.01);
    }
    fake_data_fini(&data);
}

static void intervals_hold_on_smooth_ratios(void **state)
{
    (void)state;
    check("smooth", smooth, false);
}

static void intervals_hold_on_two_kinds_of_data(void **state)
{
    (void)state;
    check("bimodal", bimodal, false);
}

static void intervals_hold_where_a_tenth_is_nearly_nothing(void **state)
{
    (void)state;
    check("skewed", skewed, false);
}

static void intervals_hold_where_level_19_jumps(void **state)
{
    (void)state;
    check("jumping", jumping, false);
}

static void intervals_hold_where_nearly_nothing_shrinks(void **state)
{
    (void)state;
    check("mostly full", mostly_full, false);
}

static void intervals_hold_where_probes_say_nothing(void **state)
{
    (void)state;
    check("blind probes", smooth, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_on_smooth_ratios),
        cmocka_unit_test(intervals_hold_on_two_kinds_of_data),
        cmocka_unit_test(intervals_hold_where_a_tenth_is_nearly_nothing),
        cmocka_unit_test(intervals_hold_where_level_19_jumps),
        cmocka_unit_test(intervals_hold_where_nearly_nothing_shrinks),
        cmocka_unit_test(intervals_hold_where_probes_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
