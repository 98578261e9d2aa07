/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_borg1_size.c - the repository of Borg 1.x against numbers worked by hand from the
 * format. Whole repositories are compared with real ones by the oracle test of the same name.
 */
#include "support/unit.h"

#include <string.h>

#include "support/borg1_setup.h"
#include "target/borg1.h"

/* README, config, integrity: constant. Segments 0 and 1: 8 + 41 + 1 + 426 and 8 + 9. */
#define ALWAYS (73 + 209 + 190 + 476 + 17)
/* Deletion, commit, and the manifest at `none`: 427 bytes, 72 for the archive, one for its
 * name. */
#define AFTER (49 + 8 + 44 + 500 + 17)
#define INDEX_1031 (18 + 40 * 1031)

/*
 * Archive object: 3 for the map, 140 for 17 keys and their heads, then values in key order. `a`
 * is the length of the strings' sum: command line 1 head, no words. chunker_params 1+8+1+1+1+3,
 * cmdline 1, comment 1, csize_parts 1, name 2, nfiles_parts 1, size_parts 1, time 27, time_end
 * 27, version 1, tam: 1 + hmac 5+67 + salt 5+67 + type 5+17
 */
#define ARCHIVE_FIXED (3 + 140 + 15 + 1 + 1 + 1 + 2 + 1 + 1 + 27 + 27 + 1 + 167)

static struct target_setup setup;

static uint64_t archive_bytes(const struct target_load *load)
{
    return borg1_pack_object(TARGET_ARCHIVE, load, NULL, 0);
}

/* At `none` the two small objects are stored as they are packed. */
static uint64_t repository_at_none(struct target_load *load)
{
    for (size_t i = 0; i < TARGET_OBJECT_COUNT; i++) {
        load->object_stored_bytes[i] = borg1_pack_object((enum target_object)i, load, NULL, 0);
    }
    return borg1_repository_bytes(load);
}

static int choose_setup(void **state)
{
    (void)state;
    setup = borg1_setup_of("none", NULL);
    return 0;
}

static void empty_command_makes_the_archive_object_of_the_format(void **state)
{
    (void)state;
    struct target_load load = {.setup = &setup,
                               .content_stored_bytes = 100,   /* csize: 1 */
                               .content_original_bytes = 300, /* size: 3 */
                               .file_count = 200,             /* nfiles: 2 */
                               .items_unique_chunks = 2};     /* 1 + 2 * 35 */

    assert_int_equal(archive_bytes(&load), ARCHIVE_FIXED + 1 + 3 + 2 + 71 + (1 + 12) + (1 + 5));
    load.items_unique_chunks = 16; /* the array's head grows to 3 */
    assert_int_equal(archive_bytes(&load),
                     ARCHIVE_FIXED + 1 + 3 + 2 + 3 + 16 * 35 + (1 + 12) + (1 + 5));
}

static void command_counts_as_words_without_quotes(void **state)
{
    (void)state;
    struct target_load load = {.setup = &setup};
    uint64_t without = archive_bytes(&load);

    load.command = "borg create";
    assert_int_equal(archive_bytes(&load) - without, 14 + 7);
    load.command = "borg  'a b' c\\ d";
    assert_int_equal(archive_bytes(&load) - without, 14 + 4 + 4);
    load.command = "''";
    assert_int_equal(archive_bytes(&load) - without, 1);
    load.command = "01234567890123456789012345678901"; /* 32 bytes: a head of 3 */
    assert_int_equal(archive_bytes(&load) - without, 35);
}

static void index_grows_once_three_quarters_are_full(void **state)
{
    (void)state;
    static const struct {
        uint64_t inserted;
        uint64_t buckets;
    } cases[] = {
        {1, 1031},        {773, 1031},      {774, 2053},   {1539, 2053},     {1540, 4099},
        {5950, 8209},     {6156, 8209},     {6157, 16411}, {196610, 262147}, {196611, 445649},
        {334236, 445649}, {334237, 757607}, {0, 1031},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(borg1_index_buckets(cases[i].inserted), cases[i].buckets);
    }
}

static void segments_close_once_longer_than_500_mib(void **state)
{
    (void)state;
    /* After n objects of 1000000 the offset is 8 + n * 1000000; 525 are the first too many. */
    assert_int_equal(borg1_segments(1, 1000000), 1);
    assert_int_equal(borg1_segments(525, UINT64_C(525000000)), 1);
    assert_int_equal(borg1_segments(526, UINT64_C(526000000)), 2);
    assert_int_equal(borg1_segments(1050, UINT64_C(1050000000)), 2);
    assert_int_equal(borg1_segments(1051, UINT64_C(1051000000)), 3);
    /* After 63 objects the offset is 8 + 524287953, still within: one more goes in. */
    assert_int_equal(borg1_segments(64, UINT64_C(64) * 8322031), 1);
    assert_int_equal(borg1_segments(65, UINT64_C(65) * 8322031), 2);
    /* (524288000 - 8) / 524287992 = 1 exactly: offset equals the limit after one object. */
    assert_int_equal(borg1_segments(2, UINT64_C(2) * 524287992), 1);
    assert_int_equal(borg1_segments(3, UINT64_C(3) * 524287992), 2);
    assert_int_equal(borg1_segments(2, UINT64_C(2) * 524287993), 2);
}

static void small_repository_at_none_is_the_sum_of_its_files(void **state)
{
    (void)state;
    struct target_load load = {
        .setup = &setup,
        .content_stored_bytes = 600000,
        .content_unique_chunks = 2,
        .content_total_chunks = 2,
        .content_original_bytes = 600000,
        .items_stored_bytes = 800,
        .items_unique_chunks = 1,
        .file_count = 3,
        .command = "borg create",
    };
    uint64_t archive = archive_bytes(&load);
    uint64_t data = 8 + 600000 + 800 + archive + 4 * 44;
    /* 66, six segments as key and count, four freeable: 1+3, 1+1, 1+1, 1+1. */
    uint64_t hints = 66 + 12 + 10;

    assert_int_equal(repository_at_none(&load), ALWAYS + INDEX_1031 + hints + data + AFTER);
}

/* Sizes of a real `borg init`: config, nonce, and the segment of the first manifest. */
static void modes_differ_by_envelopes_key_and_first_manifest(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        unsigned config;
        unsigned nonce;
        unsigned first_segment;
        unsigned envelope;
    } cases[] = {
        {"authenticated", 700, 0, 490, 1}, {"authenticated-blake2", 964, 0, 490, 1},
        {"repokey", 700, 16, 530, 41},     {"repokey-blake2", 964, 16, 530, 41},
        {"keyfile", 209, 16, 530, 41},     {"keyfile-blake2", 209, 16, 530, 41},
    };
    struct target_load load = {.setup = &setup,
                               .content_stored_bytes = 600000,
                               .content_unique_chunks = 2,
                               .content_total_chunks = 2,
                               .content_original_bytes = 600000,
                               .items_stored_bytes = 800,
                               .items_unique_chunks = 1};
    uint64_t plain = repository_at_none(&load);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setup = borg1_setup_of(cases[i].mode, NULL);
        /* Five objects, and 14 bytes of the manifest that ask for authentication. */
        int64_t more = (int64_t)cases[i].config - 209 + cases[i].nonce +
                       cases[i].first_segment - 476 + 5 * (cases[i].envelope - 1) + 14;

        assert_int_equal(repository_at_none(&load) - plain, more);
    }
}

static void packed_objects_are_as_long_as_counted(void **state)
{
    (void)state;
    uint8_t out[2000];
    struct target_load load = {
        .setup = &setup, .items_unique_chunks = 7, .command = "borg  'a b' c\\ d x"};

    for (size_t i = 0; i < TARGET_OBJECT_COUNT; i++) {
        size_t bytes = borg1_pack_object((enum target_object)i, &load, NULL, 0);

        memset(out, 0x55, sizeof out);
        assert_int_equal(borg1_pack_object((enum target_object)i, &load, out, bytes - 1),
                         bytes);
        assert_int_equal(out[0], 0x55);
        assert_int_equal(borg1_pack_object((enum target_object)i, &load, out, bytes), bytes);
        assert_true(out[0] != 0x55 && out[bytes] == 0x55);
    }
    (void)borg1_pack_object(TARGET_ARCHIVE, &load, out, sizeof out);
    static const char words[] = "\x94\xad/usr/bin/"
                                "borg\xa3"
                                "a b\xa3"
                                "c d\xa1x";
    assert_non_null(memmem(out, sizeof out, words, sizeof words - 1));
}

/* Three half hours: each puts item chunk, archive object and manifest once more. */
static void checkpoints_come_each_half_hour(void **state)
{
    (void)state;
    uint64_t each = 0;
    struct target_load load = {
        .setup = &setup,
        .items_stored_bytes = 40000,
        .items_unique_chunks = 2,
        .object_stored_bytes = {[TARGET_ARCHIVE] = 600, [TARGET_MANIFEST] = 500}};

    assert_int_equal(borg1_checkpoints(&load, 1799, &each), 0);
    assert_int_equal(borg1_checkpoints(&load, 5401, &each), 3);
    assert_in_range(each, 256 + 20000 + 565 + 3 * 44 + 500 + 49 + 8 + 17 + 41,
                    256 + 20000 + 600 + 3 * 44 + 500 + 49 + 8 + 17 + 41);
    assert_int_equal(borg1_checkpoints(&load, 0, &each), 0);
}

static void margin_is_wider_with_a_key(void **state)
{
    (void)state;
    struct target_load load = {.setup = &setup,
                               .level = {.codec = CADV_CODEC_ZSTD, .level = 3},
                               .content_unique_chunks = 1000,
                               .content_total_chunks = 1000,
                               .content_cuts = 900,
                               .content_large_ratio = 0.5,
                               .items_unique_chunks = 4,
                               .is_items_exact = true};
    uint64_t keyless = borg1_margin_bytes(&load);

    load.are_ids_known = true;
    assert_int_equal(borg1_margin_bytes(&load), 256);
    load.are_ids_known = false;
    setup = borg1_setup_of("repokey", NULL);
    assert_true(borg1_margin_bytes(&load) > 2 * keyless);
    /* What the codec does not shrink does not care where it is cut. */
    load.content_large_ratio = 1.0;
    assert_true(borg1_margin_bytes(&load) < 2 * keyless);
    load.content_cuts = 0;
    assert_true(borg1_margin_bytes(&load) < 2 * keyless);
    /* Three of four bytes stay, of 2.4 MiB at each of four seams of different chunks. */
    load.content_unique_bytes = 4000;
    load.content_stored_bytes = 3000;
    load.content_seam_squares = 4;
    uint64_t moved = borg1_margin_bytes(&load);
    assert_in_range(moved, 2 * 1.4 * 0.75 * 2 * 2516582, 3 * 0.75 * 2 * 2516582);
    load.is_items_exact = false;
    assert_int_equal(borg1_margin_bytes(&load) - moved, 2000);
    /* Blocks are cut alike by every key, and a seed that is known is no chance. */
    setup.chunker = &(struct cadv_chunker_params){.kind = CADV_CHUNKER_FIXED};
    assert_true(borg1_margin_bytes(&load) < 30000);
    struct cadv_chunker_params known = borg1_usual_chunker;
    known.seed = 1;
    setup.chunker = &known;
    assert_true(borg1_margin_bytes(&load) < 30000);
}

static void further_segments_add_their_magic_and_hints(void **state)
{
    (void)state;
    struct target_load load = {
        .setup = &setup,
        .content_stored_bytes = UINT64_C(5000) * (1000000 - 44),
        .content_unique_chunks = 5000,
        .content_original_bytes = UINT64_C(5000) * (1000000 - 44),
    };
    uint64_t archive = archive_bytes(&load);
    /* 5001 objects of about 1000000, 525 in each segment: ten. */
    uint64_t data = 10 * 8 + UINT64_C(5000000000) + archive + 44;
    /*
     * 15 segments: keys 1 each; counts 1 each, but 3 for the ten of 500 objects. Freeable as
     * ever. The quota's number needs 9 bytes instead of 5.
     */
    uint64_t hints = 66 + 4 + 15 + 5 + 10 * 3 + 10;

    assert_int_equal(repository_at_none(&load), ALWAYS + 18 + 40 * 8209 + hints + data + AFTER);
}

static void upper_bound_holds_for_every_level_and_repetition(void **state)
{
    (void)state;
    static const struct cadv_level levels[] = {
        {.codec = CADV_CODEC_NONE, .level = 0}, {.codec = CADV_CODEC_LZ4, .level = 0},
        {.codec = CADV_CODEC_ZSTD, .level = 1}, {.codec = CADV_CODEC_ZSTD, .level = 22},
        {.codec = CADV_CODEC_ZLIB, .level = 6}, {.codec = CADV_CODEC_NONE, .obfuscate = 120}};

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        struct target_load load = {
            .setup = &setup,
            .level = levels[i],
            .content_stored_bytes = 700000,
            .content_unique_chunks = 700,
            .content_total_chunks = 700,
            .content_original_bytes = 700000,
            .items_stored_bytes = 90000,
            .items_unique_chunks = 1,
            .items_original_bytes = 90000,
        };
        uint64_t bound = borg1_upper_bound_bytes(&load);

        assert_true(repository_at_none(&load) <= bound);
        load.content_unique_chunks = 10;
        load.content_stored_bytes = 5000;
        assert_int_equal(borg1_upper_bound_bytes(&load), bound);
        assert_true(repository_at_none(&load) < bound);
    }
}

/* Two deviations of what cannot be known, beside the rest. */
static void margin_has_the_padding_of_the_two_objects(void **state)
{
    (void)state;
    struct target_load load = {.setup = &setup, .is_items_exact = true};
    uint64_t plain = borg1_margin_bytes(&load);

    load.object_padding_variance = 300.0 * 300.0;
    assert_int_equal(borg1_margin_bytes(&load), plain + 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(empty_command_makes_the_archive_object_of_the_format,
                               choose_setup),
        cmocka_unit_test_setup(command_counts_as_words_without_quotes, choose_setup),
        cmocka_unit_test_setup(index_grows_once_three_quarters_are_full, choose_setup),
        cmocka_unit_test_setup(segments_close_once_longer_than_500_mib, choose_setup),
        cmocka_unit_test_setup(small_repository_at_none_is_the_sum_of_its_files, choose_setup),
        cmocka_unit_test_setup(modes_differ_by_envelopes_key_and_first_manifest, choose_setup),
        cmocka_unit_test_setup(packed_objects_are_as_long_as_counted, choose_setup),
        cmocka_unit_test_setup(checkpoints_come_each_half_hour, choose_setup),
        cmocka_unit_test_setup(margin_is_wider_with_a_key, choose_setup),
        cmocka_unit_test_setup(margin_has_the_padding_of_the_two_objects, choose_setup),
        cmocka_unit_test_setup(further_segments_add_their_magic_and_hints, choose_setup),
        cmocka_unit_test_setup(upper_bound_holds_for_every_level_and_repetition, choose_setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
