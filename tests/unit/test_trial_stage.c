/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage that brings each level to its planned number of trials. */
#include <stdlib.h>
#include <string.h>

#include "support/fake_chunks.h"
#include "support/unit.h"
#include "trial/trial.h"

#define CHUNKS 60
#define LARGE_EVERY 12
/* What an existing trial says; no codec would. */
#define MARK 0xabcdefU

struct world {
    struct record record;
    struct sample *sample;
    struct trial_control control;
    size_t counts[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX];
};

static struct world world;
static atomic_int stop;
static atomic_int trials_run;
/* Asks to stop once so many trials ran; 0: never. */
static int stop_after;
/* As the stage reads it: cheap, so that a chunk is one task; a test makes it dear. */
static double zstd_cost;

static double cost(struct cadv_level level)
{
    int ran = atomic_fetch_add(&trials_run, 1) + 1;
    if (stop_after != 0 && ran == stop_after) {
        atomic_store(&stop, 1);
    }
    return level.codec == CADV_CODEC_LZ4 ? 0.015625 : zstd_cost;
}

/* 5 large and 55 small chunks, all with their contents and an lz4 trial already (a mark). */
static int setup(void **state)
{
    (void)state;
    static const size_t inline_levels[] = {0};
    struct sample_config config = {.order_max = {SIZE_MAX, SIZE_MAX},
                                   .content_max = {CHUNKS, CHUNKS},
                                   .content_max_bytes = {UINT64_MAX, UINT64_MAX},
                                   .memory_max_bytes = UINT64_MAX,
                                   .inline_count = 1,
                                   .spool_directory = "/tmp"};
    memset(&world, 0, sizeof world);
    atomic_store(&stop, 0);
    atomic_store(&trials_run, 0);
    stop_after = 0;
    zstd_cost = 0.0625;
    record_init(&world.record);
    world.record.population_count = 1;
    assert_int_equal(cadv_levels_add(&world.record.levels, "lz4,zstd:1-2", NULL), CADV_OK);
    world.control = (struct trial_control){.stop = &stop, .cost = cost, .jobs = 1};
    world.sample = sample_new(&config);
    assert_non_null(world.sample);
    struct record_chunk *chunks = fake_chunks_make(1, CHUNKS, LARGE_EVERY, 0);
    uint8_t *content = malloc(FAKE_CHUNK_BYTES_MAX);
    assert_non_null(content);
    for (size_t i = 0; i < CHUNKS; i++) {
        struct record_trial trial = {.raw_bytes = MARK};
        fake_chunks_content(&chunks[i], content);
        assert_int_equal(sample_offer(world.sample, &chunks[i], content, &trial, NULL),
                         CADV_OK);
    }
    assert_int_equal(
        sample_finish(world.sample, &world.record.populations[0], inline_levels, NULL),
        CADV_OK);
    free(content);
    free(chunks);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sample_free(world.sample);
    record_fini(&world.record);
    return 0;
}

static struct record_stratum *stratum(enum record_stratum_id id)
{
    return &world.record.populations[0].strata[id];
}

static bool run(void)
{
    bool is_complete = false;
    /* Each level's cost is asked for once to put the trials in order. */
    atomic_fetch_sub(&trials_run, (int)world.record.levels.count);
    assert_int_equal(trial_stage(&world.record.populations[0], &world.record.levels,
                                 world.counts, world.sample, &world.control, &is_complete,
                                 NULL),
                     CADV_OK);
    return is_complete;
}

static void plan(enum record_stratum_id id, size_t lz4, size_t zstd1, size_t zstd2)
{
    world.counts[id][0] = lz4;
    world.counts[id][1] = zstd1;
    world.counts[id][2] = zstd2;
}

/* Trials below `from` are as they were; those from there on are true. */
static void assert_trials(enum record_stratum_id id, size_t level, size_t from)
{
    static uint8_t content[FAKE_CHUNK_BYTES_MAX];
    struct trial_workspace workspace = {0};
    for (size_t rank = 0; rank < stratum(id)->trialled[level]; rank++) {
        const struct record_chunk *chunk = &stratum(id)->chunks[rank];
        uint32_t found = stratum(id)->trials[level][rank].raw_bytes;
        if (rank < from) {
            assert_int_equal(found, MARK);
            continue;
        }
        struct record_trial expected;
        fake_chunks_content(chunk, content);
        assert_int_equal(trial_run(&workspace, world.record.levels.items[level], content,
                                   chunk->bytes, &expected, NULL),
                         CADV_OK);
        assert_int_equal(found, expected.raw_bytes);
    }
    trial_workspace_fini(&workspace);
}

static void levels_come_to_their_counts_and_old_trials_stay(void **state)
{
    (void)state;
    static const unsigned jobs[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        (void)teardown(NULL);
        (void)setup(NULL);
        world.control.jobs = jobs[i];
        plan(RECORD_LARGE, 5, 3, 0);
        plan(RECORD_SMALL, 10, 40, 55);
        assert_true(run());
        assert_int_equal(stratum(RECORD_LARGE)->trialled[0], 5);
        assert_int_equal(stratum(RECORD_LARGE)->trialled[1], 3);
        assert_int_equal(stratum(RECORD_LARGE)->trialled[2], 0);
        assert_int_equal(stratum(RECORD_SMALL)->trialled[0], 55);
        assert_int_equal(stratum(RECORD_SMALL)->trialled[1], 40);
        assert_int_equal(stratum(RECORD_SMALL)->trialled[2], 55);
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            assert_trials((enum record_stratum_id)s, 0, CHUNKS);
            assert_trials((enum record_stratum_id)s, 1, 0);
            assert_trials((enum record_stratum_id)s, 2, 0);
        }
        assert_int_equal(atomic_load(&trials_run), 3 + 40 + 55);
        assert_true(world.control.cpu_s > 0.0);
    }
}

static void a_second_stage_goes_on_where_the_first_ended(void **state)
{
    (void)state;
    plan(RECORD_SMALL, 0, 10, 4);
    assert_true(run());
    for (size_t rank = 0; rank < 10; rank++) {
        stratum(RECORD_SMALL)->trials[1][rank].raw_bytes = MARK;
    }
    plan(RECORD_SMALL, 0, 30, 20);
    assert_true(run());
    assert_int_equal(stratum(RECORD_SMALL)->trialled[1], 30);
    assert_int_equal(stratum(RECORD_SMALL)->trialled[2], 20);
    assert_trials(RECORD_SMALL, 1, 10);
    assert_trials(RECORD_SMALL, 2, 0);
    assert_int_equal(atomic_load(&trials_run), 30 + 20);
}

static void progress_is_the_cost_of_the_bytes_trialled(void **state)
{
    (void)state;
    uint64_t expected = 0;
    plan(RECORD_SMALL, 0, 7, 9);
    for (size_t rank = 0; rank < 9; rank++) {
        uint32_t bytes = stratum(RECORD_SMALL)->chunks[rank].bytes;
        expected += (uint64_t)(bytes / 16) * (rank < 7 ? 2 : 1);
    }
    assert_true(run());
    assert_int_equal(atomic_load(&world.control.done_cost), expected);
}

static void nothing_planned_is_complete_at_once(void **state)
{
    (void)state;
    assert_true(run());
    assert_int_equal(atomic_load(&trials_run), 0);
    assert_int_equal(stratum(RECORD_SMALL)->trialled[1], 0);
}

/* With one worker the chunks are done in order: the 7th trial is the first of the 4th chunk. */
static void an_early_end_leaves_every_level_with_a_head(void **state)
{
    (void)state;
    plan(RECORD_SMALL, 0, 50, 50);
    stop_after = 7;
    assert_false(run());
    assert_int_equal(stratum(RECORD_SMALL)->trialled[0], 55);
    assert_int_equal(stratum(RECORD_SMALL)->trialled[1], 4);
    assert_int_equal(stratum(RECORD_SMALL)->trialled[2], 3);
    assert_trials(RECORD_SMALL, 1, 0);
    assert_trials(RECORD_SMALL, 2, 0);
}

/* Dear levels: the first large and two small chunks at one level before the next. */
static void an_early_end_leaves_every_stratum_with_a_head(void **state)
{
    (void)state;
    zstd_cost = 0.125;
    plan(RECORD_LARGE, 0, 5, 5);
    plan(RECORD_SMALL, 0, 50, 50);
    stop_after = 2 * (1 + 2);
    assert_false(run());
    for (size_t level = 1; level <= 2; level++) {
        assert_int_equal(stratum(RECORD_LARGE)->trialled[level], 1);
        assert_int_equal(stratum(RECORD_SMALL)->trialled[level], 2);
        assert_trials(RECORD_LARGE, level, 0);
        assert_trials(RECORD_SMALL, level, 0);
    }
}

static void seen_in_between(void *ctx, const struct record_population *now)
{
    struct record_population *copy = ctx;
    *copy = *now;
}

/* Asked for before the start, so that it comes at the first tick, whatever is done by then. */
static void a_look_in_between_changes_nothing(void **state)
{
    (void)state;
    static struct record_population seen;
    static atomic_int wanted;
    atomic_store(&wanted, 1);
    memset(&seen, 0, sizeof seen);
    world.control.jobs = 4;
    world.control.interim_wanted = &wanted;
    world.control.interim = seen_in_between;
    world.control.tick_ctx = &seen;
    plan(RECORD_LARGE, 0, 5, 5);
    plan(RECORD_SMALL, 0, 30, 55);
    assert_true(run());
    assert_int_equal(atomic_load(&wanted), 0);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *of = stratum((enum record_stratum_id)s);
        assert_ptr_equal(seen.strata[s].chunks, of->chunks);
        for (size_t level = 0; level <= 2; level++) {
            assert_true(seen.strata[s].trialled[level] <= of->trialled[level]);
        }
        assert_int_equal(of->trialled[2], world.counts[s][2]);
        assert_trials((enum record_stratum_id)s, 1, 0);
        assert_trials((enum record_stratum_id)s, 2, 0);
    }
}

/* Many workers end anywhere; whatever counts as trialled must be true, and no level ahead. */
static void an_early_end_of_many_workers_leaves_heads_too(void **state)
{
    (void)state;
    for (int after = 1; after < 120; after += 7) {
        (void)teardown(NULL);
        (void)setup(NULL);
        world.control.jobs = 4;
        plan(RECORD_LARGE, 0, 5, 5);
        plan(RECORD_SMALL, 0, 30, 55);
        stop_after = after;
        /* The last trials may all be under way when the end is asked for. */
        bool is_complete = run();
        assert_false(is_complete && after < 80);
        for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
            const struct record_stratum *of = stratum((enum record_stratum_id)s);
            assert_int_equal(of->trialled[0], of->chunk_count);
            assert_true(of->trialled[1] <= world.counts[s][1]);
            assert_true(of->trialled[2] <= world.counts[s][2]);
            assert_true(of->trialled[1] >= of->trialled[2] || of->trialled[1] == 30);
            assert_trials((enum record_stratum_id)s, 1, 0);
            assert_trials((enum record_stratum_id)s, 2, 0);
        }
        assert_int_equal(is_complete, stratum(RECORD_LARGE)->trialled[1] == 5 &&
                                          stratum(RECORD_LARGE)->trialled[2] == 5 &&
                                          stratum(RECORD_SMALL)->trialled[1] == 30 &&
                                          stratum(RECORD_SMALL)->trialled[2] == 55);
    }
}

static void an_end_before_the_start_keeps_what_there_was(void **state)
{
    (void)state;
    plan(RECORD_SMALL, 0, 10, 4);
    assert_true(run());
    atomic_store(&stop, 1);
    plan(RECORD_SMALL, 0, 50, 20);
    assert_false(run());
    assert_int_equal(stratum(RECORD_SMALL)->trialled[0], 55);
    assert_int_equal(stratum(RECORD_SMALL)->trialled[1], 10);
    assert_int_equal(stratum(RECORD_SMALL)->trialled[2], 4);
}

int main(void)
{
#define WITH_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_WORLD(levels_come_to_their_counts_and_old_trials_stay),
        WITH_WORLD(a_second_stage_goes_on_where_the_first_ended),
        WITH_WORLD(progress_is_the_cost_of_the_bytes_trialled),
        WITH_WORLD(nothing_planned_is_complete_at_once),
        WITH_WORLD(an_early_end_leaves_every_level_with_a_head),
        WITH_WORLD(an_early_end_leaves_every_stratum_with_a_head),
        WITH_WORLD(a_look_in_between_changes_nothing),
        WITH_WORLD(an_early_end_of_many_workers_leaves_heads_too),
        WITH_WORLD(an_end_before_the_start_keeps_what_there_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
