/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sample holds what a sorted list says, for any order of arrival, any caps and any number of
 * threads: the same head, threshold, trials and contents.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/sample.h"
#include "support/crowd.h"
#include "support/fake_chunks.h"
#include "support/noise.h"
#include "support/shuffle.h"
#include "support/tempdir.h"
#include "support/unit.h"

#define CHUNKS 1200
#define LARGE_EVERY 40
#define INLINE 2
#define THREADS 5

struct world {
    struct sample_config config;
    struct sample *sample;
    struct record_chunk *chunks;
    size_t order[CHUNKS];
    size_t threads;
    enum cadv_status outcomes[THREADS];
};

/* The trials that come with a chunk say whose they are. */
static void make_trials(const struct record_chunk *chunk, struct record_trial *trials)
{
    for (uint32_t t = 0; t < INLINE; t++) {
        trials[t] = (struct record_trial){.raw_bytes = (uint32_t)chunk->digest.low + t,
                                          .compress_s = (float)t};
    }
}

static void offer_share(size_t thread, void *ctx)
{
    struct world *world = ctx;
    uint8_t *content = malloc(FAKE_CHUNK_BYTES_MAX);
    if (content == NULL) {
        world->outcomes[thread] = CADV_ERR_NOMEM;
        return;
    }
    for (size_t i = thread; i < CHUNKS; i += world->threads) {
        const struct record_chunk *chunk = &world->chunks[world->order[i]];
        struct record_trial trials[INLINE];
        enum record_stratum_id stratum = record_stratum_of(chunk->bytes);
        if (i % 3 == 0 && !sample_wants(world->sample, stratum, chunk->priority)) {
            /* As the scan does: not wanted now is not wanted later. */
            continue;
        }
        make_trials(chunk, trials);
        fake_chunks_content(chunk, content);
        enum cadv_status status = sample_offer(world->sample, chunk, content, trials, NULL);
        if (status != CADV_OK) {
            world->outcomes[thread] = status;
        }
        /* Whatever the sample keeps is its own copy. */
        memset(content, 0xee, chunk->bytes);
    }
    free(content);
}

static void assert_contents(const struct world *world, enum record_stratum_id s,
                            const struct record_chunk *expected, size_t count)
{
    uint8_t *found = malloc(FAKE_CHUNK_BYTES_MAX);
    uint8_t *content = malloc(FAKE_CHUNK_BYTES_MAX);
    assert_non_null(found);
    assert_non_null(content);
    size_t head = fake_chunks_head(expected, count, world->config.content_max[s],
                                   world->config.content_max_bytes[s]);
    assert_int_equal(sample_content_count(world->sample, s), head);
    for (size_t rank = 0; rank < head; rank++) {
        assert_int_equal(sample_read(world->sample, s, rank, found, NULL), CADV_OK);
        fake_chunks_content(&expected[rank], content);
        assert_memory_equal(found, content, expected[rank].bytes);
    }
    free(found);
    free(content);
}

static void assert_stratum(const struct world *world, enum record_stratum_id s,
                           const struct record_stratum *stratum, const size_t *levels)
{
    static struct record_chunk sorted[CHUNKS];
    static struct record_chunk expected[CHUNKS];
    memcpy(sorted, world->chunks, sizeof sorted);
    fake_chunks_sort(sorted, CHUNKS);
    size_t count = fake_chunks_of(sorted, CHUNKS, s, expected);
    size_t kept = fake_chunks_head(expected, count, world->config.order_max[s], UINT64_MAX);

    assert_int_equal(stratum->chunk_count, kept);
    double threshold = kept < count ? expected[kept].priority : 0.0;
    assert_memory_equal(&stratum->threshold, &threshold, sizeof threshold);
    for (size_t rank = 0; rank < kept; rank++) {
        assert_int_equal(stratum->chunks[rank].digest.high, expected[rank].digest.high);
        assert_int_equal(stratum->chunks[rank].digest.low, expected[rank].digest.low);
        assert_int_equal(stratum->chunks[rank].bytes, expected[rank].bytes);
        struct record_trial trials[INLINE];
        make_trials(&expected[rank], trials);
        for (size_t t = 0; t < INLINE; t++) {
            assert_memory_equal(&stratum->trials[levels[t]][rank], &trials[t],
                                sizeof trials[t]);
        }
    }
    for (size_t t = 0; t < INLINE; t++) {
        assert_int_equal(stratum->trialled[levels[t]], kept);
    }
    assert_false(sample_wants(world->sample, s, threshold));
    assert_true(sample_wants(world->sample, s, threshold * 1.0000001 + 1e-9));
    assert_contents(world, s, expected, count);
}

static void check(struct world *world, struct noise *noise)
{
    static const size_t levels[INLINE] = {3, 0};
    struct record *record = malloc(sizeof *record);
    assert_non_null(record);
    record_init(record);
    record->population_count = 1;
    shuffle(noise, world->order, CHUNKS);
    world->sample = sample_new(&world->config);
    assert_non_null(world->sample);
    memset(world->outcomes, 0, sizeof world->outcomes);

    crowd_run(world->threads, offer_share, world);
    for (size_t t = 0; t < world->threads; t++) {
        assert_int_equal(world->outcomes[t], CADV_OK);
    }
    struct record_population *population = &record->populations[0];
    assert_int_equal(sample_finish(world->sample, population, levels, NULL), CADV_OK);
    assert_int_equal(sample_spool_errno(world->sample), 0);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        assert_stratum(world, (enum record_stratum_id)s, &population->strata[s], levels);
    }
    sample_free(world->sample);
    record_fini(record);
    free(record);
}

/* Caps that bind and caps that do not, in every combination the rounds happen to draw. */
static void draw_config(struct world *world, struct noise *noise)
{
    static const size_t order_max[] = {SIZE_MAX, 1, 7, 25, 400, CHUNKS};
    static const size_t content_max[] = {0, 1, 5, 20, 300};
    static const uint64_t bytes_max[] = {0, 700, 20000, 300000, 3000000, UINT64_MAX};
    static const uint64_t memory_max[] = {0, 5000, 700000, UINT64_MAX};
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        world->config.order_max[s] = order_max[noise_below(noise, 6)];
        world->config.content_max[s] = content_max[noise_below(noise, 5)];
        if (world->config.content_max[s] > world->config.order_max[s]) {
            world->config.content_max[s] = world->config.order_max[s];
        }
        world->config.content_max_bytes[s] = bytes_max[noise_below(noise, 6)];
    }
    world->config.memory_max_bytes = memory_max[noise_below(noise, 4)];
    world->config.salt = noise_below(noise, 3);
    world->config.inline_count = INLINE;
}

static void rounds(uint64_t first_seed, uint64_t count, size_t threads)
{
    struct tempdir dir;
    tempdir_init(&dir);
    static struct world world;
    world.config.spool_directory = dir.path;
    world.threads = threads;
    for (uint64_t seed = first_seed; seed < first_seed + count; seed++) {
        struct noise noise = {seed};
        print_message("seed %llu\n", (unsigned long long)seed);
        draw_config(&world, &noise);
        world.chunks = fake_chunks_make(seed / 3, CHUNKS, LARGE_EVERY, world.config.salt);
        check(&world, &noise);
        free(world.chunks);
    }
    assert_int_equal(tempdir_count(&dir), 0);
    tempdir_fini(&dir);
}

static void any_order_of_arrival_gives_what_sorting_gives(void **state)
{
    (void)state;
    rounds(1, 60, 1);
}

static void many_threads_give_what_sorting_gives(void **state)
{
    (void)state;
    rounds(2000, 20, THREADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_arrival_gives_what_sorting_gives),
        cmocka_unit_test(many_threads_give_what_sorting_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
