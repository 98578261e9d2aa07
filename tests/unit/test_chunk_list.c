/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunk lists of a block's files: in full while there is room, and counted beyond. */
#include <stdlib.h>
#include <string.h>

#include "record/items.h"
#include "scan/chunk_list.h"
#include "support/noise.h"
#include "support/unit.h"

/* A length that tells which chunk, and with which stored size, it is of. */
static size_t length_of(uint32_t chunk_bytes, uint64_t csize)
{
    return 10 * (size_t)chunk_bytes + csize;
}

/* A file of `count` chunks of 1, 2, 3 ... bytes. */
static struct record_item add_file(struct chunk_list *list, uint64_t links, size_t count)
{
    struct record_item item;
    memset(&item, 0, sizeof item);
    chunk_list_begin(list, links);
    for (size_t i = 1; i <= count; i++) {
        struct record_digest digest = {i, count};
        assert_int_equal(chunk_list_add(list, digest, (uint32_t)i, NULL), CADV_OK);
    }
    assert_int_equal(list->bytes, count * (count + 1) / 2);
    chunk_list_end(list, &item);
    return item;
}

/* Of a file by add_file(), after chunk_list_settle(). */
static void assert_lists(const struct record_item *item, size_t count, size_t listed)
{
    assert_int_equal(item->chunk_count, listed);
    for (size_t i = 0; i < listed; i++) {
        assert_int_equal(item->chunks[i].bytes, i + 1);
        assert_int_equal(item->chunks[i].digest.high, i + 1);
        assert_int_equal(item->chunks[i].digest.low, count);
    }
    size_t bytes = 0;
    for (size_t i = listed + 1; i <= count; i++) {
        bytes += i;
    }
    assert_int_equal(item->unlisted.chunks, count - listed);
    assert_int_equal(item->unlisted.bytes, bytes);
    assert_int_equal(item->unlisted.packed_bytes, 11 * bytes);
}

static void the_first_chunks_are_listed_and_the_others_counted(void **state)
{
    (void)state;
    for (size_t count = 0; count <= 12; count++) {
        struct chunk_list list;
        chunk_list_init(&list, 7, length_of);
        struct record_item item = add_file(&list, 1, count);
        chunk_list_settle(&list, &item, 1);
        assert_lists(&item, count, count < 7 ? count : 7);
        chunk_list_fini(&list);
    }
}

static void files_with_one_link_share_the_room_until_the_next_block(void **state)
{
    (void)state;
    struct chunk_list list;
    chunk_list_init(&list, 10, length_of);
    for (size_t block = 0; block < 3; block++) {
        chunk_list_clear(&list);
        struct record_item items[] = {add_file(&list, 1, 4), add_file(&list, 1, 5),
                                      add_file(&list, 1, 3), add_file(&list, 1, 2)};
        chunk_list_settle(&list, items, 4);
        assert_lists(&items[0], 4, 4);
        assert_lists(&items[1], 5, 5);
        assert_lists(&items[2], 3, 1);
        assert_lists(&items[3], 2, 0);
    }
    chunk_list_fini(&list);
}

/* Which link is read is chance: what others list must not depend on it. */
static void linked_files_take_no_room_from_others(void **state)
{
    (void)state;
    struct chunk_list list;
    chunk_list_init(&list, 10, length_of);
    struct record_item items[] = {add_file(&list, 2, 6), add_file(&list, 1, 9),
                                  add_file(&list, 3, 6), add_file(&list, 1, 9)};
    chunk_list_settle(&list, items, 4);
    assert_lists(&items[0], 6, 6);
    assert_lists(&items[1], 9, 9);
    assert_lists(&items[2], 6, 4);
    assert_lists(&items[3], 9, 1);
    chunk_list_fini(&list);
}

static void what_has_no_content_lists_nothing(void **state)
{
    (void)state;
    struct chunk_list list;
    chunk_list_init(&list, 3, length_of);
    struct record_item items[3];
    memset(items, 0, sizeof items);
    items[0] = add_file(&list, 2, 5);
    chunk_list_end(&list, &items[1]);
    items[2] = add_file(&list, 1, 1);
    chunk_list_settle(&list, items, 3);
    assert_lists(&items[0], 5, 3);
    assert_lists(&items[1], 0, 0);
    assert_lists(&items[2], 1, 1);
    chunk_list_fini(&list);
}

/* Any files: nothing is lost, and the memory has an end. */
static void all_chunks_are_listed_or_counted(void **state)
{
    (void)state;
    struct noise noise = {7};
    struct chunk_list list;
    chunk_list_init(&list, 100, length_of);
    for (size_t block = 0; block < 300; block++) {
        struct record_item items[20];
        size_t counts[20];
        size_t listed[2] = {0, 0};
        chunk_list_clear(&list);
        for (size_t i = 0; i < 20; i++) {
            uint64_t links = 1 + noise_next(&noise) % 2;
            counts[i] = noise_next(&noise) % 40;
            items[i] = add_file(&list, links, counts[i]);
            listed[links - 1] += items[i].chunk_count;
            assert_true(items[i].unlisted.chunks == 0 || listed[links - 1] == 100);
        }
        chunk_list_settle(&list, items, 20);
        for (size_t i = 0; i < 20; i++) {
            assert_lists(&items[i], counts[i], items[i].chunk_count);
        }
        assert_true(list.capacity <= 300);
    }
    chunk_list_fini(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_chunks_are_listed_and_the_others_counted),
        cmocka_unit_test(files_with_one_link_share_the_room_until_the_next_block),
        cmocka_unit_test(linked_files_take_no_room_from_others),
        cmocka_unit_test(what_has_no_content_lists_nothing),
        cmocka_unit_test(all_chunks_are_listed_or_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
