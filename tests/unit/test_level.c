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
    assert_int_equal(cadv_levels_add(&list, "zstd:-128-22,lz4,none", NULL), CADV_OK);
    assert_int_equal(list.count, 152);
    assert_int_equal(list.items[2].level, -128);
    assert_int_equal(list.items[151].level, 22);
}

static void contain_looks_at_codec_and_level(void **state)
{
    struct cadv_level_list list = {.count = 0};
    (void)state;
    assert_int_equal(cadv_levels_add(&list, "lz4,zstd:3", NULL), CADV_OK);
    assert_true(cadv_levels_contain(&list, (struct cadv_level){CADV_CODEC_LZ4, 0}));
    assert_true(cadv_levels_contain(&list, (struct cadv_level){CADV_CODEC_ZSTD, 3}));
    assert_false(cadv_levels_contain(&list, (struct cadv_level){CADV_CODEC_ZSTD, 4}));
    assert_false(cadv_levels_contain(&list, (struct cadv_level){CADV_CODEC_NONE, 0}));
    list.count = 0;
    assert_false(cadv_levels_contain(&list, (struct cadv_level){CADV_CODEC_LZ4, 0}));
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
    assert_refused("gzip", "unknown codec 'gzip'; known are none, lz4, zstd");
    assert_refused("gzip:3", "unknown codec 'gzip'; known are none, lz4, zstd");
    assert_refused("ZSTD", "unknown codec 'ZSTD'; known are none, lz4, zstd");
    assert_refused("zst", "unknown codec 'zst'; known are none, lz4, zstd");
    assert_refused("zstd:3\n",
                   "'zstd:3\\x0a' is not a level or a range such as zstd:1-9; valid are "
                   "-128 to -1 and 1 to 22");
    assert_refused("zstd,3", "unknown codec '3'; known are none, lz4, zstd (levels are written "
                             "zstd:3, not zstd,3)");
}

static void empty_items_are_refused(void **state)
{
    static const char *const texts[] = {"", ",", "lz4,", ",lz4", "lz4,,none", ":3"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(
            texts[i], "the list of levels has an empty item; known codecs are none, lz4, zstd");
    }
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
        cmocka_unit_test(one_bad_item_spoils_the_whole_text),
    };
    return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}
