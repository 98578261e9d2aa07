/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of items: deep copies, and what they take. */
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
    items[0].unlisted = (struct record_unlisted){.chunks = 9, .bytes = 99, .packed_bytes = 999};
    assert_int_equal(record_item_block_init(&block, directory, 3, 4, items, 3), CADV_OK);
    memset(directory, 'x', sizeof directory - 1);
    memset(name, 'x', sizeof name - 1);
    memset(target, 'x', sizeof target - 1);
    memset(user, 'x', sizeof user - 1);
    memset(group, 'x', sizeof group - 1);
    memset(chunks, 0, sizeof chunks);
    memset(items, 0, sizeof items);

    assert_string_equal(block.directory, "home/\xff");
    assert_int_equal(block.root, 3);
    assert_int_equal(block.sequence, 4);
    assert_int_equal(block.item_count, 3);
    assert_string_equal(block.items[0].name, "name");
    assert_int_equal(block.items[0].chunk_count, 2);
    assert_int_equal(block.items[0].chunks[0].digest.low, 2);
    assert_int_equal(block.items[0].chunks[1].digest.high, 4);
    assert_int_equal(block.items[0].chunks[1].bytes, 6);
    assert_int_equal(block.items[0].unlisted.chunks, 9);
    assert_int_equal(block.items[0].unlisted.bytes, 99);
    assert_int_equal(block.items[0].unlisted.packed_bytes, 999);
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

static struct record_item_block block_of(const struct record_item *items, size_t count)
{
    struct record_item_block block;
    assert_int_equal(record_item_block_init(&block, "d", 0, 0, items, count), CADV_OK);
    return block;
}

static void lists_of_linked_files_are_counted_apart(void **state)
{
    (void)state;
    static struct record_chunk_ref chunks[1000];
    struct record_item empty[2] = {make_file("a", NULL, 0, 1), make_file("b", NULL, 0, 2)};
    struct record_item own[2] = {make_file("a", chunks, 1000, 1), make_file("b", NULL, 0, 2)};
    struct record_item linked[2] = {make_file("a", NULL, 0, 1),
                                    make_file("b", chunks, 1000, 2)};
    struct record_item_block least = block_of(empty, 2);
    struct record_item_block with_own = block_of(own, 2);
    struct record_item_block with_linked = block_of(linked, 2);
    assert_true(least.memory_bytes >=
                2 * sizeof empty[0] + strlen("a") + strlen("b") + strlen("d") + 3);
    assert_int_equal(least.linked_bytes, 0);
    assert_int_equal(with_own.memory_bytes, least.memory_bytes + 1000 * sizeof chunks[0]);
    assert_int_equal(with_own.linked_bytes, 0);
    assert_int_equal(with_linked.memory_bytes, least.memory_bytes);
    assert_int_equal(with_linked.linked_bytes, 1000 * sizeof chunks[0]);
    record_item_block_fini(&least);
    record_item_block_fini(&with_own);
    record_item_block_fini(&with_linked);
}

static void lists_of_linked_files_are_cut_and_all_else_stays(void **state)
{
    (void)state;
    static const struct record_chunk_ref chunks[3] = {{{1, 2}, 3}, {{4, 5}, 6}, {{7, 8}, 9}};
    static const size_t left[] = {SIZE_MAX, 3, 2, 2, 0, 5};
    static const size_t listed[] = {3, 3, 2, 2, 0, 0};
    static const uint64_t unlisted_bytes[] = {0, 0, 9, 9, 18, 18};
    struct record_item items[] = {make_file("a", chunks, 3, 2), make_file("b", chunks, 3, 1),
                                  make_file("c", NULL, 0, 3)};
    struct record_item_block block = block_of(items, 3);
    size_t bytes = block.memory_bytes;
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        assert_int_equal(record_item_block_trim_linked(&block, left[i]), CADV_OK);
        assert_int_equal(block.memory_bytes, bytes);
        assert_int_equal(block.linked_bytes, listed[i] * sizeof chunks[0]);
        assert_string_equal(block.directory, "d");
        assert_int_equal(block.item_count, 3);
        assert_string_equal(block.items[0].name, "a");
        assert_int_equal(block.items[0].chunk_count, listed[i]);
        assert_memory_equal(block.items[0].chunks, chunks, listed[i] * sizeof chunks[0]);
        assert_int_equal(block.items[0].unlisted.chunks, 3 - listed[i]);
        assert_int_equal(block.items[0].unlisted.bytes, unlisted_bytes[i]);
        assert_string_equal(block.items[1].name, "b");
        assert_int_equal(block.items[1].chunk_count, 3);
        assert_memory_equal(block.items[1].chunks, chunks, sizeof chunks);
        assert_string_equal(block.items[2].name, "c");
    }
    record_item_block_fini(&block);
}

static void items_are_complete_when_all_are_there_and_list_all(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    assert_true(record_items_are_complete(&items));
    items.unlisted_chunks = 1;
    assert_false(record_items_are_complete(&items));
    items = (struct record_items){.is_whole = false};
    assert_false(record_items_are_complete(&items));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_a_copy_that_outlives_its_source),
        cmocka_unit_test(lists_of_linked_files_are_counted_apart),
        cmocka_unit_test(lists_of_linked_files_are_cut_and_all_else_stays),
        cmocka_unit_test(items_are_complete_when_all_are_there_and_list_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
