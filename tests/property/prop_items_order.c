/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random trees, cut into blocks that arrive in random order, are visited as a plain recursion would
 * list them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/noise.h"
#include "support/shuffle.h"
#include "support/unit.h"
#include "support/visit_log.h"

#define INODES 12
#define ENTRIES_MAX 9
#define BLOCKS_MAX 4000

static const struct record_chunk_ref some_chunks[3] = {
    {.bytes = 11}, {.bytes = 12}, {.bytes = 13}};

struct maker {
    struct noise noise;
    struct record_items items;
    struct visit_log expected;
    uint32_t root;
    /** By inode: the path that came first, or NULL; and whether a link carries the chunks yet. */
    char *first[INODES];
    bool is_read[INODES];
};

static char *join(const char *directory, const char *name)
{
    char *path = NULL;
    bool is_top = strcmp(directory, ".") == 0;
    int length = asprintf(&path, "%s%s%s", is_top ? "" : directory, is_top ? "" : "/", name);
    assert_true(length >= 0);
    return path;
}

/* Short names of few letters, so that many begin alike; distinct within a directory by number. */
static void make_name(struct noise *noise, size_t number, char *name)
{
    static const char letters[] = "a-.\xff";
    size_t length = (size_t)noise_below(noise, 3);
    for (size_t i = 0; i < length; i++) {
        name[i] = letters[noise_below(noise, 4)];
    }
    name[length] = (char)('0' + number);
    name[length + 1] = '\0';
}

static void expect_link(struct maker *maker, const struct record_item *item, const char *path)
{
    char **first = &maker->first[item->ino];
    struct record_item shown = *item;
    shown.chunks = some_chunks;
    shown.chunk_count = *first == NULL ? 1 + item->ino % 3 : 0;
    visit_log_add(&maker->expected, &shown, path, *first);
    if (*first == NULL) {
        *first = strdup(path);
        assert_non_null(*first);
    }
}

static struct record_item make_item(struct maker *maker, unsigned depth)
{
    struct record_item item = {.type = RECORD_ITEM_FILE, .nlink = 1, .dev = 1};
    uint64_t kind = noise_below(&maker->noise, 10);
    if (kind < 4 && depth > 0) {
        item.type = RECORD_ITEM_DIRECTORY;
    } else if (kind < 6) {
        item.nlink = 2;
        item.ino = noise_below(&maker->noise, INODES);
        item.chunks = some_chunks;
    }
    return item;
}

/* Lists the directory's entries, cut into blocks; what the visit should show goes to `expected`. */
static void make_directory(struct maker *maker, const char *directory, unsigned depth)
{
    char names[ENTRIES_MAX][8];
    struct record_item entries[ENTRIES_MAX];
    size_t count = (size_t)noise_below(&maker->noise, ENTRIES_MAX + 1);
    for (size_t i = 0; i < count; i++) {
        make_name(&maker->noise, i, names[i]);
        entries[i] = make_item(maker, depth);
        entries[i].name = names[i];
        char *path = join(directory, names[i]);
        if (entries[i].nlink > 1) {
            expect_link(maker, &entries[i], path);
            /* Any one of an inode's links carries its list; which is drawn. */
            bool is_reader =
                !maker->is_read[entries[i].ino] && noise_below(&maker->noise, 2) == 0;
            entries[i].chunk_count = is_reader ? 1 + entries[i].ino % 3 : 0;
            maker->is_read[entries[i].ino] = maker->is_read[entries[i].ino] || is_reader;
        } else {
            visit_log_add(&maker->expected, &entries[i], path, NULL);
        }
        if (entries[i].type == RECORD_ITEM_DIRECTORY) {
            make_directory(maker, path, depth - 1);
        }
        free(path);
    }
    uint32_t sequence = 0;
    for (size_t start = 0; start < count;) {
        size_t length = 1 + (size_t)noise_below(&maker->noise, count - start);
        visit_add_block(&maker->items, directory, maker->root, sequence++, entries + start,
                        length);
        start += length;
    }
}

/* A last root whose files are the links that carry the lists of inodes not read so far. */
static void read_the_rest(struct maker *maker)
{
    for (uint32_t i = 0; i < INODES; i++) {
        if (maker->is_read[i]) {
            continue;
        }
        char name[] = "last?";
        name[4] = (char)('a' + i);
        struct record_item item = {.type = RECORD_ITEM_FILE,
                                   .nlink = 2,
                                   .dev = 1,
                                   .ino = i,
                                   .name = name,
                                   .chunks = some_chunks,
                                   .chunk_count = 1 + i % 3};
        expect_link(maker, &item, name);
        visit_add_block(&maker->items, "", ++maker->root, 0, &item, 1);
    }
}

static void shuffle_blocks(struct maker *maker)
{
    static size_t order[BLOCKS_MAX];
    size_t count = maker->items.block_count;
    assert_in_range(count, 1, BLOCKS_MAX);
    struct record_item_block *shuffled = calloc(count, sizeof *shuffled);
    assert_non_null(shuffled);
    shuffle(&maker->noise, order, count);
    for (size_t i = 0; i < count; i++) {
        shuffled[i] = maker->items.blocks[order[i]];
    }
    free(maker->items.blocks);
    maker->items.blocks = shuffled;
}

static void random_trees_are_listed_depth_first(void **state)
{
    static const char *const roots[] = {"srv/a", ".", "b"};
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct maker maker = {.noise = {seed}, .items = {.is_whole = true}};
        print_message("seed %llu\n", (unsigned long long)seed);
        for (maker.root = 0; maker.root < 3; maker.root++) {
            struct record_item root = {
                .type = RECORD_ITEM_DIRECTORY, .nlink = 2, .name = roots[maker.root]};
            visit_log_add(&maker.expected, &root, root.name, NULL);
            visit_add_block(&maker.items, "", maker.root, 0, &root, 1);
            make_directory(&maker, root.name, 4);
        }
        read_the_rest(&maker);
        shuffle_blocks(&maker);
        struct visit_log found = {0};
        assert_int_equal(record_items_visit(&maker.items, visit_log_item, &found, NULL),
                         CADV_OK);
        visit_log_assert_equal(&found, &maker.expected);
        visit_log_fini(&found);
        visit_log_fini(&maker.expected);
        record_items_fini(&maker.items);
        for (size_t i = 0; i < INODES; i++) {
            free(maker.first[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_are_listed_depth_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
