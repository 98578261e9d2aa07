/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/visit_log.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "support/unit.h"

void visit_log_add(struct visit_log *log, const struct record_item *item, const char *path,
                   const char *source)
{
    log->lines = array_reserve(log->lines, &log->capacity, log->count + 1, sizeof *log->lines);
    assert_non_null(log->lines);
    char chunks[64] = "";
    if (item->chunk_count > 0) {
        (void)snprintf(chunks, sizeof chunks, " [%zu] %u", item->chunk_count,
                       item->chunks[0].bytes);
    }
    char *line = NULL;
    int length = asprintf(&line, "%s%s%s%s", path, source == NULL ? "" : " -> ",
                          source == NULL ? "" : source, chunks);
    assert_true(length >= 0);
    log->lines[log->count++] = line;
}

enum cadv_status visit_log_item(const struct record_item *item, const char *path,
                                const char *source, void *ctx, struct cadv_error *err)
{
    struct visit_log *log = ctx;
    (void)err;
    visit_log_add(log, item, path, source);
    return log->count == log->end_after ? log->failure : CADV_OK;
}

void visit_log_assert_equal(const struct visit_log *found, const struct visit_log *expected)
{
    for (size_t i = 0; i < found->count && i < expected->count; i++) {
        assert_string_equal(found->lines[i], expected->lines[i]);
    }
    assert_int_equal(found->count, expected->count);
}

void visit_log_fini(struct visit_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        free(log->lines[i]);
    }
    free(log->lines);
    *log = (struct visit_log){0};
}

void visit_add_block(struct record_items *all, const char *directory, uint32_t root,
                     uint32_t sequence, const struct record_item *items, size_t count)
{
    struct record_item_block *blocks =
        realloc(all->blocks, (all->block_count + 1) * sizeof *blocks);
    assert_non_null(blocks);
    all->blocks = blocks;
    assert_int_equal(record_item_block_init(&blocks[all->block_count], directory, root,
                                            sequence, items, count),
                     CADV_OK);
    all->block_count++;
}
