/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth/truth_replay.c - truth_replay TABLE [BUDGET_MB [SALTS [COPIES [LEVELS]]]]: samples a table with
 * many salts through the program's own plan and estimate, and prints per level, as rows of Markdown, how
 * far off the totals are and how often the intervals hold the truth, beside what the bars ask for.
 * COPIES repeats the population, so that a small corpus stands for a large dataset. Nothing is
 * compressed again. Default: 600 MB, 1,000 salts, 1 copy, all levels of the table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "estimate/estimate.h"
#include "support/fake_population.h"
#include "truth/truth_table.h"

/* What the bars ask for; percent. */
#define CELL_COVERED_MIN 92.5
#define POOLED_COVERED_MIN 94.0
#define COVERED_MAX 98.5
/** Wider intervals than this may not cover more than that. */
#define WIDE_HALF 0.3
#define HALF_MAX 1.0
/** Of the half width. */
#define BIAS_MAX 0.1
/** What trials may cost, in megabytes of zstd,19 on the same data. */
#define COST_MAX_MB 600.0

struct score {
    double bias;
    double square;
    double half;
    unsigned covered;
    double trials[RECORD_STRATUM_COUNT];
};

struct replay {
    struct truth_table table;
    /** Its levels that are replayed, by column. */
    size_t column[CADV_LEVELS_MAX];
    struct fake_data data;
    struct plan_scan scan;
    uint64_t budget_bytes;
    unsigned salts;
    double truth[CADV_LEVELS_MAX];
    struct score scores[CADV_LEVELS_MAX];
    /** CPU seconds of the trials, all salts. */
    double trial_cpu_s;
    unsigned exact;
};

static void load(struct replay *replay, const struct cadv_level_list *wanted, size_t copies)
{
    const struct truth_table *table = &replay->table;
    struct cadv_level_list all;
    struct cadv_level_list levels = {.count = 0};
    truth_levels(&all);
    for (size_t l = 0; l < all.count; l++) {
        if (cadv_levels_contain(wanted, all.items[l])) {
            replay->column[levels.count] = l;
            levels.items[levels.count++] = all.items[l];
        }
    }
    fake_data_init(&replay->data, &levels, table->count * copies);
    for (size_t i = 0; i < replay->data.count; i++) {
        const struct truth_row *row = &table->rows[i % table->count];
        replay->data.bytes[i] = row->bytes;
        if (record_stratum_of(row->bytes) == RECORD_LARGE) {
            uint32_t probe = row->probe_bytes[TRUTH_PROBE_USED];
            replay->data.probe_bytes[i] = probe < row->bytes ? probe : row->bytes;
        }
        for (size_t l = 0; l < levels.count; l++) {
            replay->data.raw_bytes[i * levels.count + l] = row->raw_bytes[replay->column[l]];
        }
    }
    for (size_t l = 0; l < levels.count; l++) {
        replay->truth[l] = (double)fake_data_stored(&replay->data, l);
    }
}

/* A scan tries more chunks than stay in the head: k (1 + ln(N/k)). */
static double admitted_share(const struct record_stratum *stratum)
{
    double kept = (double)stratum->chunk_count;
    return kept > 0.0 ? 1.0 + log((double)stratum->unique_chunks / kept) : 1.0;
}

static void count_cpu(struct replay *replay, const struct fake_sample *sample)
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &sample->population.strata[s];
        for (size_t l = 0; l < replay->data.levels.count; l++) {
            double cpu_s = 0.0;
            for (size_t rank = 0; rank < stratum->trialled[l]; rank++) {
                size_t row = sample->ranked[s][rank] % replay->table.count;
                cpu_s += (double)replay->table.rows[row].cpu_s[replay->column[l]];
            }
            replay->trial_cpu_s +=
                cpu_s * (replay->scan.is_inline[l] ? admitted_share(stratum) : 1.0);
        }
    }
}

static void add_score(struct replay *replay, size_t level, const struct estimate *found,
                      const struct fake_sample *sample)
{
    struct score *score = &replay->scores[level];
    double truth = replay->truth[level];
    double error = (found->est - truth) / truth;
    score->bias += error;
    score->square += error * error;
    score->half += (found->hi - found->lo) / 2.0 / truth;
    score->covered += found->lo <= truth && truth <= found->hi;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        score->trials[s] += (double)sample->population.strata[s].trialled[level];
    }
}

static void play(struct replay *replay, uint64_t salt)
{
    struct fake_sample sample;
    struct plan_trials trials;
    struct estimate found[CADV_LEVELS_MAX];
    const struct fake_data *data = &replay->data;
    fake_sample_init(&sample, data, &replay->scan, salt);
    struct plan_request request = {.population = &sample.population,
                                   .levels = &data->levels,
                                   .budget_bytes = replay->budget_bytes};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        request.contents_available[s] = sample.contents_available[s];
    }
    plan_trials(&request, &trials);
    fake_trial(&sample, data, trials.counts);
    count_cpu(replay, &sample);
    replay->exact += trials.is_everything;
    enum cadv_status status =
        estimate_sizes(&sample.population, &data->levels, fake_stored, found, NULL);
    CADV_ASSERT(status == CADV_OK);
    for (size_t l = 0; l < data->levels.count; l++) {
        add_score(replay, l, &found[l], &sample);
    }
    fake_sample_fini(&sample);
}

/* The figures of one level in percent. */
struct figures {
    double bias;
    double rms;
    double half;
    double covered;
};

static struct figures figures_of(const struct replay *replay, size_t level)
{
    const struct score *score = &replay->scores[level];
    double salts = (double)replay->salts;
    return (struct figures){.bias = 100.0 * score->bias / salts,
                            .rms = 100.0 * sqrt(score->square / salts),
                            .half = 100.0 * score->half / salts,
                            .covered = 100.0 * score->covered / salts};
}

/* Which bars a level misses, as words; "" for none. */
static const char *missed(const struct figures *f)
{
    if (f->half == 0.0) {
        return f->covered < 100.0 ? "not exact" : "";
    }
    if (f->covered < CELL_COVERED_MIN) {
        return "coverage";
    }
    if (f->half > HALF_MAX) {
        return "width";
    }
    if (fabs(f->bias) > BIAS_MAX * f->half) {
        return "bias";
    }
    return f->half > WIDE_HALF && f->covered > COVERED_MAX ? "too wide" : "";
}

static void print(const struct replay *replay)
{
    double salts = (double)replay->salts;
    double pooled = 0.0;
    (void)printf(
        "| level | large | small | bias %% | rms %% | half %% | covered %% | missed |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (size_t l = 0; l < replay->data.levels.count; l++) {
        char name[CADV_LEVEL_NAME_MAX];
        const struct score *score = &replay->scores[l];
        struct figures f = figures_of(replay, l);
        pooled += f.covered / (double)replay->data.levels.count;
        (void)printf("| %s | %.0f | %.0f | %.3f | %.3f | %.3f | %.1f | %s |\n",
                     cadv_level_name(replay->data.levels.items[l], name),
                     score->trials[RECORD_LARGE] / salts, score->trials[RECORD_SMALL] / salts,
                     f.bias, f.rms, f.half, f.covered, missed(&f));
    }
    (void)printf("\npooled coverage %.1f %%%s; exact at all levels in %u of %u salts\n", pooled,
                 pooled < POOLED_COVERED_MIN ? " (MISSED)" : "", replay->exact, replay->salts);
}

/* The trials' CPU as so many bytes of the same data at zstd,19. */
static void print_cost(const struct replay *replay)
{
    double bytes = 0.0;
    double cpu_s = 0.0;
    for (size_t i = 0; i < replay->table.count; i++) {
        const struct truth_row *row = &replay->table.rows[i];
        bytes += (double)row->bytes;
        /* 19 is the fourth from the end; see truth_levels(). */
        cpu_s += (double)row->cpu_s[TRUTH_LEVELS - 4];
    }
    double per_salt = replay->trial_cpu_s / (double)replay->salts;
    double cost_mb = per_salt / cpu_s * bytes / 1e6;
    (void)printf("trials: %.1f s of CPU, as zstd,19 of %.0f MB of the same data%s\n", per_salt,
                 cost_mb, cost_mb > COST_MAX_MB ? " (MISSED)" : "");
}

static double number_at(int argc, char **argv, int at, double otherwise)
{
    return argc > at ? strtod(argv[at], NULL) : otherwise;
}

int main(int argc, char **argv)
{
    static struct replay replay;
    struct cadv_level_list wanted;
    struct cadv_error err;
    truth_levels(&wanted);
    bool is_good = argc >= 2 && truth_table_read(&replay.table, argv[1]);
    if (is_good && argc > 5) {
        wanted.count = 0;
        is_good = cadv_levels_add(&wanted, argv[5], &err) == CADV_OK;
    }
    replay.budget_bytes = (uint64_t)(number_at(argc, argv, 2, 600.0) * 1e6);
    replay.salts = (unsigned)number_at(argc, argv, 3, 1000.0);
    size_t copies = (size_t)number_at(argc, argv, 4, 1.0);
    if (!is_good || replay.table.count == 0 || replay.budget_bytes == 0 || replay.salts == 0 ||
        copies == 0) {
        (void)fprintf(stderr,
                      "usage: truth_replay TABLE [BUDGET_MB [SALTS [COPIES [LEVELS]]]]\n");
        return 2;
    }
    load(&replay, &wanted, copies);
    plan_scan(&replay.data.levels, false, replay.budget_bytes, &replay.scan);
    if (replay.scan.levels.count != replay.data.levels.count) {
        (void)fprintf(stderr,
                      "truth_replay: add the levels that help others: lz4, zstd:1,3,9\n");
        return 2;
    }

    for (uint64_t salt = 0; salt < replay.salts; salt++) {
        play(&replay, salt);
    }
    print(&replay);
    print_cost(&replay);
    fake_data_fini(&replay.data);
    truth_table_fini(&replay.table);
    return 0;
}
