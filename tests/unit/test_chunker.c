/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunker parameters as text, their limits, and the fixed chunker. Limits are Borg 1.2's. */
#include <string.h>

#include "chunk/chunk.h"
#include "support/unit.h"

static struct cadv_chunker_params parse(const char *text)
{
    struct cadv_chunker_params params;
    memset(&params, 0xff, sizeof params);
    assert_int_equal(cadv_chunker_parse(text, &params, NULL), CADV_OK);
    return params;
}

/* `text` is refused, the message has `part` in it, and the output stays as it was. */
static void assert_refused(const char *text, const char *part)
{
    struct cadv_error err = {0};
    struct cadv_chunker_params params = {.min_exp = 77};
    assert_int_equal(cadv_chunker_parse(text, &params, &err), CADV_ERR_USAGE);
    assert_int_equal(err.status, CADV_ERR_USAGE);
    assert_non_null(strstr(err.message, part));
    assert_int_equal(params.min_exp, 77);
    assert_int_equal(cadv_chunker_parse(text, &params, NULL), CADV_ERR_USAGE);
}

static void assert_is_default(struct cadv_chunker_params params)
{
    assert_int_equal(params.kind, CADV_CHUNKER_BUZHASH);
    assert_int_equal(params.min_exp, 19);
    assert_int_equal(params.max_exp, 23);
    assert_int_equal(params.mask_bits, 21);
    assert_int_equal(params.window_bytes, 4095);
    assert_int_equal(params.seed, 0);
    assert_int_equal(params.block_bytes, 0);
    assert_int_equal(params.header_bytes, 0);
}

static void default_has_four_spellings(void **state)
{
    (void)state;
    assert_is_default(cadv_chunker_default());
    assert_is_default(parse("default"));
    assert_is_default(parse("buzhash,19,23,21,4095"));
    assert_is_default(parse("19,23,21,4095"));
    assert_is_default(parse("BuzHash,19,23,21,4095"));
}

static void fixed_takes_a_block_and_perhaps_a_header(void **state)
{
    (void)state;
    struct cadv_chunker_params params = parse("fixed,4194304");
    assert_int_equal(params.kind, CADV_CHUNKER_FIXED);
    assert_int_equal(params.block_bytes, 4194304);
    assert_int_equal(params.header_bytes, 0);
    assert_int_equal(params.window_bytes, 0);
    params = parse("fixed,64,20971479");
    assert_int_equal(params.block_bytes, 64);
    assert_int_equal(params.header_bytes, 20971479);
}

static void limits_themselves_are_accepted(void **state)
{
    (void)state;
    (void)parse("6,23,6,1");
    (void)parse("22,23,23,4194303");
    (void)parse("6,7,7,63");
    (void)parse("fixed,64");
    (void)parse("fixed,20971479,0");
}

static void numbers_out_of_range_are_named(void **state)
{
    (void)state;
    assert_refused("5,23,21,4095", "MIN is 5 but must be at least 6");
    assert_refused("19,24,21,4095", "MAX is 24 but must be at most 23");
    assert_refused("19,23,18,4095", "MASK is 18 but must be from MIN to MAX, here 19 to 23");
    assert_refused("19,22,23,4095", "MASK is 23");
    assert_refused("23,19,21,4095", "MASK is 21");
    assert_refused("6,7,6,0", "WINDOW is 0 bytes but must be from 1");
    assert_refused("6,7,6,64", "here 63");
    assert_refused("6,6,6,1", "no room for a window");
    assert_refused("22,23,23,4194304", "here 4194303");
    assert_refused("19,23,21,4294967296", "WINDOW is 4294967295");
    assert_refused("fixed,63", "BLOCK is 63 bytes but must be from 64 to 20971479");
    assert_refused("fixed,20971480", "BLOCK is 20971480");
    assert_refused("fixed,64,20971480", "HEADER is 20971480");
}

static void other_texts_are_refused_with_the_notation(void **state)
{
    static const char *const texts[] = {
        "",          ",",           "buzhash",        "buzhash,",    "buzhash,19,23,21",
        "19,23,21",  "19,23,21,1,", "19,23,21,1,1",   "fixed",       "fixed,",
        "fixed,64,", "fixed,1,2,3", "fastcdc,19,1,1", "fixed,-64",   "fixed,64k",
        "fixed, 64", "fixed64,64",  "default,1",      "fixed,64,-5", "fixed,00000000064",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(texts[i], "write buzhash,MIN,MAX,MASK,WINDOW, fixed,BLOCK[,HEADER] or");
    }
}

static void format_writes_what_parse_reads(void **state)
{
    static const char *const texts[] = {"buzhash,19,23,21,4095", "buzhash,6,7,6,63", "fixed,64",
                                        "fixed,20971479,20971479"};
    char text[CADV_CHUNKER_TEXT_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct cadv_chunker_params params = parse(texts[i]);
        assert_string_equal(cadv_chunker_format(&params, text), texts[i]);
    }
    struct cadv_chunker_params widest = {.kind = CADV_CHUNKER_BUZHASH,
                                         .min_exp = UINT32_MAX,
                                         .max_exp = UINT32_MAX,
                                         .mask_bits = UINT32_MAX,
                                         .window_bytes = UINT32_MAX};
    assert_string_equal(cadv_chunker_format(&widest, text),
                        "buzhash,4294967295,4294967295,4294967295,4294967295");
}

static void no_cutter_is_made_of_bad_parameters(void **state)
{
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_COUNT};
    (void)state;
    assert_null(cadv_cutter_new(&params));
    params = cadv_chunker_default();
    params.window_bytes = 0;
    assert_null(cadv_cutter_new(&params));
    cadv_cutter_free(NULL);
}

static void assert_fixed_cuts(const char *text, size_t file_bytes, const size_t *expected)
{
    static const uint8_t zeros[1000];
    struct cadv_chunker_params params = parse(text);
    struct cadv_cutter *cutter = cadv_cutter_new(&params);
    assert_non_null(cutter);
    /* Twice, since the second file must have its header again. */
    for (int round = 0; round < 2; round++) {
        const size_t *length = expected;
        cadv_cutter_start(cutter);
        for (size_t at = 0; at < file_bytes; at += *length++) {
            assert_int_equal(cadv_cutter_next(cutter, zeros + at, *length - 1, false), 0);
            assert_int_equal(cadv_cutter_next(cutter, zeros + at, file_bytes - at, true),
                             *length);
        }
        assert_int_equal(*length, 0);
    }
    cadv_cutter_free(cutter);
}

/* Lengths as Borg 1.2.4's ChunkerFixed gives them. */
static void fixed_cuts_are_those_of_borg(void **state)
{
    (void)state;
    assert_fixed_cuts("fixed,64", 200, (const size_t[]){64, 64, 64, 8, 0});
    assert_fixed_cuts("fixed,64", 63, (const size_t[]){63, 0});
    assert_fixed_cuts("fixed,64", 128, (const size_t[]){64, 64, 0});
    assert_fixed_cuts("fixed,64,10", 100, (const size_t[]){10, 64, 26, 0});
    assert_fixed_cuts("fixed,64,10", 10, (const size_t[]){10, 0});
    assert_fixed_cuts("fixed,64,10", 9, (const size_t[]){9, 0});
    assert_fixed_cuts("fixed,64,100", 200, (const size_t[]){64, 36, 64, 36, 0});
    assert_fixed_cuts("fixed,100,130", 101, (const size_t[]){100, 1, 0});
    assert_fixed_cuts("fixed,64,300", 400, (const size_t[]){64, 64, 64, 64, 44, 64, 36, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_has_four_spellings),
        cmocka_unit_test(fixed_takes_a_block_and_perhaps_a_header),
        cmocka_unit_test(limits_themselves_are_accepted),
        cmocka_unit_test(numbers_out_of_range_are_named),
        cmocka_unit_test(other_texts_are_refused_with_the_notation),
        cmocka_unit_test(format_writes_what_parse_reads),
        cmocka_unit_test(no_cutter_is_made_of_bad_parameters),
        cmocka_unit_test(fixed_cuts_are_those_of_borg),
    };
    return cmocka_run_group_tests_name("chunker", tests, NULL, NULL);
}
