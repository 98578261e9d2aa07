/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Laws of the codecs on random textures: what was compressed comes back, twice the same, within
 * the bound, and without a byte touched outside of buffers that end at guard pages.
 */
#include <stdio.h>
#include <string.h>

#include "codec/codec.h"
#include "support/guarded.h"
#include "support/noise.h"
#include "support/unit.h"

static void assert_round_trip(struct cadv_level level, const struct guarded *in)
{
    const struct codec *codec = codec_get(level.codec);
    struct guarded out;
    struct guarded again;
    struct guarded back;
    guarded_init(&out, codec->bound(in->data_bytes));
    guarded_init(&again, codec->bound(in->data_bytes));
    guarded_init(&back, in->data_bytes);

    size_t size =
        codec->compress(in->data, in->data_bytes, out.data, out.data_bytes, level.level);
    assert_in_range(size, 1, out.data_bytes);
    assert_int_equal(
        codec->compress(in->data, in->data_bytes, again.data, again.data_bytes, level.level),
        size);
    assert_memory_equal(out.data, again.data, size);

    /* Moved to the end, so that reading the compressed bytes too far is noticed as well. */
    uint8_t *tail = again.data + again.data_bytes - size;
    memmove(tail, again.data, size);
    assert_int_equal(codec->decompress(tail, size, back.data, back.data_bytes), in->data_bytes);
    assert_memory_equal(in->data, back.data, in->data_bytes);

    guarded_fini(&out);
    guarded_fini(&again);
    guarded_fini(&back);
}

static void round_trips(const char *levels, uint64_t first_seed, uint64_t rounds,
                        size_t bytes_max)
{
    struct cadv_level_list list = {.count = 0};
    assert_int_equal(cadv_levels_add(&list, levels, NULL), CADV_OK);
    for (uint64_t seed = first_seed; seed < first_seed + rounds; seed++) {
        struct noise noise = {seed};
        struct guarded in;
        print_message("seed %llu\n", (unsigned long long)seed);
        guarded_init(&in, 1 + (size_t)noise_below(&noise, bytes_max));
        noise_fill(&noise, in.data, in.data_bytes);
        for (size_t i = 0; i < list.count; i++) {
            assert_round_trip(list.items[i], &in);
        }
        guarded_fini(&in);
    }
}

static void chunks_come_back_at_fast_levels(void **state)
{
    (void)state;
    round_trips("none,lz4,zstd:-128,zstd:-5,zstd:1-5", 1, 60, 300000);
}

static void chunks_come_back_at_strong_levels(void **state)
{
    (void)state;
    round_trips("zstd:9,zstd:15,zstd:19,zstd:22", 2000, 6, 30000);
}

static void tiny_chunks_come_back_at_every_level(void **state)
{
    (void)state;
    round_trips("none,lz4,zstd:-128-22", 3000, 10, 40);
}

static void long_names_are_never_cut_off(void **state)
{
    struct cadv_level_list list = {.count = 0};
    char name[CADV_LEVEL_NAME_MAX];
    char expected[64];
    (void)state;
    assert_int_equal(cadv_levels_add(&list, "zstd:-128-22", NULL), CADV_OK);
    for (size_t i = 0; i < list.count; i++) {
        (void)snprintf(expected, sizeof expected, "zstd,%d", list.items[i].level);
        assert_string_equal(cadv_level_name(list.items[i], name), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_come_back_at_fast_levels),
        cmocka_unit_test(chunks_come_back_at_strong_levels),
        cmocka_unit_test(tiny_chunks_come_back_at_every_level),
        cmocka_unit_test(long_names_are_never_cut_off),
    };
    return cmocka_run_group_tests_name("codec laws", tests, NULL, NULL);
}
