/* SPDX-License-Identifier: BSD-2-Clause */
/* support/visit_log.h - what record_items_visit() showed, as lines to compare. */
#ifndef SUPPORT_VISIT_LOG_H
#define SUPPORT_VISIT_LOG_H

#include <stddef.h>

#include "record/items.h"

/** Zero it first. */
struct visit_log {
    char **lines;
    size_t count;
    size_t capacity;
    /** Ends the visit after so many items with `failure`; 0: never. */
    size_t end_after;
    enum cadv_status failure;
};

/** Adds "path", or "path -> source", then " [n]" and the first chunk's size for n > 0 chunks. */
void visit_log_add(struct visit_log *log, const struct record_item *item, const char *path,
                   const char *source);

/** A record_item_fn that logs; ctx is the log. */
enum cadv_status visit_log_item(const struct record_item *item, const char *path,
                                const char *source, void *ctx, struct cadv_error *err);

/** Fails the test unless both have the same lines. */
void visit_log_assert_equal(const struct visit_log *found, const struct visit_log *expected);

/** Frees the lines; the log is empty then. */
void visit_log_fini(struct visit_log *log);

/** Adds a block of copies of `items` to `all`. */
void visit_add_block(struct record_items *all, const char *directory, uint32_t root,
                     uint32_t sequence, const struct record_item *items, size_t count);

#endif
