/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * support/fake_population.h - a population whose every trial is known beforehand, sampled as a
 * scan would for any salt. So a test can hold the estimate against the truth, thousands of
 * times.
 */
#ifndef SUPPORT_FAKE_POPULATION_H
#define SUPPORT_FAKE_POPULATION_H

#include "plan/plan.h"
#include "record/record.h"

/** All unique chunks with all results. Owned by whoever fills it. */
struct fake_data {
    struct cadv_level_list levels;
    size_t count;
    /** [chunk] */
    uint32_t *bytes;
    /** [chunk * levels.count + level index]; not used for none. */
    uint32_t *raw_bytes;
    /** [chunk]; 0 where there are no probes. */
    uint32_t *probe_bytes;
};

/** Room for `count` chunks; asserts on lack of memory. Free with fake_data_fini(). */
void fake_data_init(struct fake_data *data, const struct cadv_level_list *levels, size_t count);
void fake_data_fini(struct fake_data *data);

/** Sum of min(raw, chunk) over all chunks: the truth. */
uint64_t fake_data_stored(const struct fake_data *data, size_t level);

/** Borg's rule, for tests: raw when it does not shrink. */
uint64_t fake_stored(uint32_t chunk_bytes, uint32_t raw_bytes, struct cadv_level level);

/** One sample, as the scan leaves it. */
struct fake_sample {
    struct record_population population;
    size_t contents_available[RECORD_STRATUM_COUNT];
    /** Chunk of each rank. */
    size_t *ranked[RECORD_STRATUM_COUNT];
};

/** Draws the sample of `salt` with the limits and inline levels of `scan`. */
void fake_sample_init(struct fake_sample *sample, const struct fake_data *data,
                      const struct plan_scan *scan, uint64_t salt);
void fake_sample_fini(struct fake_sample *sample);

/** Runs trials up to these counts. Seconds are bytes / 1e6. */
void fake_trial(struct fake_sample *sample, const struct fake_data *data,
                size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX]);

/** A seeded generator: the next 64 bits, and a number in (0, 1]. */
uint64_t fake_random(uint64_t *state);
double fake_uniform(uint64_t *state);

/** Appends a level to a list in table order. */
void fake_level(struct cadv_level_list *list, enum cadv_codec codec, int level);

#endif
