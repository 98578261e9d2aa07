/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_borg1_items.c - packed items of Borg 1.x: lengths by the format's arithmetic, and one
 * item byte by byte. The oracle test compares whole streams with real ones.
 */
#include "support/unit.h"

#include <string.h>

#include "target/borg1.h"

/* A time that needs 9 bytes. */
#define TIME_NS INT64_C(1600000000000000000)

static uint64_t csize_is_half(void *ctx, const struct record_chunk_ref *chunk)
{
    (void)ctx;
    return chunk->bytes / 2;
}

static size_t packed(const struct record_item *item, const char *path, const char *source)
{
    return borg1_pack_item(item, path, source, csize_is_half, NULL, NULL, 0);
}

static struct record_item item_of(enum record_item_type type)
{
    return (struct record_item){.type = type,
                                .mode = 0100644, /* 3 bytes */
                                .nlink = 1,
                                .mtime_ns = TIME_NS,
                                .ctime_ns = TIME_NS,
                                .user = "root",
                                .group = "root"};
}

static void empty_file_has_the_length_of_its_fields(void **state)
{
    (void)state;
    struct record_item item = item_of(RECORD_ITEM_FILE);

    /* 95 + path 1+3 + gid, uid, size 1 each + names 4 + 4. */
    assert_int_equal(packed(&item, "a/b", NULL), 95 + 4 + 3 + 8);
}

static void chunk_adds_36_and_two_sizes(void **state)
{
    (void)state;
    const struct record_chunk_ref chunks[16] = {
        {{1, 2}, 100},    /* 1 + 1 */
        {{3, 4}, 300},    /* 3 + 2: half is 150 */
        {{5, 6}, 100000}, /* 5 + 3 */
    };
    struct record_item item = item_of(RECORD_ITEM_FILE);
    size_t empty = packed(&item, "a", NULL);

    item.chunks = chunks;
    item.chunk_count = 1;
    assert_int_equal(packed(&item, "a", NULL), empty + 36 + 1 + 1);
    item.chunk_count = 3; /* size 100400 needs 5 */
    assert_int_equal(packed(&item, "a", NULL), empty + 4 + 3 * 36 + 2 + 5 + 8);
    item.chunk_count = 15;
    assert_int_equal(packed(&item, "a", NULL), empty + 4 + 15 * 36 + 15 + 12 * 2);
    item.chunk_count = 16; /* the array's head grows to 3 */
    assert_int_equal(packed(&item, "a", NULL), empty + 4 + 16 * 36 + 15 + 13 * 2 + 2);
}

static void a_chunk_by_itself_has_the_length_that_it_adds(void **state)
{
    (void)state;
    static const struct {
        uint32_t bytes;
        uint64_t csize;
        size_t packed;
    } cases[] = {{1, 4, 36 + 1 + 1},
                 {127, 128, 36 + 1 + 2},
                 {128, 127, 36 + 2 + 1},
                 {255, 256, 36 + 2 + 3},
                 {65535, 65536, 36 + 3 + 5},
                 {65536, 255, 36 + 5 + 2},
                 {8388608, 9000000000, 36 + 5 + 9}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(borg1_pack_chunk(cases[i].bytes, cases[i].csize), cases[i].packed);
    }
}

/* The head of the list and the size are of all chunks, wherever the list ends. */
static void with_entries_for_what_is_not_listed_the_length_is_that_of_all(void **state)
{
    (void)state;
    static struct record_chunk_ref chunks[70000];
    static const size_t counts[] = {1, 15, 16, 17, 400, 70000};

    for (size_t i = 0; i < 70000; i++) {
        chunks[i] = (struct record_chunk_ref){{i, i + 1}, (uint32_t)(1 + i * i % 200000)};
    }
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct record_item item = item_of(RECORD_ITEM_FILE);
        item.chunks = chunks;
        item.chunk_count = counts[c];
        size_t all = packed(&item, "a", NULL);
        for (size_t listed = counts[c]; listed > 0; listed /= 2) {
            size_t entries = 0;
            item.chunk_count = listed - 1;
            item.unlisted = (struct record_unlisted){.chunks = counts[c] - item.chunk_count};
            for (size_t i = item.chunk_count; i < counts[c]; i++) {
                item.unlisted.bytes += chunks[i].bytes;
                entries += borg1_pack_chunk(chunks[i].bytes, csize_is_half(NULL, &chunks[i]));
            }
            assert_int_equal(packed(&item, "a", NULL) + entries, all);
        }
    }
}

static void directory_has_no_content_and_no_link_mark(void **state)
{
    (void)state;
    struct record_item item = item_of(RECORD_ITEM_DIRECTORY);

    item.nlink = 7;
    /* 65 + gid 1 + uid 1 + names 8 + path 1+1. */
    assert_int_equal(packed(&item, "d", NULL), 65 + 2 + 8 + 2);
}

static void other_types_add_to_a_directory_what_they_have(void **state)
{
    (void)state;
    struct record_item directory = item_of(RECORD_ITEM_DIRECTORY);
    struct record_item symlink = item_of(RECORD_ITEM_SYMLINK);
    struct record_item fifo = item_of(RECORD_ITEM_FIFO);
    struct record_item device = item_of(RECORD_ITEM_DEVICE);
    struct record_item file = item_of(RECORD_ITEM_FILE);
    size_t base = packed(&directory, "x", NULL);

    symlink.link_target = "to";
    device.rdev = 259; /* 3 bytes */
    file.nlink = 2;
    assert_int_equal(packed(&symlink, "x", NULL), base + 7 + 3);
    assert_int_equal(packed(&fifo, "x", NULL), base + 17);
    assert_int_equal(packed(&device, "x", NULL), base + 17 + 5 + 3);
    assert_int_equal(packed(&file, "x", "first"), base + 7 + 6);
    assert_int_equal(packed(&fifo, "x", "first"), base + 7 + 6);
    assert_int_equal(packed(&device, "x", "first"), base + 5 + 3 + 7 + 6);
}

static void long_path_and_unknown_names_change_their_heads(void **state)
{
    (void)state;
    static const char path31[] = "0123456789012345678901234567890";
    static const char path32[] = "01234567890123456789012345678901";
    struct record_item item = item_of(RECORD_ITEM_FILE);
    size_t base = packed(&item, "", NULL);

    assert_int_equal(packed(&item, path31, NULL), base + 31);
    assert_int_equal(packed(&item, path32, NULL), base + 32 + 2);
    item.user = NULL; /* nil instead of 1 + 4 */
    assert_int_equal(packed(&item, "", NULL), base - 4);
    item.group = NULL;
    assert_int_equal(packed(&item, "", NULL), base - 8);
    item.uid = 100000; /* 5 instead of 1 */
    item.gid = 1000;   /* 3 instead of 1 */
    assert_int_equal(packed(&item, "", NULL), base - 8 + 4 + 2);
}

static void times_are_kept_within_borgs_range(void **state)
{
    (void)state;
    struct record_item item = item_of(RECORD_ITEM_FILE);
    size_t base = packed(&item, "a", NULL);

    item.mtime_ns = -5; /* becomes 0: 1 byte instead of 9 */
    assert_int_equal(packed(&item, "a", NULL), base - 8);

    /* 2^31 - 1 - 48 * 3600 seconds, most significant byte first. */
    static const uint8_t latest[] = {0xcf, 0x1d, 0xcc, 0xc7, 0xd6, 0xa1, 0xc7, 0x36, 0x00};
    uint8_t out[256];
    const uint8_t *key;

    item.mtime_ns = INT64_MAX;
    assert_int_equal(borg1_pack_item(&item, "a", NULL, csize_is_half, NULL, out, sizeof out),
                     base);
    key = memmem(out, base, "\xa5mtime", 6);
    assert_non_null(key);
    assert_memory_equal(key + 6, latest, sizeof latest);
}

static void symlink_is_packed_byte_by_byte(void **state)
{
    (void)state;
    /* clang-format off */
    static const uint8_t expected[] =
        "\x89"
        "\xa5" "ctime\x02"
        "\xa3" "gid\xcc\xc8"
        "\xa5" "group\xc0"
        "\xa4" "mode\xcd\xa1\xff"
        "\xa5" "mtime\xce\x01\x00\x00\x00"
        "\xa4" "path\xa1l"
        "\xa6" "source\xa2to"
        "\xa3" "uid\x7f"
        "\xa4" "user\xa1u";
    /* clang-format on */
    const struct record_item item = {.type = RECORD_ITEM_SYMLINK,
                                     .mode = 0120777,
                                     .uid = 127,
                                     .gid = 200,
                                     .nlink = 1,
                                     .mtime_ns = 1 << 24,
                                     .ctime_ns = 2,
                                     .link_target = "to",
                                     .user = "u"};
    uint8_t out[128];
    size_t bytes = borg1_pack_item(&item, "l", NULL, csize_is_half, NULL, out, sizeof out);

    assert_int_equal(bytes, sizeof expected - 1);
    assert_memory_equal(out, expected, bytes);
}

static void buffer_too_small_is_left_alone(void **state)
{
    (void)state;
    struct record_item item = item_of(RECORD_ITEM_DIRECTORY);
    size_t bytes = packed(&item, "d", NULL);
    uint8_t out[256];

    assert_true(bytes < sizeof out);
    memset(out, 0x55, sizeof out);
    assert_int_equal(borg1_pack_item(&item, "d", NULL, csize_is_half, NULL, out, bytes - 1),
                     bytes);
    for (size_t i = 0; i < sizeof out; i++) {
        assert_int_equal(out[i], 0x55);
    }
    assert_int_equal(borg1_pack_item(&item, "d", NULL, csize_is_half, NULL, out, bytes), bytes);
    assert_int_equal(out[0], 0x88);
    assert_int_equal(out[bytes], 0x55);
}

static void equal_digests_make_equal_ids_and_others_differ(void **state)
{
    (void)state;
    const struct record_chunk_ref chunks[] = {
        {{1, 2}, 9}, {{1, 2}, 9}, {{2, 1}, 9}, {{1, 3}, 9}, {{0, 0}, 9}};
    struct record_item item = item_of(RECORD_ITEM_FILE);
    uint8_t out[512];
    uint8_t ids[5][32];
    uint8_t *at = out;

    item.chunks = chunks;
    item.chunk_count = 5;
    size_t bytes = borg1_pack_item(&item, "a", NULL, csize_is_half, NULL, out, sizeof out);

    assert_true(bytes <= sizeof out);
    for (size_t i = 0; i < 5; i++) {
        at = memmem(at, bytes - (size_t)(at - out), "\x93\xda\x00\x20", 4);
        assert_non_null(at);
        at += 4;
        memcpy(ids[i], at, 32);
        at += 32;
    }
    assert_memory_equal(ids[0], ids[1], 32);
    for (size_t i = 1; i < 5; i++) {
        for (size_t j = i + 1; j < 5; j++) {
            /* Every quarter differs, so no part of an id would compress. */
            for (size_t part = 0; part < 32; part += 8) {
                assert_memory_not_equal(ids[i] + part, ids[j] + part, 8);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_file_has_the_length_of_its_fields),
        cmocka_unit_test(chunk_adds_36_and_two_sizes),
        cmocka_unit_test(a_chunk_by_itself_has_the_length_that_it_adds),
        cmocka_unit_test(with_entries_for_what_is_not_listed_the_length_is_that_of_all),
        cmocka_unit_test(directory_has_no_content_and_no_link_mark),
        cmocka_unit_test(other_types_add_to_a_directory_what_they_have),
        cmocka_unit_test(long_path_and_unknown_names_change_their_heads),
        cmocka_unit_test(times_are_kept_within_borgs_range),
        cmocka_unit_test(symlink_is_packed_byte_by_byte),
        cmocka_unit_test(buffer_too_small_is_left_alone),
        cmocka_unit_test(equal_digests_make_equal_ids_and_others_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
