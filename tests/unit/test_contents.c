/* SPDX-License-Identifier: BSD-2-Clause */
/* The store of chunk contents, and the heap that says whose contents go first. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sample/contents.h"
#include "sample/heap.h"
#include "support/noise.h"
#include "support/tempdir.h"
#include "support/unit.h"

#define CONTENTS 40
#define BYTES_MAX 20000

static size_t make_content(unsigned seed, uint8_t *data)
{
    struct noise noise = {.state = seed};
    size_t bytes = 1 + (size_t)noise_below(&noise, BYTES_MAX);
    for (size_t i = 0; i < bytes; i++) {
        data[i] = (uint8_t)noise_next(&noise);
    }
    return bytes;
}

static void assert_reads_back(const struct contents *store, const struct content *content,
                              unsigned seed)
{
    static uint8_t expected[BYTES_MAX];
    static uint8_t found[BYTES_MAX];
    size_t bytes = make_content(seed, expected);
    assert_int_equal(content->bytes, bytes);
    assert_int_equal(contents_read(store, content, found), 0);
    assert_memory_equal(found, expected, bytes);
}

static void put_all(struct contents *store, struct content *contents)
{
    static uint8_t data[BYTES_MAX];
    for (unsigned i = 0; i < CONTENTS; i++) {
        uint32_t bytes = (uint32_t)make_content(i, data);
        assert_true(contents_put(store, data, bytes, &contents[i]));
        assert_true(store->memory_bytes <= store->memory_max_bytes);
    }
    memset(data, 0, sizeof data);
}

static void contents_come_back_whether_in_memory_or_in_the_file(void **state)
{
    (void)state;
    static const uint64_t caps[] = {0, 1, 30000, 150000, UINT64_MAX};
    for (size_t c = 0; c < sizeof caps / sizeof caps[0]; c++) {
        struct tempdir dir;
        tempdir_init(&dir);
        struct contents store;
        struct content contents[CONTENTS];
        contents_init(&store, caps[c], dir.path);
        put_all(&store, contents);
        assert_int_equal(store.spool_fd >= 0, caps[c] != UINT64_MAX);
        for (unsigned i = 0; i < CONTENTS; i += 2) {
            contents_drop(&store, &contents[i]);
        }
        for (unsigned i = 1; i < CONTENTS; i += 2) {
            assert_reads_back(&store, &contents[i], i);
            contents_drop(&store, &contents[i]);
        }
        assert_int_equal(store.memory_bytes, 0);
        assert_int_equal(store.spool_errno, 0);
        contents_fini(&store);
        tempdir_fini(&dir);
    }
}

static void the_temporary_file_has_no_name(void **state)
{
    (void)state;
    struct tempdir dir;
    tempdir_init(&dir);
    struct contents store;
    struct content content;
    contents_init(&store, 0, dir.path);
    assert_true(contents_put(&store, (const uint8_t *)"data", 4, &content));
    assert_true(store.spool_fd >= 0);
    assert_int_equal(tempdir_count(&dir), 0);
    contents_drop(&store, &content);
    contents_fini(&store);
    tempdir_fini(&dir);
}

static void room_in_memory_that_was_given_back_is_used_again(void **state)
{
    (void)state;
    struct contents store;
    struct content first;
    struct content second;
    contents_init(&store, 4, "/nowhere/at/all");
    assert_true(contents_put(&store, (const uint8_t *)"abcd", 4, &first));
    assert_false(contents_put(&store, (const uint8_t *)"x", 1, &second));
    assert_int_equal(store.spool_errno, ENOENT);
    contents_drop(&store, &first);
    assert_true(contents_put(&store, (const uint8_t *)"efgh", 4, &second));
    uint8_t found[4];
    assert_int_equal(contents_read(&store, &second, found), 0);
    assert_memory_equal(found, "efgh", 4);
    contents_drop(&store, &second);
    contents_fini(&store);
}

static bool comes_before(const struct record_chunk *a, const struct record_chunk *b)
{
    if (a->priority < b->priority || a->priority > b->priority) {
        return a->priority < b->priority;
    }
    return a->digest.high != b->digest.high ? a->digest.high < b->digest.high
                                            : a->digest.low < b->digest.low;
}

static void the_heap_gives_the_lowest_first_and_parts_ties_by_digest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct noise noise = {seed};
        struct sample_heap heap = {0};
        for (size_t i = 0; i < 500; i++) {
            struct sample_entry *entry = calloc(1, sizeof *entry);
            assert_non_null(entry);
            entry->chunk.priority = (double)noise_below(&noise, 40);
            entry->chunk.digest.high = noise_below(&noise, 3);
            entry->chunk.digest.low = i;
            assert_true(sample_heap_push(&heap, entry));
        }
        struct record_chunk before = {.priority = -1.0};
        for (size_t left = 500; left > 0; left--) {
            assert_int_equal(heap.count, left);
            const struct sample_entry *top = sample_heap_top(&heap);
            struct sample_entry *popped = sample_heap_pop(&heap);
            assert_ptr_equal(popped, top);
            assert_true(comes_before(&before, &popped->chunk));
            before = popped->chunk;
            free(popped);
        }
        sample_heap_fini(&heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_come_back_whether_in_memory_or_in_the_file),
        cmocka_unit_test(the_temporary_file_has_no_name),
        cmocka_unit_test(room_in_memory_that_was_given_back_is_used_again),
        cmocka_unit_test(the_heap_gives_the_lowest_first_and_parts_ties_by_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
