/* SPDX-License-Identifier: BSD-2-Clause */
/* Seams between repeated and new content, counted by hand. */
#include <unistd.h>

#include "record/items.h"
#include "session/seams.h"
#include "support/unit.h"
#include "support/visit_log.h"

#define WATCHDOG_S 60U
#define MANY 5000U

static struct record_chunk_ref chunk(uint64_t number)
{
    /* Bits like a digest's, so that places differ. */
    return (struct record_chunk_ref){
        .digest = {.high = number, .low = number * 0x9E3779B97F4A7C15U}, .bytes = 1};
}

static void add_file(struct record *record, uint32_t sequence,
                     const struct record_chunk_ref *chunks, size_t count)
{
    struct record_item file = {.type = RECORD_ITEM_FILE,
                               .nlink = 1,
                               .name = "file",
                               .chunks = chunks,
                               .chunk_count = count};
    visit_add_block(&record->items, "folder", 0, sequence, &file, 1);
}

static uint64_t count_of(struct record *record)
{
    uint64_t count = 0;
    assert_int_equal(seams_count(record, &count, NULL), CADV_OK);
    record_fini(record);
    return count;
}

static struct record *new_record(void)
{
    static struct record record;
    record_init(&record);
    record.population_count = 1;
    return &record;
}

static void where_repeated_content_begins_and_ends(void **state)
{
    (void)state;
    struct record *record = new_record();
    const struct record_chunk_ref first[] = {chunk(1), chunk(2), chunk(3), chunk(4)};
    /* New, then two that were there, then new again. */
    const struct record_chunk_ref second[] = {chunk(5), chunk(2), chunk(3), chunk(6)};
    add_file(record, 0, first, 4);
    add_file(record, 1, second, 4);
    assert_int_equal(count_of(record), 2);
}

static void a_file_boundary_is_no_seam(void **state)
{
    (void)state;
    struct record *record = new_record();
    const struct record_chunk_ref both[] = {chunk(1), chunk(2)};
    add_file(record, 0, both, 2);
    add_file(record, 1, both, 2);
    assert_int_equal(count_of(record), 0);
}

/* As of a scan that was stopped: no chunk is counted, and the items name many. */
static void items_may_name_more_chunks_than_are_counted(void **state)
{
    (void)state;
    static struct record_chunk_ref chunks[2 * MANY];
    struct record *record = new_record();
    for (unsigned i = 0; i < MANY; i++) {
        chunks[i] = chunk(1 + i);
        chunks[MANY + i] = chunk(1 + i);
    }
    add_file(record, 0, chunks, 2UL * MANY);
    assert_int_equal(count_of(record), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_repeated_content_begins_and_ends),
        cmocka_unit_test(a_file_boundary_is_no_seam),
        cmocka_unit_test(items_may_name_more_chunks_than_are_counted),
    };
    (void)alarm(WATCHDOG_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
