/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Laws of cutting, on random parameters and textures of data. Data ends at a guard page, so
 * that reading too far is a crash. A failing round prints its seed.
 */
#include <stdlib.h>
#include <string.h>

#include "chunk/buzhash_rule.h"
#include "chunk/chunk.h"
#include "support/guarded.h"
#include "support/noise.h"
#include "support/unit.h"

enum { ROUNDS = 150, DATA_MAX = 20000, CUTS_MAX = DATA_MAX / 64 + 2 };

/* One drawn case, and its chunks as the cutter gives them from the whole file at once. */
struct scene {
    struct noise noise;
    struct cadv_chunker_params params;
    struct guarded file;
    size_t cuts[CUTS_MAX];
    size_t cut_count;
};

static struct cadv_chunker_params draw_buzhash(struct noise *noise)
{
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_BUZHASH};
    params.min_exp = 6 + (unsigned)noise_below(noise, 4);
    params.max_exp = params.min_exp + 1 + (unsigned)noise_below(noise, 4);
    params.mask_bits =
        params.min_exp + (unsigned)noise_below(noise, params.max_exp - params.min_exp + 1);
    uint32_t room = (1U << params.max_exp) - (1U << params.min_exp) - 1;
    /* Mostly short windows; now and then the longest. */
    params.window_bytes = noise_below(noise, 8) == 0
                              ? room
                              : 1 + (uint32_t)noise_below(noise, room < 70 ? room : 70);
    params.seed = noise_below(noise, 2) == 0 ? 0 : (uint32_t)noise_next(noise);
    return params;
}

static struct cadv_chunker_params draw_fixed(struct noise *noise)
{
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_FIXED};
    params.block_bytes = 64 + (uint32_t)noise_below(noise, 1000);
    params.header_bytes = noise_below(noise, 2) == 0 ? 0 : (uint32_t)noise_below(noise, 3000);
    return params;
}

static size_t cut_whole(const struct cadv_chunker_params *params, const uint8_t *data,
                        size_t data_bytes, size_t *cuts)
{
    struct cadv_cutter *cutter = cadv_cutter_new(params);
    size_t count = 0;
    assert_non_null(cutter);
    cadv_cutter_start(cutter);
    for (size_t at = 0; at < data_bytes; count++) {
        size_t length = cadv_cutter_next(cutter, data + at, data_bytes - at, true);
        assert_in_range(length, 1, data_bytes - at);
        cuts[count] = length;
        at += length;
    }
    cadv_cutter_free(cutter);
    return count;
}

static void scene_init(struct scene *scene, uint64_t seed, bool buzhash_only)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    memset(scene, 0, sizeof *scene);
    scene->noise.state = seed;
    scene->params = buzhash_only || noise_below(&scene->noise, 4) > 0
                        ? draw_buzhash(&scene->noise)
                        : draw_fixed(&scene->noise);
    size_t limit = noise_below(&scene->noise, 4) == 0 ? 300 : DATA_MAX;
    guarded_init(&scene->file, (size_t)noise_below(&scene->noise, limit + 1));
    noise_fill(&scene->noise, scene->file.data, scene->file.data_bytes);
    scene->cut_count =
        cut_whole(&scene->params, scene->file.data, scene->file.data_bytes, scene->cuts);
}

static void scene_fini(struct scene *scene)
{
    guarded_fini(&scene->file);
}

/* That chunks are the file in order follows from cut_whole(): lengths sum up to the file's. */
static void lengths_keep_to_the_limits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct scene scene;
        scene_init(&scene, seed, true);
        size_t shortest = (size_t)1 << scene.params.min_exp;
        size_t longest = (size_t)1 << scene.params.max_exp;
        for (size_t i = 0; i < scene.cut_count; i++) {
            bool is_last = i + 1 == scene.cut_count;
            assert_in_range(scene.cuts[i], is_last ? 1 : shortest, longest);
            /* A chunk between the longest content cut and the maximum is the file's tail. */
            assert_true(is_last || scene.cuts[i] == longest ||
                        scene.cuts[i] + scene.params.window_bytes < longest);
        }
        scene_fini(&scene);
    }
}

/* Offers the file in growing portions, each `step` (0: random) bytes longer than the one
 * before. */
static void assert_same_in_portions(struct scene *scene, size_t step)
{
    struct cadv_cutter *cutter = cadv_cutter_new(&scene->params);
    const struct guarded *file = &scene->file;
    size_t have = 0;
    size_t start = 0;
    size_t count = 0;
    assert_non_null(cutter);
    cadv_cutter_start(cutter);
    while (start < file->data_bytes) {
        bool is_last = have == file->data_bytes && noise_below(&scene->noise, 2) == 0;
        size_t length = cadv_cutter_next(cutter, file->data + start, have - start, is_last);
        if (length > 0) {
            assert_true(count < scene->cut_count);
            assert_int_equal(length, scene->cuts[count]);
            start += length;
            count++;
            continue;
        }
        assert_true(have - start < cadv_cutter_max_bytes(cutter));
        assert_false(is_last && have > start);
        size_t more = step > 0 ? step : (size_t)noise_below(&scene->noise, 2000);
        have = more < file->data_bytes - have ? have + more : file->data_bytes;
    }
    assert_int_equal(count, scene->cut_count);
    cadv_cutter_free(cutter);
}

static void portions_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct scene scene;
        scene_init(&scene, 1000 + seed, false);
        assert_same_in_portions(&scene, 0);
        /* Byte by byte each call hashes a whole window. */
        if ((uint64_t)scene.params.window_bytes * scene.file.data_bytes < 2000000) {
            assert_same_in_portions(&scene, 1);
        }
        scene_fini(&scene);
    }
}

static void kernel_finds_what_hashing_each_window_finds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct scene scene;
        struct buzhash hash;
        scene_init(&scene, 2000 + seed, true);
        buzhash_init(&hash, &scene.params);
        /* A mask shorter than the limits allow, so that matches are many. */
        hash.mask >>= noise_below(&scene.noise, scene.params.mask_bits);
        size_t bytes = scene.file.data_bytes;
        size_t to = bytes >= hash.window_bytes ? bytes - hash.window_bytes + 1 : 0;
        to = to > 3000 ? 3000 : to;

        size_t next = buzhash_find(&hash, scene.file.data, 0, to);
        for (size_t p = 0; p < to; p++) {
            bool is_match = (buzhash_of(&hash, scene.file.data + p) & hash.mask) == 0;
            assert_int_equal(is_match, p == next);
            if (is_match) {
                next = buzhash_find(&hash, scene.file.data, p + 1, to);
            }
        }
        assert_int_equal(next, to);
        scene_fini(&scene);
    }
}

enum { LISTS_MAX = DATA_MAX + 1 };

/* Candidate lists under construction: what has been searched of a file. */
struct search {
    struct buzhash hash;
    struct buzhash_candidates lists[LISTS_MAX];
    size_t list_count;
};

/* Searches one more segment of random length with an array of random, often too small, size. */
static void search_more(struct search *search, struct scene *scene)
{
    size_t searched =
        search->list_count > 0 ? (size_t)search->lists[search->list_count - 1].to : 0;
    size_t rest = scene->file.data_bytes - searched;
    size_t segment = search->hash.window_bytes + (size_t)noise_below(&scene->noise, 4000);
    struct buzhash_candidates *list = &search->lists[search->list_count];
    assert_true(search->list_count < LISTS_MAX);
    list->capacity = 1 + (size_t)noise_below(&scene->noise, 50);
    list->positions = malloc(list->capacity * sizeof *list->positions);
    assert_non_null(list->positions);
    buzhash_collect(&search->hash, scene->file.data + searched, segment < rest ? segment : rest,
                    searched, list);
    search->list_count++;
}

/* `is_size_known`: whether the selector is told of the file's end before the search is there.
 */
static void assert_selector_agrees(struct scene *scene, bool is_size_known)
{
    struct search *search = calloc(1, sizeof *search);
    struct buzhash_selector selector = {.rule = buzhash_rule_of(&scene->params)};
    size_t file_bytes = scene->file.data_bytes;
    size_t count = 0;
    assert_non_null(search);
    buzhash_init(&search->hash, &scene->params);
    for (;;) {
        size_t searched =
            search->list_count > 0 ? (size_t)search->lists[search->list_count - 1].to : 0;
        bool is_done = searched + search->hash.window_bytes > file_bytes;
        uint64_t length =
            buzhash_select(&selector, search->lists, search->list_count,
                           is_done || is_size_known ? file_bytes : BUZHASH_SIZE_UNKNOWN);
        if (length > 0) {
            assert_true(count < scene->cut_count);
            assert_int_equal(length, scene->cuts[count]);
            count++;
        } else if (is_done) {
            break;
        } else {
            search_more(search, scene);
        }
    }
    assert_int_equal(count, scene->cut_count);
    for (size_t i = 0; i < search->list_count; i++) {
        free(search->lists[i].positions);
    }
    free(search);
}

static void selector_over_lists_cuts_as_the_cutter_does(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct scene scene;
        scene_init(&scene, 3000 + seed, true);
        assert_selector_agrees(&scene, true);
        assert_selector_agrees(&scene, false);
        scene_fini(&scene);
    }
}

/* Why the content decides at all: after an insertion the cuts find back to the old ones. */
static void cuts_resynchronise_behind_an_insertion(void **state)
{
    enum { BYTES = 100000, PREFIX = 777 };
    struct cadv_chunker_params params = {.kind = CADV_CHUNKER_BUZHASH,
                                         .min_exp = 6,
                                         .max_exp = 12,
                                         .mask_bits = 8,
                                         .window_bytes = 31};
    static uint8_t data[PREFIX + BYTES];
    static size_t before[BYTES];
    static size_t after[PREFIX + BYTES];
    struct noise noise = {4000};
    (void)state;
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)noise_next(&noise);
    }
    size_t before_count = cut_whole(&params, data + PREFIX, BYTES, before);
    size_t after_count = cut_whole(&params, data, PREFIX + BYTES, after);
    size_t same = 0;
    while (same < before_count && same < after_count &&
           before[before_count - 1 - same] == after[after_count - 1 - same]) {
        same++;
    }
    assert_true(same * 10 > before_count * 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_keep_to_the_limits),
        cmocka_unit_test(portions_do_not_matter),
        cmocka_unit_test(kernel_finds_what_hashing_each_window_finds),
        cmocka_unit_test(selector_over_lists_cuts_as_the_cutter_does),
        cmocka_unit_test(cuts_resynchronise_behind_an_insertion),
    };
    return cmocka_run_group_tests_name("chunk laws", tests, NULL, NULL);
}
