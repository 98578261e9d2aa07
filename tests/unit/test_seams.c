/* SPDX-License-Identifier: BSD-2-Clause */
/* Where repeated content begins and ends, counted by hand. */
#include "session/seams.h"

#include "record/items.h"
#include "support/unit.h"
#include "support/visit_log.h"

/* Each letter is a chunk; the digest is the letter. */
static struct record_item file_of(const char *name, const char *letters,
                                  struct record_chunk_ref *chunks)
{
    struct record_item item = {
        .type = RECORD_ITEM_FILE, .nlink = 1, .name = name, .chunks = chunks};
    for (; letters[item.chunk_count] != '\0'; item.chunk_count++) {
        unsigned char letter = (unsigned char)letters[item.chunk_count];
        chunks[item.chunk_count] = (struct record_chunk_ref){
            .digest = {.high = letter, .low = (uint64_t)letter << 8}, .bytes = 1000};
    }
    return item;
}

/* The sum of squares over the files, given as the strings of their chunks. */
static uint64_t squares_of(const char *const *files, size_t count)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct record_chunk_ref chunks[5][16];
    struct record_item items[5];
    struct record record;
    uint64_t squares = 99;
    record_init(&record);
    record.population_count = 1;
    for (size_t i = 0; i < count; i++) {
        items[i] = file_of(names[i], files[i], chunks[i]);
        record.populations[0].strata[RECORD_LARGE].unique_chunks += items[i].chunk_count;
    }
    struct record_item root = {.type = RECORD_ITEM_DIRECTORY, .nlink = 2, .name = "r"};
    visit_add_block(&record.items, "", 0, 0, &root, 1);
    visit_add_block(&record.items, "r", 0, 0, items, count);
    assert_int_equal(seams_count(&record, &squares, NULL), CADV_OK);
    record_fini(&record);
    return squares;
}

#define SQUARES(...)                                                                           \
    squares_of((const char *const[]){__VA_ARGS__},                                             \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void nothing_repeated_has_no_seams(void **state)
{
    (void)state;
    assert_int_equal(SQUARES("ABCD", "EFG", "", "H"), 0);
}

static void a_copy_of_all_has_no_seams(void **state)
{
    (void)state;
    assert_int_equal(SQUARES("ABCD", "ABCD", "BC", "D"), 0);
}

static void each_end_of_repeated_content_is_a_seam(void **state)
{
    (void)state;
    /* Before C. */
    assert_int_equal(SQUARES("ABCD", "xCD"), 1);
    /* After B, before D: two chunks, so one and one. */
    assert_int_equal(SQUARES("ABCD", "ABxD"), 2);
    /* Within one file as well. */
    assert_int_equal(SQUARES("ABA"), 1);
}

static void seams_at_one_chunk_move_together(void **state)
{
    (void)state;
    assert_int_equal(SQUARES("ABCD", "xCD", "yCD", "zCD"), 9);
    assert_int_equal(SQUARES("ABCD", "xBCD", "yCD", "zD"), 3);
    /* Before and after the same one. */
    assert_int_equal(SQUARES("ABC", "xBy"), 4);
}

#define MANY 5000U

/* As of a scan that was stopped: no chunk is counted, and the items name many. */
static void items_may_name_more_chunks_than_are_counted(void **state)
{
    (void)state;
    static struct record_chunk_ref chunks[2 * MANY];
    struct record record;
    uint64_t squares = 0;
    record_init(&record);
    record.population_count = 1;
    for (unsigned i = 0; i < MANY; i++) {
        chunks[i] = (struct record_chunk_ref){
            .digest = {.high = i, .low = (1ULL + i) * 0x9E3779B97F4A7C15U}, .bytes = 1};
        chunks[MANY + i] = chunks[i];
    }
    struct record_item file = {.type = RECORD_ITEM_FILE,
                               .nlink = 1,
                               .name = "file",
                               .chunks = chunks,
                               .chunk_count = 2UL * MANY};
    visit_add_block(&record.items, "folder", 0, 0, &file, 1);
    assert_int_equal(seams_count(&record, &squares, NULL), CADV_OK);
    record_fini(&record);
    assert_int_equal(squares, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_repeated_has_no_seams),
        cmocka_unit_test(a_copy_of_all_has_no_seams),
        cmocka_unit_test(each_end_of_repeated_content_is_a_seam),
        cmocka_unit_test(seams_at_one_chunk_move_together),
        cmocka_unit_test(items_may_name_more_chunks_than_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
