/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "support/noise.h"
#include "support/unit.h"
#include "trial/probe.h"

#define CHUNK_BYTES (1U << 20)
#define PART_BYTES (CHUNK_BYTES / PROBE_SLICES)

static uint32_t probe(const uint8_t *content, uint32_t bytes)
{
    struct trial_workspace workspace = {0};
    uint32_t found = 0;
    assert_int_equal(probe_run(&workspace, content, bytes, &found, NULL), CADV_OK);
    trial_workspace_fini(&workspace);
    return found;
}

static void fill(uint8_t *data, size_t bytes)
{
    struct noise noise = {.state = 1};
    for (size_t i = 0; i < bytes; i++) {
        data[i] = (uint8_t)noise_next(&noise);
    }
}

static uint32_t zstd_1(const uint8_t *content, size_t bytes)
{
    static uint8_t out[1U << 18];
    return (uint32_t)ZSTD_compress(out, sizeof out, content, bytes, 1);
}

/* Noise in the middle of each sixteenth and zeros around it look like noise all over. */
static void slices_lie_in_the_middles_of_equal_parts(void **state)
{
    (void)state;
    uint8_t *content = calloc(CHUNK_BYTES, 1);
    uint8_t slices[PROBE_SLICES * PROBE_SLICE_BYTES];
    assert_non_null(content);
    fill(slices, sizeof slices);
    for (size_t i = 0; i < PROBE_SLICES; i++) {
        memcpy(content + i * PART_BYTES + PART_BYTES / 2 - PROBE_SLICE_BYTES / 2,
               slices + i * PROBE_SLICE_BYTES, PROBE_SLICE_BYTES);
    }
    assert_int_equal(probe(content, CHUNK_BYTES), CHUNK_BYTES);

    /* Every second one: half of the slices are noise. */
    for (size_t i = 0; i < PROBE_SLICES; i += 2) {
        memset(content + i * PART_BYTES, 0, PART_BYTES);
        memset(slices + i * PROBE_SLICE_BYTES, 0, PROBE_SLICE_BYTES);
    }
    uint64_t raw = zstd_1(slices, sizeof slices);
    assert_int_equal(probe(content, CHUNK_BYTES), raw * CHUNK_BYTES / sizeof slices);
    assert_in_range(probe(content, CHUNK_BYTES), CHUNK_BYTES / 2, CHUNK_BYTES / 2 + 4096);
    free(content);
}

static void a_short_chunk_is_taken_whole(void **state)
{
    (void)state;
    static const char words[] =
        "the same words again, the same words again, the same words again";
    assert_int_equal(probe((const uint8_t *)words, sizeof words),
                     zstd_1((const uint8_t *)words, sizeof words));
}

static void a_probe_is_neither_nothing_nor_more_than_the_chunk(void **state)
{
    (void)state;
    uint8_t *content = calloc(CHUNK_BYTES, 8);
    assert_non_null(content);
    assert_in_range(probe(content, CHUNK_BYTES * 8), 1, 8192);
    assert_int_equal(probe(content, 1), 1);
    fill(content, CHUNK_BYTES);
    assert_int_equal(probe(content, CHUNK_BYTES), CHUNK_BYTES);
    free(content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_lie_in_the_middles_of_equal_parts),
        cmocka_unit_test(a_short_chunk_is_taken_whole),
        cmocka_unit_test(a_probe_is_neither_nothing_nor_more_than_the_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
