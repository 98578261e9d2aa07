/* SPDX-License-Identifier: BSD-2-Clause */
/* Level lists: what is read, in which order it is kept, and what is said about mistakes. */
#include <stdio.h>
#include <string.h>

#include "compadvise/level.h"
#include "support/unit.h"

/* All names, joined by blanks. */
static const char *names(const struct cadv_level_list *list)
{
    static char text[CADV_LEVELS_MAX * CADV_LEVEL_NAME_MAX];
    char name[CADV_LEVEL_NAME_MAX];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "",
                                 cadv_level_name(list->items[i], name));
    }
    return text;
}

static void assert_list(const char *text, const char *expected)
{
    struct cadv_level_list list = {.count = 0};
    assert_int_equal(cadv_levels_add(&list, text, NULL), CADV_OK);
    assert_string_equal(names(&list), expected);
}

/* The whole message, since users see the whole message. */
static void assert_refused(const char *text, const char *message)
{
    struct cadv_error err = {0};
    struct cadv_level_list list = {.count = 0};
    assert_int_equal(cadv_levels_add(&list, "lz4,zstd:7", NULL), CADV_OK);
    assert_int_equal(cadv_levels_add(&list, text, &err), CADV_ERR_USAGE);
    assert_string_equal(err.message, message);
    assert_string_equal(names(&list), "lz4 zstd,7");
    assert_int_equal(cadv_levels_add(&list, text, NULL), CADV_ERR_USAGE);
}

static void codecs_and_levels_are_read(void **state)
{
    (void)state;
    assert_list("none", "none");
    assert_list("lz4", "lz4");
    assert_list("zstd", "zstd,3");
    assert_list("zstd:19", "zstd,19");
    assert_list("zstd:-4", "zstd,-4");
    assert_list("zstd:2-4", "zstd,2 zstd,3 zstd,4");
    assert_list("zstd:5-5", "zstd,5");
    assert_list("zstd:-7--5", "zstd,-7 zstd,-6 zstd,-5");
    assert_list("none,lz4,zstd:1", "none lz4 zstd,1");
}

static void range_across_zero_leaves_zero_out(void **state)
{
    (void)state;
    assert_list("zstd:-2-2", "zstd,-2 zstd,-1 zstd,1 zstd,2");
}

static void lists_are_sorted_and_without_repetition(void **state)
{
    (void)state;
    assert_list("zstd:3,zstd:2-4,lz4,zstd,none,lz4,zstd:-1",
                "none lz4 zstd,-1 zstd,2 zstd,3 zstd,4");
}

static void adding_again_makes_the_union(void **state)
{
    struct cadv_level_list list = {.count = 0};
    (void)state;
    assert_int_equal(cadv_levels_add(&list, "zstd:9", NULL), CADV_OK);
    assert_int_equal(cadv_levels_add(&list, "lz4,zstd:9,zstd:1", NULL), CADV_OK);
    assert_string_equal(names(&list), "lz4 zstd,1 zstd,9");
}

static void every_level_together_fits(void **state)
{
    struct cadv_level_list list = {.count = 0};
    (void)state;
    assert_int_equal(cadv_levels_add(&list, "zstd:-128-22,lz4,none,zlib:0-9,lzma:0-9", NULL),
                     CADV_OK);
    assert_int_equal(list.count, 172);
    assert_int_equal(list.items[2].level, -128);
    assert_int_equal(list.items[151].level, 22);
}

static void contain_looks_at_codec_and_level(void **state)
{
    struct cadv_level_list list = {.count = 0};
    (void)state;
    assert_int_equal(cadv_levels_add(&list, "lz4,zstd:3", NULL), CADV_OK);
    assert_true(
        cadv_levels_contain(&list, (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0}));
    assert_true(
        cadv_levels_contain(&list, (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 3}));
    assert_false(
        cadv_levels_contain(&list, (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 4}));
    assert_false(
        cadv_levels_contain(&list, (struct cadv_level){.codec = CADV_CODEC_NONE, .level = 0}));
    list.count = 0;
    assert_false(
        cadv_levels_contain(&list, (struct cadv_level){.codec = CADV_CODEC_LZ4, .level = 0}));
}

static void levels_out_of_range_are_named_with_the_range(void **state)
{
    (void)state;
    assert_refused("zstd:23",
                   "zstd level 23 is out of range; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:1-23",
                   "zstd level 23 is out of range; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:-129",
                   "zstd level -129 is out of range; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:0", "zstd has no level 0; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:0-3", "zstd has no level 0; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:99999999999999999999",
                   "zstd level is out of range; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:-99999999999999999999",
                   "zstd level is out of range; valid are -128 to -1 and 1 to 22");
    assert_refused("zstd:4294967299",
                   "zstd level is out of range; valid are -128 to -1 and 1 to 22");
}

static void reversed_range_is_refused_with_the_remedy(void **state)
{
    (void)state;
    assert_refused("zstd:5-3", "zstd levels 5 to 3 are reversed; write zstd:3-5");
    assert_refused("zstd:-1--7", "zstd levels -1 to -7 are reversed; write zstd:-7--1");
}

static void malformed_levels_are_refused(void **state)
{
    static const char *const texts[] = {"",   "a",  "3x", "3-",   "-",   "--3", "1-2-3",
                                        " 3", "3 ", "+3", "1..3", "3.0", "1--"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char item[32];
        char message[256];
        (void)snprintf(item, sizeof item, "zstd:%s", texts[i]);
        (void)snprintf(message, sizeof message,
                       "'%s' is not a level or a range such as zstd:1-9; valid are -128 to -1 "
                       "and 1 to 22",
                       item);
        assert_refused(item, message);
    }
}

static void codecs_without_levels_take_none(void **state)
{
    (void)state;
    assert_refused("lz4:3", "lz4 has no levels; write just lz4");
    assert_refused("none:", "none has no levels; write just none");
}

static void unknown_codecs_are_refused_with_the_known_ones(void **state)
{
    (void)state;
    assert_refused("gzip", "unknown codec 'gzip'; known are none, lz4, zstd, zlib, lzma");
    assert_refused("gzip:3", "unknown codec 'gzip'; known are none, lz4, zstd, zlib, lzma");
    assert_refused("ZSTD", "unknown codec 'ZSTD'; known are none, lz4, zstd, zlib, lzma");
    assert_refused("zst", "unknown codec 'zst'; known are none, lz4, zstd, zlib, lzma");
    assert_refused("zstd:3\n",
                   "'zstd:3\\x0a' is not a level or a range such as zstd:1-9; valid are "
                   "-128 to -1 and 1 to 22");
    assert_refused("zstd,3",
                   "unknown codec '3'; known are none, lz4, zstd, zlib, lzma (levels are "
                   "written zstd:3, not zstd,3)");
}

static void empty_items_are_refused(void **state)
{
    static const char *const texts[] = {"", ",", "lz4,", ",lz4", "lz4,,none", ":3"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(texts[i], "the list of levels has an empty item; known codecs are none, "
                                 "lz4, zstd, zlib, lzma");
    }
}

static void zlib_and_lzma_have_ten_levels(void **state)
{
    (void)state;
    assert_list("lzma,zlib", "zlib,6 lzma,6");
    assert_list("zlib:0-2,lzma:9", "zlib,0 zlib,1 zlib,2 lzma,9");
    assert_refused("zlib:10", "zlib level 10 is out of range; valid are 0 to 9");
    assert_refused("lzma:-1", "lzma level -1 is out of range; valid are 0 to 9");
}

static void auto_changes_the_item_after_it(void **state)
{
    (void)state;
    assert_list("auto,zstd:1-3,lzma:6", "lzma,6 auto,zstd,1 auto,zstd,2 auto,zstd,3");
    assert_list("auto,lzma,zstd,auto,zstd,auto,lz4", "zstd,3 auto,lz4 auto,zstd,3 auto,lzma,6");
    assert_refused("auto", "auto needs a codec after it; write auto,zstd:3");
    assert_refused("zstd,auto", "auto needs a codec after it; write auto,zstd:3");
    assert_refused("auto,none", "auto chooses between lz4 and another codec, so none cannot "
                                "follow it; write auto,zstd:3");
    assert_refused("auto,auto,zstd", "auto stands twice before one codec; write auto,zstd:3");
    assert_refused("auto:3,zstd", "auto has no levels of its own; write auto,zstd:3");
}

static void obfuscate_changes_the_item_after_it(void **state)
{
    static const char *const bad[] = {
        "obfuscate,zstd",     "obfuscate:,zstd",    "obfuscate:0,zstd",   "obfuscate:7,zstd",
        "obfuscate:109,zstd", "obfuscate:124,zstd", "obfuscate:1-3,zstd", "obfuscate:-1,zstd"};
    (void)state;
    assert_list("obfuscate:110,zstd:3-4,zstd:3,obfuscate:1,auto,lzma:2,obfuscate:1,none",
                "zstd,3 obfuscate,1,none obfuscate,1,auto,lzma,2 obfuscate,110,zstd,3 "
                "obfuscate,110,zstd,4");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_refused(bad[i], "obfuscate takes a number from 1 to 6 or 110 to 123; write "
                               "obfuscate:110,zstd:3");
    }
    assert_refused("obfuscate:250,zstd",
                   "obfuscate:250 (Padme) is not in every Borg 1.x and not projected; valid "
                   "are 1 to 6 and 110 to 123");
    assert_refused("obfuscate:110", "obfuscate needs a codec after it; write obfuscate:110,"
                                    "zstd:3");
    assert_refused("auto,obfuscate:110,zstd",
                   "obfuscate stands before auto; write obfuscate:110,auto,zstd:3");
    assert_refused("obfuscate:1,obfuscate:2,zstd",
                   "obfuscate stands twice before one codec; write obfuscate:110,zstd:3");
}

static void too_many_levels_are_refused(void **state)
{
    struct cadv_level_list list = {.count = 0};
    (void)state;
    assert_int_equal(cadv_levels_add(&list, "auto,zstd:-128-22,zstd:-28-22", NULL), CADV_OK);
    assert_int_equal(list.count, CADV_LEVELS_ASKED_MAX);
    assert_int_equal(cadv_levels_add(&list, "zstd:3", NULL), CADV_OK);
    assert_int_equal(cadv_levels_add(&list, "lz4", NULL), CADV_ERR_USAGE);
    assert_refused("auto,zstd:-128-22,zstd:-128-22",
                   "more than 200 levels; ask for fewer at once, such as every third");
}

/* Compilers would warn of a name that might not fit; that they do not, is no proof. */
static void the_longest_name_fits(void **state)
{
    char name[CADV_LEVEL_NAME_MAX];
    struct cadv_level level = {
        .codec = CADV_CODEC_ZSTD, .level = -128, .is_auto = true, .obfuscate = 123};
    (void)state;
    assert_string_equal(cadv_level_name(level, name), "obfuscate,123,auto,zstd,-128");
}

static void one_bad_item_spoils_the_whole_text(void **state)
{
    (void)state;
    assert_refused("zstd:1-4,none,zstd:99",
                   "zstd level 99 is out of range; valid are -128 to -1 and 1 to 22");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codecs_and_levels_are_read),
        cmocka_unit_test(range_across_zero_leaves_zero_out),
        cmocka_unit_test(lists_are_sorted_and_without_repetition),
        cmocka_unit_test(adding_again_makes_the_union),
        cmocka_unit_test(every_level_together_fits),
        cmocka_unit_test(contain_looks_at_codec_and_level),
        cmocka_unit_test(levels_out_of_range_are_named_with_the_range),
        cmocka_unit_test(reversed_range_is_refused_with_the_remedy),
        cmocka_unit_test(malformed_levels_are_refused),
        cmocka_unit_test(codecs_without_levels_take_none),
        cmocka_unit_test(unknown_codecs_are_refused_with_the_known_ones),
        cmocka_unit_test(empty_items_are_refused),
        cmocka_unit_test(zlib_and_lzma_have_ten_levels),
        cmocka_unit_test(auto_changes_the_item_after_it),
        cmocka_unit_test(obfuscate_changes_the_item_after_it),
        cmocka_unit_test(too_many_levels_are_refused),
        cmocka_unit_test(the_longest_name_fits),
        cmocka_unit_test(one_bad_item_spoils_the_whole_text),
    };
    return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}
