/* SPDX-License-Identifier: BSD-2-Clause */
/* Which blocks of items a collector keeps, whatever the order and the number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/items.h"
#include "scan/collect.h"
#include "support/crowd.h"
#include "support/noise.h"
#include "support/shuffle.h"
#include "support/unit.h"

#define BLOCKS 600
#define THREADS 4
#define LINKED_CHUNKS 200

struct world {
    struct scan_collector collector;
    size_t order[BLOCKS];
    size_t threads;
    /** Each block has a file with two links; which of two blocks lists its chunks is drawn. */
    size_t linked_chunks;
    bool is_second[BLOCKS / 2];
    enum cadv_status outcomes[THREADS];
};

/* What a collector ended with. */
struct kept {
    bool is_kept[BLOCKS];
    size_t count;
    uint64_t bytes;
    uint64_t linked_chunks;
    uint64_t unlisted_chunks;
    bool is_whole;
};

/* Block `number`: its place and its size are functions of the number, but for what it lists of a
 * linked file. */
static enum cadv_status collect(struct scan_collector *collector, size_t number,
                                size_t linked_chunks)
{
    static const struct record_chunk_ref chunks[LINKED_CHUNKS];
    static const char names[] = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn";
    struct record_item items[8];
    char directory[32];
    (void)snprintf(directory, sizeof directory, "dir/%zu", number / 6);
    size_t count = 1 + number % 8;
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct record_item){.name = names + number % 50, .ino = number};
    }
    items[0].nlink = 2;
    items[0].chunks = chunks;
    items[0].chunk_count = linked_chunks;
    return scan_collect(collector, directory, (uint32_t)(number / 3 % 2),
                        (uint32_t)(number % 3), items, count, NULL);
}

static void collect_share(size_t thread, void *ctx)
{
    struct world *world = ctx;
    for (size_t i = thread; i < BLOCKS; i += world->threads) {
        size_t number = world->order[i];
        bool is_listed = world->is_second[number / 2] == (number % 2 == 1);
        enum cadv_status status =
            collect(&world->collector, number, is_listed ? world->linked_chunks : 0);
        if (status != CADV_OK) {
            world->outcomes[thread] = status;
        }
    }
}

static struct kept run_linked(uint64_t bytes_max, uint64_t seed, size_t threads,
                              size_t linked_chunks)
{
    static struct world world;
    memset(&world, 0, sizeof world);
    struct noise noise = {seed};
    shuffle(&noise, world.order, BLOCKS);
    world.linked_chunks = linked_chunks;
    for (size_t i = 0; i < BLOCKS / 2; i++) {
        world.is_second[i] = noise_below(&noise, 2) == 1;
    }
    world.threads = threads;
    scan_collector_init(&world.collector, bytes_max);
    crowd_run(threads, collect_share, &world);
    for (size_t t = 0; t < threads; t++) {
        assert_int_equal(world.outcomes[t], CADV_OK);
    }
    struct record_items items = {0};
    scan_collector_finish(&world.collector, &items);
    scan_collector_fini(&world.collector);

    struct kept kept = {.count = items.block_count,
                        .unlisted_chunks = items.unlisted_chunks,
                        .is_whole = items.is_whole};
    for (size_t i = 0; i < items.block_count; i++) {
        const struct record_item_block *block = &items.blocks[i];
        size_t number = block->items[0].ino;
        assert_in_range(number, 0, BLOCKS - 1);
        assert_int_equal(block->item_count, 1 + number % 8);
        assert_int_equal(block->sequence, number % 3);
        assert_false(kept.is_kept[number]);
        kept.is_kept[number] = true;
        kept.bytes += block->memory_bytes;
        kept.linked_chunks += block->linked_bytes / sizeof(struct record_chunk_ref);
    }
    record_items_fini(&items);
    return kept;
}

static struct kept run(uint64_t bytes_max, uint64_t seed, size_t threads)
{
    return run_linked(bytes_max, seed, threads, 0);
}

static void all_blocks_are_kept_while_they_fit(void **state)
{
    (void)state;
    struct kept all = run(UINT64_MAX, 1, 1);
    assert_int_equal(all.count, BLOCKS);
    assert_true(all.is_whole);
    struct kept exact = run(all.bytes, 2, 1);
    assert_int_equal(exact.count, BLOCKS);
    assert_true(exact.is_whole);
    struct kept short_of_one = run(all.bytes - 1, 2, 1);
    assert_in_range(short_of_one.count, 1, BLOCKS - 1);
    assert_false(short_of_one.is_whole);
}

static void the_same_blocks_are_kept_in_any_order(void **state)
{
    (void)state;
    uint64_t all = run(UINT64_MAX, 1, 1).bytes;
    for (uint64_t share = 2; share <= 300; share = share * 3 / 2) {
        struct kept first = run(all / share, 1, 1);
        assert_false(first.is_whole);
        assert_true(first.bytes <= all / share);
        for (uint64_t seed = 2; seed <= 12; seed++) {
            struct kept other = run(all / share, seed, seed % 2 == 0 ? 1 : THREADS);
            assert_memory_equal(first.is_kept, other.is_kept, sizeof first.is_kept);
            assert_int_equal(other.is_whole, first.is_whole);
        }
    }
}

/* Lists of linked files are there while all fits, then their heads, then none: they drive out no
 * block, and which block has them is of no matter. */
static void lists_of_linked_files_go_first_and_together(void **state)
{
    (void)state;
    const uint64_t heads = (uint64_t)BLOCKS / 2 * SCAN_LINKED_HEAD;
    struct kept all = run_linked(UINT64_MAX, 1, 1, LINKED_CHUNKS);
    assert_int_equal(all.bytes, run(UINT64_MAX, 1, 1).bytes);
    assert_int_equal(all.linked_chunks, BLOCKS / 2 * LINKED_CHUNKS);
    const uint64_t ref = sizeof(struct record_chunk_ref);
    const struct {
        uint64_t cap;
        uint64_t linked_chunks;
        bool is_whole;
    } cases[] = {{all.bytes + all.linked_chunks * ref, all.linked_chunks, true},
                 {all.bytes + all.linked_chunks * ref - 1, heads, true},
                 {all.bytes + heads * ref, heads, true},
                 {all.bytes + heads * ref - 1, 0, false},
                 {all.bytes, 0, false},
                 {all.bytes - 1, 0, false},
                 {all.bytes / 5, 0, false}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct kept without = run(cases[c].cap, 1, 1);
        for (uint64_t seed = 2; seed <= 12; seed++) {
            size_t threads = seed % 2 == 0 ? 1 : THREADS;
            struct kept other = run_linked(cases[c].cap, seed, threads, LINKED_CHUNKS);
            assert_memory_equal(without.is_kept, other.is_kept, sizeof without.is_kept);
            assert_int_equal(other.is_whole, cases[c].is_whole);
            assert_int_equal(other.linked_chunks, cases[c].linked_chunks);
            assert_true(other.bytes + other.linked_chunks * ref <= cases[c].cap);
            assert_int_equal(other.unlisted_chunks == 0, c == 0);
            assert_true(c > 2 ||
                        other.unlisted_chunks == all.linked_chunks - other.linked_chunks);
        }
    }
}

/* Halving the places halves what they hold, so about half of the cap or more is used: less would
   say that it was halved once too often. A quarter allows for the scatter of 40 blocks. */
static void the_cap_is_used(void **state)
{
    (void)state;
    uint64_t all = run(UINT64_MAX, 1, 1).bytes;
    for (uint64_t share = 2; share <= 16; share++) {
        assert_true(run(all / share, 1, 1).bytes >= all / share / 4);
    }
}

static void a_block_larger_than_the_cap_is_kept_alone(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        assert_true(run(1, seed, 1).count <= 1);
    }
    struct scan_collector collector;
    scan_collector_init(&collector, 1);
    assert_int_equal(collect(&collector, 5, LINKED_CHUNKS), CADV_OK);
    assert_int_equal(collector.count, 1);
    assert_true(collector.is_whole);
    scan_collector_fini(&collector);
}

static void no_items_make_no_block(void **state)
{
    (void)state;
    struct scan_collector collector;
    struct record_item none;
    memset(&none, 0, sizeof none);
    scan_collector_init(&collector, 1000000);
    assert_int_equal(scan_collect(&collector, "d", 0, 0, &none, 0, NULL), CADV_OK);
    assert_int_equal(collector.count, 0);
    assert_true(collector.is_whole);
    scan_collector_fini(&collector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_blocks_are_kept_while_they_fit),
        cmocka_unit_test(the_same_blocks_are_kept_in_any_order),
        cmocka_unit_test(lists_of_linked_files_go_first_and_together),
        cmocka_unit_test(the_cap_is_used),
        cmocka_unit_test(a_block_larger_than_the_cap_is_kept_alone),
        cmocka_unit_test(no_items_make_no_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
