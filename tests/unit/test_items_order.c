/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which an archive lists items, case by case; prop_items_order has random trees. */
#include <stdlib.h>
#include <string.h>

#include "support/unit.h"
#include "support/visit_log.h"

static struct record_item entry(enum record_item_type type, const char *name)
{
    return (struct record_item){.type = type, .nlink = 1, .name = name};
}

static struct record_item file(const char *name)
{
    return entry(RECORD_ITEM_FILE, name);
}

static struct record_item folder(const char *name)
{
    return entry(RECORD_ITEM_DIRECTORY, name);
}

/* A link of inode `ino` on device `dev`, with the chunk list if it was the one read. */
static struct record_item linked(const char *name, uint64_t dev, uint64_t ino,
                                 const struct record_chunk_ref *chunks, size_t chunk_count)
{
    struct record_item item = file(name);
    item.nlink = 2;
    item.dev = dev;
    item.ino = ino;
    item.chunks = chunks;
    item.chunk_count = chunk_count;
    return item;
}

static void add_one(struct record_items *items, const char *directory, uint32_t root,
                    uint32_t sequence, struct record_item item)
{
    visit_add_block(items, directory, root, sequence, &item, 1);
}

static void assert_visits(struct record_items *items, const char *const *expected, size_t count)
{
    struct visit_log log = {0};
    assert_int_equal(record_items_visit(items, visit_log_item, &log, NULL), CADV_OK);
    for (size_t i = 0; i < log.count && i < count; i++) {
        assert_string_equal(log.lines[i], expected[i]);
    }
    assert_int_equal(log.count, count);
    visit_log_fini(&log);
    record_items_fini(items);
}

#define ASSERT_VISITS(items, ...)                                                              \
    do {                                                                                       \
        static const char *const expected[] = {__VA_ARGS__};                                   \
        assert_visits(items, expected, sizeof expected / sizeof expected[0]);                  \
    } while (0)

static void nothing_kept_is_nothing_visited(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    assert_visits(&items, NULL, 0);
}

/* The content of a folder follows it at once, also when more of the parent's blocks come later. */
static void a_folder_is_followed_by_its_content(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    struct record_item first[] = {file("z"), folder("m"), file("b")};
    struct record_item second[] = {folder("a"), file("c")};
    visit_add_block(&items, "top", 0, 1, second, 2);
    add_one(&items, "top/m/x", 0, 0, file("deep"));
    add_one(&items, "top/m", 0, 0, folder("x"));
    visit_add_block(&items, "top", 0, 0, first, 3);
    add_one(&items, "", 0, 0, folder("top"));
    ASSERT_VISITS(&items, "top", "top/z", "top/m", "top/m/x", "top/m/x/deep", "top/b", "top/a",
                  "top/c");
}

static void roots_come_in_the_order_given(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    add_one(&items, "srv/data", 2, 0, file("same"));
    add_one(&items, "", 1, 0, file("a.txt"));
    add_one(&items, "srv/data", 0, 0, file("same"));
    add_one(&items, "", 2, 0, folder("srv/data"));
    add_one(&items, "", 0, 0, folder("srv/data"));
    ASSERT_VISITS(&items, "srv/data", "srv/data/same", "a.txt", "srv/data", "srv/data/same");
}

static void paths_below_the_current_folder_have_no_prefix(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    add_one(&items, "", 0, 0, folder("."));
    add_one(&items, ".", 0, 0, folder("sub"));
    add_one(&items, "sub", 0, 0, file("x"));
    ASSERT_VISITS(&items, ".", "sub", "sub/x");
}

static void paths_below_the_parent_folder_have_no_prefix(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    add_one(&items, "", 0, 0, folder(".."));
    add_one(&items, "..", 0, 0, folder("sub"));
    add_one(&items, "sub", 0, 0, file("x"));
    ASSERT_VISITS(&items, "..", "sub", "sub/x");
}

/* '-' sorts before '/', and "a" is the beginning of all three. */
static void folders_whose_names_begin_alike_are_told_apart(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    struct record_item tops[] = {folder("a"), folder("a-"), folder("ab")};
    add_one(&items, "", 0, 0, folder("r"));
    visit_add_block(&items, "r", 0, 0, tops, 3);
    add_one(&items, "r/ab", 0, 0, file("3"));
    add_one(&items, "r/a-", 0, 0, file("2"));
    add_one(&items, "r/a", 0, 0, file("1"));
    ASSERT_VISITS(&items, "r", "r/a", "r/a/1", "r/a-", "r/a-/2", "r/ab", "r/ab/3");
}

static const struct record_chunk_ref three_chunks[3] = {
    {.bytes = 501}, {.bytes = 502}, {.bytes = 503}};

static void the_first_link_in_order_lists_the_chunks_whoever_was_read(void **state)
{
    (void)state;
    for (int read = 0; read < 3; read++) {
        struct record_items items = {.is_whole = true};
        struct record_item tops[] = {linked("one", 1, 9, three_chunks, read == 0 ? 3 : 0),
                                     folder("sub"),
                                     linked("three", 1, 9, three_chunks, read == 2 ? 3 : 0)};
        add_one(&items, "r/sub", 0, 0, linked("two", 1, 9, three_chunks, read == 1 ? 3 : 0));
        add_one(&items, "", 0, 0, folder("r"));
        visit_add_block(&items, "r", 0, 0, tops, 3);
        ASSERT_VISITS(&items, "r", "r/one [3] 501", "r/sub", "r/sub/two -> r/one",
                      "r/three -> r/one");
    }
}

/* What a visit shows of chunks that no item lists. */
static enum cadv_status add_unlisted(const struct record_item *item, const char *path,
                                     const char *source, void *ctx, struct cadv_error *err)
{
    struct record_unlisted *sums = ctx;
    (void)path;
    (void)err;
    assert_true(source == NULL || item->unlisted.chunks == 0);
    sums->chunks += item->unlisted.chunks;
    sums->bytes += item->unlisted.bytes;
    return CADV_OK;
}

/* With a list that has no room at all, too. */
static void what_is_not_listed_goes_to_the_link_that_lists(void **state)
{
    (void)state;
    for (size_t read = 0; read < 2; read++) {
        for (size_t listed = 0; listed < 2; listed++) {
            struct record_items items = {.is_whole = true};
            struct record_item tops[] = {
                linked("a", 1, 9, three_chunks, read == 0 ? listed : 0),
                linked("b", 1, 9, three_chunks, read == 1 ? listed : 0)};
            struct record_unlisted sums = {0};
            tops[read].unlisted = (struct record_unlisted){.chunks = 7, .bytes = 70};
            add_one(&items, "", 0, 0, folder("r"));
            visit_add_block(&items, "r", 0, 0, tops, 2);
            assert_int_equal(record_items_visit(&items, add_unlisted, &sums, NULL), CADV_OK);
            assert_int_equal(sums.chunks, 7);
            assert_int_equal(sums.bytes, 70);
            record_items_fini(&items);
        }
    }
}

static void links_are_told_apart_by_device_and_inode(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    struct record_item tops[] = {
        linked("a", 1, 9, three_chunks, 0), linked("b", 2, 9, three_chunks, 2),
        linked("c", 1, 8, three_chunks, 1), linked("d", 2, 9, NULL, 0),
        linked("e", 1, 9, three_chunks, 3), linked("f", 1, 7, NULL, 0)};
    add_one(&items, "", 0, 0, folder("r"));
    visit_add_block(&items, "r", 0, 0, tops, 6);
    ASSERT_VISITS(&items, "r", "r/a [3] 501", "r/b [2] 501", "r/c [1] 501", "r/d -> r/b",
                  "r/e -> r/a", "r/f");
}

static void folders_with_many_links_are_not_hard_links(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    struct record_item tops[] = {folder("a"), folder("b")};
    tops[0].nlink = 5;
    tops[1].nlink = 5;
    add_one(&items, "", 0, 0, folder("r"));
    visit_add_block(&items, "r", 0, 0, tops, 2);
    ASSERT_VISITS(&items, "r", "r/a", "r/b");
}

/* By place: no folder leads to another, and which link came first is unknown. */
static void a_part_of_the_items_is_visited_block_by_block(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = false};
    struct record_item some[] = {file("2"), linked("no", 1, 9, three_chunks, 3), file("1")};
    visit_add_block(&items, "r/b", 0, 3, some, 3);
    add_one(&items, "r/b", 0, 0, folder("sub"));
    add_one(&items, "a", 1, 0, file("x"));
    add_one(&items, "r/a", 0, 7, file("y"));
    ASSERT_VISITS(&items, "r/a/y", "r/b/sub", "r/b/2", "r/b/1", "a/x");
}

static void a_status_that_is_not_ok_ends_the_visit(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        struct record_items items = {.is_whole = whole == 1};
        struct record_item some[] = {file("1"), file("2"), file("3")};
        add_one(&items, "", 0, 0, folder("r"));
        visit_add_block(&items, "r", 0, 0, some, 3);
        struct visit_log log = {.end_after = 2, .failure = CADV_ERR_OUTPUT};
        assert_int_equal(record_items_visit(&items, visit_log_item, &log, NULL),
                         CADV_ERR_OUTPUT);
        assert_int_equal(log.count, 2);
        visit_log_fini(&log);
        record_items_fini(&items);
    }
}

#define DEPTH 10000

struct depth_seen {
    size_t count;
    size_t wrong;
};

static enum cadv_status see_depth(const struct record_item *item, const char *path,
                                  const char *source, void *ctx, struct cadv_error *err)
{
    struct depth_seen *seen = ctx;
    (void)item;
    (void)source;
    (void)err;
    /* "d", "d/d", "d/d/d", ... */
    seen->wrong += strlen(path) != 2 * seen->count + 1;
    seen->count++;
    return CADV_OK;
}

static void a_tree_of_ten_thousand_levels_is_no_deeper_than_others(void **state)
{
    (void)state;
    struct record_items items = {.is_whole = true};
    char *path = calloc(2 * DEPTH + 2, 1);
    assert_non_null(path);
    for (size_t depth = 0; depth < DEPTH; depth++) {
        add_one(&items, path, 0, 0, folder("d"));
        memcpy(path + (depth == 0 ? 0 : 2 * depth - 1), depth == 0 ? "d" : "/d",
               depth == 0 ? 2 : 3);
    }
    free(path);
    struct depth_seen seen = {0};
    assert_int_equal(record_items_visit(&items, see_depth, &seen, NULL), CADV_OK);
    assert_int_equal(seen.count, DEPTH);
    assert_int_equal(seen.wrong, 0);
    record_items_fini(&items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_kept_is_nothing_visited),
        cmocka_unit_test(a_folder_is_followed_by_its_content),
        cmocka_unit_test(roots_come_in_the_order_given),
        cmocka_unit_test(paths_below_the_current_folder_have_no_prefix),
        cmocka_unit_test(paths_below_the_parent_folder_have_no_prefix),
        cmocka_unit_test(folders_whose_names_begin_alike_are_told_apart),
        cmocka_unit_test(the_first_link_in_order_lists_the_chunks_whoever_was_read),
        cmocka_unit_test(what_is_not_listed_goes_to_the_link_that_lists),
        cmocka_unit_test(links_are_told_apart_by_device_and_inode),
        cmocka_unit_test(folders_with_many_links_are_not_hard_links),
        cmocka_unit_test(a_part_of_the_items_is_visited_block_by_block),
        cmocka_unit_test(a_status_that_is_not_ok_ends_the_visit),
        cmocka_unit_test(a_tree_of_ten_thousand_levels_is_no_deeper_than_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
