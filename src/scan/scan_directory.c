/* SPDX-License-Identifier: BSD-2-Clause */
/* A directory: listed once, cut into batches, its directories pushed as further tasks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "par/sync.h"
#include "record/problems.h"
#include "scan/pipeline.h"

struct directory_task {
    struct par_task task;
    struct scan *scan;
    struct walk_directory *directory;
};

/* The program's or the system's limits, which say nothing about the data. */
static bool is_our_shortage(int saved_errno)
{
    return saved_errno == EMFILE || saved_errno == ENFILE || saved_errno == ENOMEM;
}

enum cadv_status scan_add_problem(struct scan *scan, enum record_problem_kind kind,
                                  int saved_errno, uint64_t bytes,
                                  const struct walk_directory *directory, const char *name,
                                  struct cadv_error *err)
{
    char *path = directory == NULL ? NULL : walk_join(directory->path, name);
    if (directory != NULL && path == NULL) {
        return error_nomem(err, "noting a problem");
    }
    if (is_our_shortage(saved_errno)) {
        enum cadv_status status = cadv_error_set(err, CADV_ERR_SYSTEM, saved_errno,
                                                 "cannot open '%s'; try a smaller --jobs",
                                                 path == NULL ? name : path);
        free(path);
        return status;
    }
    atomic_fetch_add_explicit(&scan->config->progress->problems, 1, memory_order_relaxed);
    par_lock(&scan->problems_lock);
    bool is_noted = record_problems_add(scan->problems, kind, saved_errno, bytes,
                                        path == NULL ? name : path);
    par_unlock(&scan->problems_lock);
    free(path);
    return is_noted ? CADV_OK : error_nomem(err, "noting a problem");
}

static enum record_problem_kind kind_of(int saved_errno)
{
    return saved_errno == ENOENT ? RECORD_VANISHED : RECORD_UNREADABLE;
}

enum cadv_status scan_add_attribute_problem(struct scan *scan, int saved_errno,
                                            const struct walk_directory *directory,
                                            const char *name, struct cadv_error *err)
{
    return saved_errno == 0 ? CADV_OK
                            : scan_add_problem(scan, kind_of(saved_errno), saved_errno, 0,
                                               directory, name, err);
}

enum cadv_status scan_add_directory_problem(struct scan *scan, int saved_errno,
                                            const struct walk_directory *directory,
                                            const char *name, struct cadv_error *err)
{
    char *path = directory == NULL ? strdup(name) : walk_join(directory->path, name);
    if (path == NULL) {
        return error_nomem(err, "noting a problem");
    }
    enum cadv_status status = CADV_OK;
    XXH128_hash_t hash = XXH3_128bits(path, strlen(path));
    enum index_outcome outcome = index_insert(scan->refused, hash.high64, hash.low64);
    if (outcome == INDEX_NOMEM) {
        status = error_nomem(err, "noting a problem");
    } else if (outcome == INDEX_NEW) {
        status = scan_add_problem(scan, kind_of(saved_errno), saved_errno, 0, NULL, path, err);
    }
    free(path);
    return status;
}

static void drop_directory(struct par_task *base)
{
    struct directory_task *task = (struct directory_task *)base;
    walk_directory_unref(task->directory);
    free(task);
}

/* Directories of this list that the walk goes into, last first so that the first runs next. */
static enum cadv_status push_children(struct scan *scan, const struct walk_directory *directory,
                                      const struct walk_list *list, struct cadv_error *err)
{
    const struct walk_filter *filter = scan->config->filter;
    for (size_t i = list->count; i-- > 0;) {
        const struct walk_entry *entry = &list->entries[i];
        if (entry->type != WALK_DIRECTORY ||
            !walk_enters(filter, &entry->status, directory->root_device)) {
            continue;
        }
        struct walk_directory *child = walk_directory_child(directory, entry);
        enum cadv_status status = child == NULL ? error_nomem(err, "listing a directory")
                                                : scan_push_directory(scan, child, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    return CADV_OK;
}

/* How many entries from `start` make the next batch; from the list alone. */
static size_t batch_length(const struct walk_list *list, size_t start)
{
    uint64_t bytes = 0;
    size_t count = 0;
    while (start + count < list->count && count < SCAN_BATCH_ENTRIES) {
        const struct walk_entry *entry = &list->entries[start + count];
        uint64_t more = entry->type == WALK_FILE ? entry->status.size_bytes : 0;
        if (count > 0 && bytes + more > SCAN_BATCH_BYTES) {
            break;
        }
        bytes += more;
        count++;
    }
    return count;
}

/* Where the batches start, in new memory; their number is never 0. NULL when memory ran out. */
static size_t *batch_starts(const struct walk_list *list, size_t *count)
{
    size_t *starts = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t start = 0; start < list->count; start += batch_length(list, start)) {
        size_t *longer = array_reserve(starts, &capacity, *count + 1, sizeof *longer);
        if (longer == NULL) {
            free(starts);
            return NULL;
        }
        starts = longer;
        starts[(*count)++] = start;
    }
    return starts;
}

/*
 * The last batch first: so the first runs next, and the list gives back its memory from its end
 * while the batches take as much.
 */
static enum cadv_status push_batches(struct scan *scan, struct walk_directory *directory,
                                     struct walk_list *list, struct cadv_error *err)
{
    size_t batch = 0;
    if (list->count == 0) {
        return CADV_OK;
    }
    size_t *starts = batch_starts(list, &batch);
    if (starts == NULL) {
        return error_nomem(err, "listing a directory");
    }
    enum cadv_status status = CADV_OK;
    while (batch > 0 && status == CADV_OK) {
        size_t start = starts[--batch];
        status = scan_push_batch(scan, directory, directory->root, (uint32_t)batch,
                                 list->entries + start, list->count - start, err);
        if (status == CADV_OK) {
            walk_list_cut(list, start);
        }
    }
    free(starts);
    return status;
}

static enum cadv_status run_directory(struct par_task *base, void *state,
                                      struct cadv_error *err)
{
    struct directory_task *task = (struct directory_task *)base;
    struct scan_worker *worker = state;
    struct scan *scan = worker->scan;
    struct walk_list list = {0};
    enum cadv_status status = CADV_OK;
    if (scan_is_stopped(scan)) {
        drop_directory(base);
        return status;
    }
    int problem =
        walk_directory_read(&worker->place, task->directory, scan->config->filter, &list);
    if (problem == ENOMEM) {
        status = error_nomem(err, "listing a directory");
    } else if (problem != 0) {
        status = scan_add_directory_problem(scan, problem, NULL, task->directory->path, err);
    }
    if (status == CADV_OK) {
        status = push_children(scan, task->directory, &list, err);
    }
    if (status == CADV_OK) {
        status = push_batches(scan, task->directory, &list, err);
    }
    scan_end_finding(scan);
    walk_list_fini(&list);
    drop_directory(base);
    return status;
}

enum cadv_status scan_push_directory(struct scan *scan, struct walk_directory *directory,
                                     struct cadv_error *err)
{
    struct directory_task *task = malloc(sizeof *task);
    if (task == NULL) {
        walk_directory_unref(directory);
        return error_nomem(err, "listing a directory");
    }
    *task = (struct directory_task){.task = {.run = run_directory, .drop = drop_directory},
                                    .scan = scan,
                                    .directory = directory};
    scan_begin_finding(scan);
    par_pool_push(scan->pool, SCAN_LANE_DIRECTORIES, &task->task);
    return CADV_OK;
}
