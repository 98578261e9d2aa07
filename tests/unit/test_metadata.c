/* SPDX-License-Identifier: BSD-2-Clause */
/* The population of packed items: whole, and scaled up from the part that was kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/items.h"
#include "scan/collect.h"
#include "session/metadata.h"
#include "support/borg1_setup.h"
#include "support/near.h"
#include "support/unit.h"

#define BLOCKS 400
#define ITEMS_A_BLOCK 50

struct world {
    struct record record;
    struct sample *sample;
    struct sample_config config;
    /** Of all items, whether kept or not. */
    uint64_t packed_bytes;
};

static struct world world;

static uint64_t any_csize(void *ctx, const struct record_chunk_ref *chunk)
{
    (void)ctx;
    return chunk->bytes;
}

static struct record_item make_item(enum record_item_type type, const char *name)
{
    return (struct record_item){.type = type,
                                .mode = 0100644,
                                .nlink = 1,
                                .name = name,
                                .user = "somebody",
                                .group = "anybody",
                                .mtime_ns = INT64_C(1600000000000000000),
                                .ctime_ns = INT64_C(1600000000000000000)};
}

/* A root "r" with one folder of files for each block, kept within `bytes_max`. */
static void collect(uint64_t bytes_max)
{
    struct scan_collector collector;
    scan_collector_init(&collector, bytes_max);
    struct record_item root = make_item(RECORD_ITEM_DIRECTORY, "r");
    assert_int_equal(scan_collect(&collector, "", 0, 0, &root, 1, NULL), CADV_OK);
    world.packed_bytes = target_borg1.pack_item(&root, "r", NULL, any_csize, NULL, NULL, 0);
    for (unsigned b = 0; b < BLOCKS; b++) {
        struct record_item items[ITEMS_A_BLOCK];
        char paths[ITEMS_A_BLOCK][32];
        for (unsigned i = 0; i < ITEMS_A_BLOCK; i++) {
            (void)snprintf(paths[i], sizeof paths[i], "r/file-%u-%u", b, i);
            items[i] = make_item(RECORD_ITEM_FILE, paths[i] + 2);
            world.packed_bytes +=
                target_borg1.pack_item(&items[i], paths[i], NULL, any_csize, NULL, NULL, 0);
        }
        assert_int_equal(scan_collect(&collector, "r", 0, b, items, ITEMS_A_BLOCK, NULL),
                         CADV_OK);
    }
    scan_collector_finish(&collector, &world.record.items);
    scan_collector_fini(&collector);
}

static int setup(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    record_init(&world.record);
    world.record.population_count = 1;
    world.record.populations[0].chunker = cadv_chunker_default();
    assert_int_equal(cadv_levels_add(&world.record.levels, "lz4", NULL), CADV_OK);
    world.config = (struct sample_config){.order_max = {SIZE_MAX, SIZE_MAX},
                                          .content_max = {SIZE_MAX, SIZE_MAX},
                                          .content_max_bytes = {UINT64_MAX, UINT64_MAX},
                                          .memory_max_bytes = UINT64_MAX,
                                          .spool_directory = "/tmp"};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sample_free(world.sample);
    record_fini(&world.record);
    return 0;
}

static const struct record_population *build(double lz4_ratio)
{
    struct target_setup setup = borg1_setup_of("none", NULL);
    assert_int_equal(metadata_build(&world.record, &target_borg1, &setup, lz4_ratio,
                                    &world.config, &world.sample, NULL),
                     CADV_OK);
    assert_int_equal(world.record.population_count, 2);
    const struct record_population *items = &world.record.populations[1];
    assert_int_equal(items->purpose, RECORD_METADATA);
    return items;
}

static void the_whole_stream_is_counted_to_the_byte(void **state)
{
    (void)state;
    collect(UINT64_MAX);
    assert_true(world.record.items.is_whole);
    const struct record_population *items = build(0.5);
    assert_int_equal(items->original_bytes, world.packed_bytes);
    assert_int_equal(world.record.items.packed_bytes, world.packed_bytes);
    assert_int_equal(record_unique_bytes(items), world.packed_bytes);
    assert_int_equal(items->total_chunks, record_unique_chunks(items));
    uint64_t bytes = 0;
    uint64_t chunks = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &items->strata[s];
        assert_near(stratum->threshold, 0.0, 0.0);
        assert_int_equal(stratum->chunk_count, stratum->unique_chunks);
        chunks += stratum->chunk_count;
        for (size_t rank = 0; rank < stratum->chunk_count; rank++) {
            bytes += stratum->chunks[rank].bytes;
        }
    }
    assert_int_equal(bytes, world.packed_bytes);
    /* Borg cuts items at 128 KiB on average, 32 KiB at least. */
    assert_in_range(chunks, world.packed_bytes / 400000, world.packed_bytes / 32768 + 1);
}

static void a_part_is_scaled_to_the_exact_bytes_of_all(void **state)
{
    (void)state;
    collect(1500000);
    assert_false(world.record.items.is_whole);
    assert_in_range(world.record.items.block_count, 20, BLOCKS / 2 + 50);
    world.record.items.packed_bytes = world.packed_bytes;
    const struct record_population *items = build(0.5);
    assert_int_equal(world.record.items.packed_bytes, world.packed_bytes);
    assert_int_equal(items->original_bytes, world.packed_bytes);
    assert_int_equal(record_unique_bytes(items), world.packed_bytes);
    assert_int_equal(items->total_chunks, record_unique_chunks(items));

    size_t seen = 0;
    uint64_t seen_bytes = 0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &items->strata[s];
        if (stratum->chunk_count == 0) {
            /* No chunk of this size was seen, so none is made up. */
            assert_int_equal(stratum->unique_chunks, 0);
            assert_int_equal(stratum->unique_bytes, 0);
            continue;
        }
        /* The chunks at hand are a sample now: there are more, and below a threshold. */
        assert_true(stratum->unique_chunks > stratum->chunk_count);
        assert_true(stratum->threshold > 0.0);
        for (size_t rank = 0; rank < stratum->chunk_count; rank++) {
            assert_true(stratum->chunks[rank].priority >= stratum->threshold);
            seen_bytes += stratum->chunks[rank].bytes;
        }
        seen += stratum->chunk_count;
    }
    double factor = (double)world.packed_bytes / (double)seen_bytes;
    assert_true(factor > 1.5);
    assert_near((double)items->total_chunks, factor * (double)seen, 2.0);
}

/* What little is kept makes one chunk that its end cut short; all are not many such. */
static void a_small_part_is_scaled_to_chunks_as_long_as_the_cutters(void **state)
{
    (void)state;
    collect(1);
    const uint64_t packed_bytes = 100000000;
    world.record.items.packed_bytes = packed_bytes;
    const struct record_population *items = build(0.5);
    assert_int_equal(items->original_bytes, packed_bytes);
    assert_in_range(items->total_chunks, packed_bytes >> 18, packed_bytes >> 17);
}

/* All items are there, but one has more chunks than it lists. */
static void a_stream_without_all_chunks_is_a_part_too(void **state)
{
    (void)state;
    collect(UINT64_MAX);
    world.record.items.unlisted_chunks = 1000;
    world.record.items.packed_bytes = world.packed_bytes + 38 * 1000;
    const struct record_population *items = build(0.5);
    assert_int_equal(items->original_bytes, world.packed_bytes + 38 * 1000);
    assert_int_equal(record_unique_bytes(items), items->original_bytes);
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &items->strata[s];
        assert_true(stratum->chunk_count == 0 || stratum->unique_chunks > stratum->chunk_count);
    }
}

/* What is kept notes stored sizes that are longer than those that were counted with. */
static void a_part_that_is_longer_than_all_was_counted_is_no_whole(void **state)
{
    (void)state;
    collect(UINT64_MAX);
    world.record.items.unlisted_chunks = 1;
    world.record.items.packed_bytes = world.packed_bytes - 100;
    const struct record_population *items = build(0.5);
    assert_int_equal(items->original_bytes, world.packed_bytes);
    const struct record_stratum *stratum = &items->strata[RECORD_SMALL];
    assert_true(stratum->chunk_count > 0);
    assert_int_equal(stratum->unique_chunks, stratum->chunk_count + 1);
    assert_true(stratum->threshold > 0.0);
}

/* Takes the built population away again. */
static void undo_build(void)
{
    struct record_population *items = &world.record.populations[1];
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        free(items->strata[s].chunks);
    }
    memset(items, 0, sizeof *items);
    world.record.population_count = 1;
    sample_free(world.sample);
    world.sample = NULL;
}

static void the_bytes_of_all_are_exact_whatever_their_number(void **state)
{
    (void)state;
    collect(1500000);
    for (uint64_t more = 0; more < 60; more++) {
        world.record.items.packed_bytes = world.packed_bytes + more * 104729;
        const struct record_population *items = build(0.5);
        assert_int_equal(items->original_bytes, world.record.items.packed_bytes);
        undo_build();
    }
}

/* The packed length of a chunk's reference depends on the stored size that it notes. */
static void stored_sizes_come_from_trials_or_else_from_the_ratio(void **state)
{
    (void)state;
    static const struct record_chunk_ref refs[2] = {{{1, 2}, 100000}, {{3, 4}, 100000}};
    struct record_item file = make_item(RECORD_ITEM_FILE, "f");
    file.chunks = refs;
    file.chunk_count = 2;
    struct scan_collector collector;
    scan_collector_init(&collector, UINT64_MAX);
    assert_int_equal(scan_collect(&collector, "", 0, 0, &file, 1, NULL), CADV_OK);
    scan_collector_finish(&collector, &world.record.items);
    scan_collector_fini(&collector);

    struct record_stratum *stratum = &world.record.populations[0].strata[RECORD_SMALL];
    stratum->chunks = calloc(1, sizeof *stratum->chunks);
    stratum->trials[0] = calloc(1, sizeof *stratum->trials[0]);
    assert_non_null(stratum->chunks);
    assert_non_null(stratum->trials[0]);
    stratum->chunks[0].digest = refs[0].digest;
    stratum->chunks[0].bytes = refs[0].bytes;
    stratum->trials[0][0].raw_bytes = 40;
    stratum->chunk_count = 1;
    stratum->unique_chunks = 2;
    stratum->trialled[0] = 1;

    /* With equal csizes of 5 bytes each; 40 and a header pack in 1, 500 and a header in 3. */
    size_t with_long = target_borg1.pack_item(&file, "f", NULL, any_csize, NULL, NULL, 0);
    const struct record_population *items = build(0.005);
    assert_int_equal(items->original_bytes, with_long - 4 - 2);
    uint8_t content[1000];
    assert_int_equal(sample_content_count(world.sample, RECORD_SMALL), 1);
    assert_in_range(items->original_bytes, 1, sizeof content);
    assert_int_equal(sample_read(world.sample, RECORD_SMALL, 0, content, NULL), CADV_OK);
}

static void no_items_make_an_empty_population(void **state)
{
    (void)state;
    world.record.items.is_whole = true;
    const struct record_population *items = build(0.5);
    assert_int_equal(items->original_bytes, 0);
    assert_int_equal(record_unique_chunks(items), 0);
    assert_int_equal(sample_content_count(world.sample, RECORD_SMALL), 0);
}

int main(void)
{
#define WITH_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_WORLD(the_whole_stream_is_counted_to_the_byte),
        WITH_WORLD(a_part_is_scaled_to_the_exact_bytes_of_all),
        WITH_WORLD(a_small_part_is_scaled_to_chunks_as_long_as_the_cutters),
        WITH_WORLD(a_stream_without_all_chunks_is_a_part_too),
        WITH_WORLD(a_part_that_is_longer_than_all_was_counted_is_no_whole),
        WITH_WORLD(the_bytes_of_all_are_exact_whatever_their_number),
        WITH_WORLD(stored_sizes_come_from_trials_or_else_from_the_ratio),
        WITH_WORLD(no_items_make_an_empty_population),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
