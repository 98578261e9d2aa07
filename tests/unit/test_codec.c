/* SPDX-License-Identifier: BSD-2-Clause */
/* The codec table: what the rows promise, on the smallest and the most awkward input. */
#include <string.h>

#include <zstd.h>

#include "codec/codec.h"
#include "support/noise.h"
#include "support/unit.h"

enum { DATA_BYTES = 5000, OUT_BYTES = 8000 };

static void rows_are_in_the_order_of_the_enum(void **state)
{
    (void)state;
    assert_ptr_equal(codec_get(CADV_CODEC_NONE), &codec_none);
    assert_ptr_equal(codec_get(CADV_CODEC_LZ4), &codec_lz4);
    assert_ptr_equal(codec_get(CADV_CODEC_ZSTD), &codec_zstd);
    assert_string_equal(cadv_codec_name(CADV_CODEC_NONE), "none");
    assert_string_equal(cadv_codec_name(CADV_CODEC_LZ4), "lz4");
    assert_string_equal(cadv_codec_name(CADV_CODEC_ZSTD), "zstd");
}

static void versions_look_like_versions(void **state)
{
    (void)state;
    assert_string_equal(cadv_codec_version(CADV_CODEC_NONE), "built-in");
    assert_non_null(strchr(cadv_codec_version(CADV_CODEC_LZ4), '.'));
    assert_string_equal(cadv_codec_version(CADV_CODEC_ZSTD), ZSTD_versionString());
}

static void only_zstd_has_levels(void **state)
{
    int lowest = -1;
    int highest = -1;
    (void)state;
    cadv_codec_range(CADV_CODEC_NONE, &lowest, &highest);
    assert_int_equal(lowest, 0);
    assert_int_equal(highest, 0);
    cadv_codec_range(CADV_CODEC_LZ4, &lowest, &highest);
    assert_int_equal(lowest, 0);
    assert_int_equal(highest, 0);
    cadv_codec_range(CADV_CODEC_ZSTD, &lowest, &highest);
    assert_int_equal(lowest, -128);
    assert_int_equal(highest, 22);
    assert_int_equal(codec_zstd.level_default, 3);
}

static void incompressible_data_grows_within_the_bound(void **state)
{
    struct noise noise = {1};
    uint8_t data[DATA_BYTES];
    uint8_t out[OUT_BYTES];
    (void)state;
    for (size_t i = 0; i < DATA_BYTES; i++) {
        data[i] = (uint8_t)noise_next(&noise);
    }
    for (unsigned id = CADV_CODEC_LZ4; id < CADV_CODEC_COUNT; id++) {
        const struct codec *codec = codec_get((enum cadv_codec)id);
        assert_true(codec->bound(DATA_BYTES) <= OUT_BYTES);
        size_t size = codec->compress(data, DATA_BYTES, out, OUT_BYTES, codec->level_default);
        assert_true(size > DATA_BYTES);
        assert_true(size <= codec->bound(DATA_BYTES));
    }
}

static void none_copies(void **state)
{
    const uint8_t data[] = {1, 2, 3};
    uint8_t out[3] = {0};
    (void)state;
    assert_int_equal(codec_none.compress(data, 3, out, 3, 0), 3);
    assert_memory_equal(data, out, 3);
    assert_int_equal(codec_none.compress(data, 3, out, 2, 0), 0);
}

static void zstd_frame_is_as_borg_demands(void **state)
{
    uint8_t data[DATA_BYTES] = {0};
    uint8_t out[OUT_BYTES];
    (void)state;
    size_t size = codec_zstd.compress(data, DATA_BYTES, out, OUT_BYTES, 19);
    assert_true(size > 0);
    assert_int_equal(ZSTD_getFrameContentSize(out, size), DATA_BYTES);
    /* Frame header descriptor, bit 2: checksum; bits 0 and 1: dictionary. */
    assert_int_equal(out[4] & 0x07, 0);
}

static void failures_are_zero(void **state)
{
    uint8_t data[DATA_BYTES] = {0};
    uint8_t out[OUT_BYTES];
    uint8_t back[DATA_BYTES];
    (void)state;
    for (unsigned id = CADV_CODEC_LZ4; id < CADV_CODEC_COUNT; id++) {
        const struct codec *codec = codec_get((enum cadv_codec)id);
        size_t size = codec->compress(data, DATA_BYTES, out, OUT_BYTES, codec->level_default);
        assert_true(size > 0 && size < DATA_BYTES);
        assert_int_equal(codec->compress(data, DATA_BYTES, out, 3, codec->level_default), 0);
        size = codec->compress(data, DATA_BYTES, out, OUT_BYTES, codec->level_default);
        assert_int_equal(codec->decompress(out, size, back, DATA_BYTES), DATA_BYTES);
        assert_int_equal(codec->decompress(out, size, back, DATA_BYTES - 1), 0);
        assert_int_equal(codec->decompress(out, size - 1, back, DATA_BYTES), 0);
    }
}

static void lz4_refuses_what_it_cannot_count(void **state)
{
    uint8_t byte = 0;
    (void)state;
    assert_int_equal(codec_lz4.bound(0x7e000001), 0);
    assert_int_equal(codec_lz4.compress(&byte, 0x7e000001, &byte, SIZE_MAX, 0), 0);
    assert_int_equal(codec_lz4.decompress(&byte, (size_t)INT32_MAX + 1, &byte, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_the_order_of_the_enum),
        cmocka_unit_test(versions_look_like_versions),
        cmocka_unit_test(only_zstd_has_levels),
        cmocka_unit_test(incompressible_data_grows_within_the_bound),
        cmocka_unit_test(none_copies),
        cmocka_unit_test(zstd_frame_is_as_borg_demands),
        cmocka_unit_test(failures_are_zero),
        cmocka_unit_test(lz4_refuses_what_it_cannot_count),
    };
    return cmocka_run_group_tests_name("codec", tests, NULL, NULL);
}
