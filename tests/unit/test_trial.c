/* SPDX-License-Identifier: BSD-2-Clause */
/* One trial: the sizes are what the libraries say when called directly. */
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "support/noise.h"
#include "support/unit.h"
#include "trial/trial.h"

#define BYTES_MAX 200000

static uint32_t library_bytes(struct cadv_level level, const uint8_t *content, uint32_t bytes)
{
    size_t room = ZSTD_compressBound(BYTES_MAX) + BYTES_MAX;
    char *out = malloc(room);
    assert_non_null(out);
    size_t size = bytes;
    if (level.codec == CADV_CODEC_LZ4) {
        int made = LZ4_compress_default((const char *)content, out, (int)bytes, (int)room);
        assert_true(made > 0);
        size = (size_t)made;
    } else if (level.codec == CADV_CODEC_ZSTD) {
        size = ZSTD_compress(out, room, content, bytes, level.level);
        assert_false(ZSTD_isError(size));
    }
    free(out);
    return (uint32_t)size;
}

static void sizes_are_those_of_the_libraries(void **state)
{
    (void)state;
    static uint8_t content[BYTES_MAX];
    static const uint32_t sizes[] = {1, 2, 100, 5000, 131072, 131073, BYTES_MAX};
    struct cadv_level_list levels = {.count = 0};
    assert_int_equal(cadv_levels_add(&levels, "none,lz4,zstd:-5,zstd:1-4,zstd:9,zstd:16", NULL),
                     CADV_OK);
    struct trial_workspace workspace = {0};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct noise noise = {seed};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            noise_fill(&noise, content, sizes[i]);
            for (size_t l = 0; l < levels.count; l++) {
                struct record_trial trial = {.compress_s = -1.0F, .decompress_s = -1.0F};
                assert_int_equal(
                    trial_run(&workspace, levels.items[l], content, sizes[i], &trial, NULL),
                    CADV_OK);
                assert_int_equal(trial.raw_bytes,
                                 library_bytes(levels.items[l], content, sizes[i]));
                assert_true(trial.compress_s >= 0.0F && trial.compress_s < 10.0F);
                assert_true(trial.decompress_s >= 0.0F && trial.decompress_s < 10.0F);
            }
        }
    }
    trial_workspace_fini(&workspace);
    assert_null(workspace.compressed);
}

static void what_does_not_shrink_has_its_raw_size_above_its_own(void **state)
{
    (void)state;
    uint8_t content[1000];
    struct noise noise = {.state = 1};
    for (size_t i = 0; i < sizeof content; i++) {
        content[i] = (uint8_t)noise_next(&noise);
    }
    struct trial_workspace workspace = {0};
    struct record_trial trial;
    struct cadv_level lz4 = {.codec = CADV_CODEC_LZ4};
    assert_int_equal(trial_run(&workspace, lz4, content, sizeof content, &trial, NULL),
                     CADV_OK);
    assert_true(trial.raw_bytes > sizeof content);
    trial_workspace_fini(&workspace);
}

/* Four levels from fast to strong on compressible data: the clock must tell them apart. */
static void stronger_levels_take_longer(void **state)
{
    (void)state;
    static uint8_t content[BYTES_MAX];
    struct noise noise = {.state = 2};
    for (size_t i = 0; i < BYTES_MAX; i++) {
        content[i] = (uint8_t)("etaoin shrdlu"[noise_below(&noise, 13)]);
    }
    struct trial_workspace workspace = {0};
    double weak_s = 0.0;
    double strong_s = 0.0;
    for (int i = 0; i < 3; i++) {
        struct record_trial trial;
        struct cadv_level level = {.codec = CADV_CODEC_ZSTD, .level = 1};
        assert_int_equal(trial_run(&workspace, level, content, BYTES_MAX, &trial, NULL),
                         CADV_OK);
        weak_s += (double)trial.compress_s;
        level.level = 19;
        assert_int_equal(trial_run(&workspace, level, content, BYTES_MAX, &trial, NULL),
                         CADV_OK);
        strong_s += (double)trial.compress_s;
    }
    assert_true(weak_s > 0.0);
    assert_true(strong_s > 3.0 * weak_s);
    trial_workspace_fini(&workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_the_libraries),
        cmocka_unit_test(what_does_not_shrink_has_its_raw_size_above_its_own),
        cmocka_unit_test(stronger_levels_take_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
