/* SPDX-License-Identifier: BSD-2-Clause */
/* test_borg1.c - the row for Borg 1.x: levels, store rule, item cutter, and the line to paste.
 */
#include "support/unit.h"

#include <string.h>

#include "support/borg1_setup.h"

#define DEFAULT_CHUNKER                                                                        \
    {                                                                                          \
        .kind = CADV_CHUNKER_BUZHASH, .min_exp = 19, .max_exp = 23, .mask_bits = 21,           \
        .window_bytes = 4095                                                                   \
    }

static void table_is_searched_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(target_find("borg1"), &target_borg1);
    assert_null(target_find("borg"));
    assert_null(target_find(""));
}

static void levels_of_borgs_option_are_accepted(void **state)
{
    (void)state;
    assert_true(
        target_borg1.accepts((struct cadv_level){.codec = CADV_CODEC_NONE, .level = 0}));
    assert_true(target_borg1.accepts((struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0}));
    for (int level = -7; level <= 25; level++) {
        assert_int_equal(
            target_borg1.accepts((struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = level}),
            level >= 1 && level <= 22);
    }
}

static void chunk_is_stored_raw_when_it_does_not_shrink(void **state)
{
    (void)state;
    struct cadv_level none = {.codec = CADV_CODEC_NONE, .level = 0};
    struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4, .level = 0};
    struct cadv_level zstd = {.codec = CADV_CODEC_ZSTD, .level = 3};

    assert_int_equal(target_borg1.stored_bytes(1000, 400, zstd), 400);
    assert_int_equal(target_borg1.stored_bytes(1000, 999, lz4), 999);
    assert_int_equal(target_borg1.stored_bytes(1000, 1000, lz4), 1000);
    assert_int_equal(target_borg1.stored_bytes(1000, 1013, zstd), 1000);
    assert_int_equal(target_borg1.stored_bytes(1000, 1000, none), 1000);
}

/* The type byte and the codec's two; with a cipher, MAC and counter as well. */
static void noted_size_counts_the_envelope(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        unsigned more;
    } cases[] = {
        {"none", 3},     {"authenticated", 3},   {"authenticated-blake2", 3}, {"repokey", 43},
        {"keyfile", 43}, {"repokey-blake2", 43}, {"keyfile-blake2", 43},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct target_setup setup = borg1_setup_of(cases[i].mode, NULL);

        assert_int_equal(target_borg1.noted_csize(300000, &setup), 300000 + cases[i].more);
    }
    assert_null(target_borg1.encryption("aes"));
}

static void item_stream_has_its_own_cutter_with_the_seed_of_the_content(void **state)
{
    (void)state;
    struct cadv_chunker_params content = {
        .kind = CADV_CHUNKER_FIXED, .block_bytes = 4096, .seed = 0x12345678};
    struct cadv_chunker_params items = target_borg1.items_chunker(&content);

    assert_int_equal(items.kind, CADV_CHUNKER_BUZHASH);
    assert_int_equal(items.min_exp, 15);
    assert_int_equal(items.max_exp, 19);
    assert_int_equal(items.mask_bits, 17);
    assert_int_equal(items.window_bytes, 4095);
    assert_int_equal(items.seed, 0x12345678);
    assert_int_equal(items.block_bytes, 0);
}

static void assert_command(struct cadv_level level, struct cadv_chunker_params chunker,
                           const char *path, const char *expected)
{
    char out[256];
    struct target_setup setup = borg1_setup_of("none", &chunker);

    assert_string_equal(target_borg1.command(level, &setup, &path, 1, out, sizeof out),
                        expected);
}

static void command_names_level_and_chunker(void **state)
{
    (void)state;
    struct cadv_chunker_params usual = DEFAULT_CHUNKER;
    struct cadv_chunker_params buzhash = DEFAULT_CHUNKER;
    struct cadv_chunker_params fixed = {.kind = CADV_CHUNKER_FIXED, .block_bytes = 4194304};

    buzhash.mask_bits = 20;
    assert_command((struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 19}, usual, "/srv",
                   "borg create --compression zstd,19 REPO::a /srv");
    assert_command((struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0}, buzhash, "/srv",
                   "borg create --compression lz4 --chunker-params buzhash,19,23,20,4095 "
                   "REPO::a /srv");
    assert_command((struct cadv_level){.codec = CADV_CODEC_NONE, .level = 0}, fixed, "/srv",
                   "borg create --compression none --chunker-params fixed,4194304 "
                   "REPO::a /srv");
    fixed.header_bytes = 512;
    assert_command((struct cadv_level){.codec = CADV_CODEC_NONE, .level = 0}, fixed, "/srv",
                   "borg create --compression none --chunker-params fixed,4194304,512 "
                   "REPO::a /srv");
}

static void command_quotes_paths_for_the_shell(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *word;
    } cases[] = {
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"$HOME", "'$HOME'"},
        {"~", "'~'"},
        {"", "''"},
        {"-rf", "./-rf"},
        {"-a b", "./'-a b'"},
        {"new\nline", "$'new\\012line'"},
        {"\x1b[2J'", "$'\\033[2J\\''"},
        {"\xc3\xa9", "'\xc3\xa9'"},
        {"\n1", "$'\\0121'"},
        {"a\\\t", "$'a\\\\\\011'"},
    };
    struct cadv_chunker_params usual = DEFAULT_CHUNKER;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[256] = "borg create --compression lz4 REPO::a ";

        strncat(expected, cases[i].word, 100);
        assert_command((struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0}, usual,
                       cases[i].path, expected);
    }
}

static void command_that_does_not_fit_ends_after_a_whole_word(void **state)
{
    (void)state;
    static const char head[] = "borg create --compression lz4 REPO::a";
    static const char *const paths[] = {"/first", "/a path with spaces", "/last"};
    static const char whole[] =
        "borg create --compression lz4 REPO::a /first '/a path with spaces' /last";
    struct target_setup setup = borg1_setup_of("none", NULL);
    struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4, .level = 0};
    char out[128];

    for (size_t room = 0; room < sizeof out; room++) {
        memset(out, 0x55, sizeof out);
        target_borg1.command(lz4, &setup, paths, 3, out, room);
        assert_int_equal(out[room], 0x55);
        if (room == 0) {
            continue;
        }

        size_t length = strnlen(out, room);
        assert_true(length < room);
        if (length < 5 || strcmp(out + length - 4, " ...") != 0) {
            /* Whole, or too short for anything. */
            assert_true(strcmp(out, whole) == 0 || room < sizeof head + 4);
            continue;
        }
        assert_memory_equal(out, whole, length - 4);
        assert_int_equal(whole[length - 4], ' ');
    }
    assert_string_equal(out, whole);
}

/* As the manuals of borg, bsdtar and dpkg-deb have it; the oracle tests run such lines. */
static void command_for_a_stream_makes_a_tar_of_it_and_names_its_filter(void **state)
{
    (void)state;
    const struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4};
    struct target_setup setup = borg1_setup_of("none", NULL);
    const enum cadv_input archive = CADV_INPUT_ARCHIVE;
    const struct {
        struct target_stream stream;
        const char *line;
    } cases[] = {
        {{.path = "-", .input = archive, .is_tar = true},
         "borg import-tar --compression lz4 REPO::a -"},
        {{.path = "a.tar", .input = archive, .is_tar = true},
         "borg import-tar --compression lz4 REPO::a a.tar"},
        {{.path = "a.tgz", .input = archive, .is_tar = true, .filter = "gzip -d"},
         "borg import-tar --compression lz4 REPO::a a.tgz"},
        {{.path = "a.tgz", .input = archive, .is_tar = true},
         "borg import-tar --tar-filter 'cat' --compression lz4 REPO::a a.tgz"},
        {{.path = "-", .input = archive, .is_tar = true, .filter = "zstd -d"},
         "borg import-tar --tar-filter 'zstd -d' --compression lz4 REPO::a -"},
        {{.path = "b c.zip", .input = archive},
         "bsdtar -cf - --format pax @'b c.zip' | borg import-tar --compression lz4 REPO::a -"},
        {{.path = "-q", .input = archive},
         "bsdtar -cf - --format pax @./-q | borg import-tar --compression lz4 REPO::a -"},
        {{.path = "x.deb", .input = archive, .is_package = true},
         "dpkg-deb --fsys-tarfile x.deb | borg import-tar --compression lz4 REPO::a -"},
        {{.path = "-", .input = CADV_INPUT_STREAM, .stdin_name = "-a b"},
         "borg create --stdin-name='-a b' --compression lz4 REPO::a -"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[256];
        assert_string_equal(
            target_borg1.stream_command(lz4, &setup, &cases[i].stream, out, sizeof out),
            cases[i].line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_searched_by_name),
        cmocka_unit_test(levels_of_borgs_option_are_accepted),
        cmocka_unit_test(chunk_is_stored_raw_when_it_does_not_shrink),
        cmocka_unit_test(noted_size_counts_the_envelope),
        cmocka_unit_test(item_stream_has_its_own_cutter_with_the_seed_of_the_content),
        cmocka_unit_test(command_names_level_and_chunker),
        cmocka_unit_test(command_quotes_paths_for_the_shell),
        cmocka_unit_test(command_that_does_not_fit_ends_after_a_whole_word),
        cmocka_unit_test(command_for_a_stream_makes_a_tar_of_it_and_names_its_filter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
