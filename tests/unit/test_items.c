/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of items: deep copies with a bound. */
#include <stdlib.h>
#include <string.h>

#include "record/items.h"
#include "support/unit.h"

static struct record_item make_file(const char *name, const struct record_chunk_ref *chunks,
                                    size_t chunk_count, uint64_t nlink)
{
    return (struct record_item){.type = RECORD_ITEM_FILE,
                                .nlink = nlink,
                                .name = name,
                                .chunks = chunks,
                                .chunk_count = chunk_count};
}

static void a_block_is_a_copy_that_outlives_its_source(void **state)
{
    (void)state;
    char directory[] = "home/\xff";
    char name[] = "name";
    char target[] = "to/where";
    char user[] = "me";
    char group[] = "us";
    struct record_chunk_ref chunks[2] = {{.digest = {1, 2}, .bytes = 3},
                                         {.digest = {4, 5}, .bytes = 6}};
    struct record_item items[3] = {
        make_file(name, chunks, 2, 1),
        {.type = RECORD_ITEM_SYMLINK, .name = name, .link_target = target},
        {.type = RECORD_ITEM_DIRECTORY, .name = name, .user = user, .group = group, .ino = 77},
    };
    struct record_item_block block;
    bool is_cut = false;
    assert_int_equal(record_item_block_init(&block, directory, 3, 4, items, 3, &is_cut),
                     CADV_OK);
    memset(directory, 'x', sizeof directory - 1);
    memset(name, 'x', sizeof name - 1);
    memset(target, 'x', sizeof target - 1);
    memset(user, 'x', sizeof user - 1);
    memset(group, 'x', sizeof group - 1);
    memset(chunks, 0, sizeof chunks);
    memset(items, 0, sizeof items);

    assert_false(is_cut);
    assert_string_equal(block.directory, "home/\xff");
    assert_int_equal(block.root, 3);
    assert_int_equal(block.sequence, 4);
    assert_int_equal(block.item_count, 3);
    assert_string_equal(block.items[0].name, "name");
    assert_int_equal(block.items[0].chunk_count, 2);
    assert_int_equal(block.items[0].chunks[0].digest.low, 2);
    assert_int_equal(block.items[0].chunks[1].digest.high, 4);
    assert_int_equal(block.items[0].chunks[1].bytes, 6);
    assert_null(block.items[0].link_target);
    assert_null(block.items[0].user);
    assert_string_equal(block.items[1].link_target, "to/where");
    assert_int_equal(block.items[1].chunk_count, 0);
    assert_string_equal(block.items[2].user, "me");
    assert_string_equal(block.items[2].group, "us");
    assert_int_equal(block.items[2].ino, 77);
    record_item_block_fini(&block);
    assert_null(block.storage);
    record_item_block_fini(&block);
}

static size_t memory_of(const struct record_item *items, size_t count, bool *is_cut)
{
    struct record_item_block block;
    assert_int_equal(record_item_block_init(&block, "d", 0, 0, items, count, is_cut), CADV_OK);
    size_t bytes = block.memory_bytes;
    record_item_block_fini(&block);
    return bytes;
}

static void the_memory_of_a_block_counts_all_but_lists_of_linked_files(void **state)
{
    (void)state;
    static struct record_chunk_ref chunks[1000];
    bool is_cut = false;
    struct record_item empty[2] = {make_file("a", NULL, 0, 1), make_file("b", NULL, 0, 2)};
    struct record_item own[2] = {make_file("a", chunks, 1000, 1), make_file("b", NULL, 0, 2)};
    struct record_item linked[2] = {make_file("a", NULL, 0, 1),
                                    make_file("b", chunks, 1000, 2)};
    size_t least = memory_of(empty, 2, &is_cut);
    assert_true(least >= 2 * sizeof empty[0] + strlen("a") + strlen("b") + strlen("d") + 3);
    assert_int_equal(memory_of(own, 2, &is_cut), least + 1000 * sizeof chunks[0]);
    assert_int_equal(memory_of(linked, 2, &is_cut), least);
    assert_false(is_cut);
}

static void lists_beyond_the_bound_are_cut_and_keep_their_heads(void **state)
{
    (void)state;
    const size_t count = RECORD_BLOCK_MAX_BYTES / sizeof(struct record_chunk_ref);
    struct record_chunk_ref *chunks = calloc(count, sizeof *chunks);
    assert_non_null(chunks);
    for (size_t i = 0; i < count; i++) {
        chunks[i].bytes = (uint32_t)i;
    }
    bool is_cut = false;
    struct record_item items[3] = {make_file("a", chunks, count, 1),
                                   make_file("b", chunks, 7, 1), make_file("c", chunks, 0, 1)};
    (void)memory_of(items, 1, &is_cut);
    assert_false(is_cut);

    struct record_item_block block;
    assert_int_equal(record_item_block_init(&block, "d", 0, 0, items, 3, &is_cut), CADV_OK);
    assert_true(is_cut);
    assert_in_range(block.items[0].chunk_count, count / 4, count - 1);
    assert_int_equal(block.items[1].chunk_count, 7);
    assert_int_equal(block.items[2].chunk_count, 0);
    for (size_t i = 0; i < block.items[0].chunk_count; i++) {
        assert_int_equal(block.items[0].chunks[i].bytes, i);
    }
    assert_int_equal(block.items[1].chunks[6].bytes, 6);
    assert_true(block.memory_bytes <= RECORD_BLOCK_MAX_BYTES + 3 * sizeof items[0] + 100);
    record_item_block_fini(&block);
    free(chunks);
}

/* Which link carries the list is chance, so it must not decide whether a block is whole. */
static void lists_of_linked_files_are_not_cut(void **state)
{
    (void)state;
    const size_t count = RECORD_BLOCK_MAX_BYTES / sizeof(struct record_chunk_ref) + 10;
    struct record_chunk_ref *chunks = calloc(count, sizeof *chunks);
    assert_non_null(chunks);
    bool is_cut = false;
    struct record_item item = make_file("a", chunks, count, 2);
    assert_true(memory_of(&item, 1, &is_cut) < 1000);
    assert_false(is_cut);
    free(chunks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_a_copy_that_outlives_its_source),
        cmocka_unit_test(the_memory_of_a_block_counts_all_but_lists_of_linked_files),
        cmocka_unit_test(lists_beyond_the_bound_are_cut_and_keep_their_heads),
        cmocka_unit_test(lists_of_linked_files_are_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
