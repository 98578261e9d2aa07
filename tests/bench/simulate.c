/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/simulate.c - simulate TABLE BUDGET_MB [SALTS [COPIES]]: samples a level table (see
 * build_table) with many salts through the real plan and the real estimate, and prints how far
 * off the totals are and how often the interval holds the truth. COPIES repeats the population,
 * so that a small table stands for a large dataset.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "bench/level_table.h"
#include "estimate/estimate.h"
#include "support/fake_population.h"

struct score {
    double bias;
    double square;
    double half;
    unsigned covered;
    unsigned too_low;
    double trials[RECORD_STRATUM_COUNT];
};

struct simulation {
    struct fake_data data;
    struct plan_scan scan;
    uint64_t budget_bytes;
    struct score scores[CADV_LEVELS_MAX];
    double cost;
    double content_chunks;
};

static void load(struct fake_data *data, const struct level_table *table, size_t copies)
{
    struct cadv_level_list list = {.count = 0};
    size_t column[TABLE_LEVELS_MAX];
    for (int level = -131072; level <= 22; level++) {
        for (size_t l = 0; l < table->level_count; l++) {
            if (level == -131072 && table->levels[l] == 0) {
                column[list.count] = l;
                fake_level(&list, CADV_CODEC_LZ4, 0);
            } else if (level != 0 && table->levels[l] == level) {
                column[list.count] = l;
                fake_level(&list, CADV_CODEC_ZSTD, level);
            }
        }
    }
    fake_data_init(data, &list, table->row_count * copies);
    for (size_t i = 0; i < data->count; i++) {
        const struct table_row *row = &table->rows[i % table->row_count];
        data->bytes[i] = row->bytes;
        for (size_t l = 0; l < list.count; l++) {
            data->raw_bytes[i * list.count + l] = row->raw_bytes[column[l]];
        }
    }
}

static void play(struct simulation *simulation, uint64_t salt)
{
    struct fake_sample sample;
    struct plan_trials trials;
    struct estimate found[CADV_LEVELS_MAX];
    const struct fake_data *data = &simulation->data;
    fake_sample_init(&sample, data, &simulation->scan, salt);
    struct plan_request request = {.population = &sample.population,
                                   .levels = &data->levels,
                                   .budget_bytes = simulation->budget_bytes};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        request.contents_available[s] = sample.contents_available[s];
    }
    plan_trials(&request, &trials);
    fake_trial(&sample, data, trials.counts);
    CADV_ASSERT(estimate_sizes(&sample.population, &data->levels, fake_stored, found, NULL) ==
                CADV_OK);
    simulation->cost += trials.spent + trials.cost;

    for (size_t l = 0; l < data->levels.count; l++) {
        struct score *score = &simulation->scores[l];
        double truth = (double)fake_data_stored(data, l);
        double error = (found[l].est - truth) / truth;
        score->bias += error;
        score->square += error * error;
        score->half += (found[l].hi - found[l].lo) / 2.0 / truth;
        score->covered += found[l].lo <= truth && truth <= found[l].hi;
        score->too_low += found[l].hi < truth;
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            score->trials[s] += (double)trials.counts[s][l];
        }
    }
    fake_sample_fini(&sample);
}

static void print(const struct simulation *simulation, double salts)
{
    (void)printf("cost %.1f MB of zstd,19\n", simulation->cost / salts / 1e6);
    (void)printf("level   large  small  bias%%    rms%%   half%%  cover%%  missed above%%\n");
    for (size_t l = 0; l < simulation->data.levels.count; l++) {
        const struct score *score = &simulation->scores[l];
        struct cadv_level level = simulation->data.levels.items[l];
        (void)printf("%s%-4d %7.1f %6.1f %6.3f %7.3f %7.3f %7.2f %7.2f\n",
                     level.codec == CADV_CODEC_LZ4 ? "l" : "z", level.level,
                     score->trials[RECORD_LARGE] / salts, score->trials[RECORD_SMALL] / salts,
                     100.0 * score->bias / salts, 100.0 * sqrt(score->square / salts),
                     100.0 * score->half / salts, 100.0 * score->covered / salts,
                     100.0 * score->too_low / salts);
    }
}

int main(int argc, char **argv)
{
    static struct simulation simulation;
    struct level_table table = {0};
    if (argc < 3 || !table_read(&table, argv[1])) {
        (void)fprintf(stderr, "usage: simulate TABLE BUDGET_MB [SALTS [COPIES]]\n");
        return 2;
    }
    simulation.budget_bytes = (uint64_t)(strtod(argv[2], NULL) * 1e6);
    uint64_t salts = argc > 3 ? strtoull(argv[3], NULL, 10) : 500;
    load(&simulation.data, &table, argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
    plan_scan(&simulation.data.levels, false, simulation.budget_bytes, &simulation.scan);
    if (simulation.scan.levels.count != simulation.data.levels.count) {
        (void)fprintf(stderr, "simulate: the table lacks levels that help: 0, 1, 3 or 9\n");
        return 2;
    }

    for (uint64_t salt = 0; salt < salts; salt++) {
        play(&simulation, salt);
    }
    print(&simulation, (double)salts);
    fake_data_fini(&simulation.data);
    table_fini(&table);
    return 0;
}
