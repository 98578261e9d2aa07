/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive: one worker reads it from end to end, each member is cut as a file of its own, and
 * other workers make the trials of its chunks. Items go to blocks in the order of the members, the
 * order in which Borg's import-tar packs them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan/pipeline.h"
#include "source/archive.h"

/* Unreadable headers in a row after which no good one is expected. */
#define DAMAGED_MAX 1000U

struct archive_task {
    struct par_task task;
    struct scan *scan;
    uint32_t root;
};

/** What an item of the block points to. Owned. */
struct member_texts {
    char *name;
    char *target;
    char *user;
    char *group;
};

/** One archive being read. */
struct reading {
    struct scan_worker *worker;
    struct source_archive *archive;
    uint32_t root;
    /** Path of the archive. */
    const char *name;
    /** The block in the making, and its strings. */
    struct record_item items[SCAN_BATCH_ENTRIES];
    struct member_texts texts[SCAN_BATCH_ENTRIES];
    size_t count;
    /** Content of the block's files. */
    uint64_t bytes;
    uint32_t sequence;
};

static int read_member(void *ctx, uint8_t *buffer, size_t bytes, size_t *got)
{
    const struct reading *reading = ctx;
    int event = (int)source_archive_read(reading->archive, buffer, bytes, got);
    scan_find(reading->worker->scan, 0, *got);
    return event;
}

/* What an event that ends something counts as. */
static enum record_problem_kind kind_of(enum source_event event)
{
    static const enum record_problem_kind kinds[] = {
        [SOURCE_DAMAGED] = RECORD_DAMAGED,       [SOURCE_BROKEN] = RECORD_DAMAGED,
        [SOURCE_LOCKED] = RECORD_ENCRYPTED,      [SOURCE_LIMIT] = RECORD_LIMIT,
        [SOURCE_UNREADABLE] = RECORD_UNREADABLE,
    };
    CADV_ASSERT((size_t)event < sizeof kinds / sizeof kinds[0]);
    return kinds[event];
}

/* `member` NULL: the archive as a whole. */
static enum cadv_status add_problem(const struct reading *reading,
                                    enum record_problem_kind kind, const char *member,
                                    uint64_t bytes, struct cadv_error *err)
{
    int saved_errno = kind == RECORD_UNREADABLE ? source_archive_errno(reading->archive) : 0;
    if (member == NULL) {
        return scan_add_problem(reading->worker->scan, kind, saved_errno, bytes, NULL,
                                reading->name, err);
    }
    char *path = NULL;
    if (asprintf(&path, "%s:%s", reading->name, member) < 0) {
        return error_nomem(err, "noting a problem");
    }
    enum cadv_status status =
        scan_add_problem(reading->worker->scan, kind, saved_errno, bytes, NULL, path, err);
    free(path);
    return status;
}

/* Gives the block away, or back to memory. */
static void clear_block(struct reading *reading)
{
    for (size_t i = 0; i < reading->count; i++) {
        const struct member_texts *texts = &reading->texts[i];
        free(texts->name);
        free(texts->target);
        free(texts->user);
        free(texts->group);
    }
    reading->count = 0;
    reading->bytes = 0;
    chunk_list_clear(&reading->worker->list);
}

static enum cadv_status flush_block(struct reading *reading, struct cadv_error *err)
{
    chunk_list_settle(&reading->worker->list, reading->items, reading->count);
    enum cadv_status status =
        scan_collect(&reading->worker->scan->collector, "", reading->root, reading->sequence++,
                     reading->items, reading->count, err);
    clear_block(reading);
    return status;
}

/* The path as import-tar stores it: nothing of "/" and "../" at the front, no slash at the end. */
static char *stored_path(const char *path)
{
    for (;;) {
        size_t slashes = strspn(path, "/");
        if (slashes > 0) {
            path += slashes;
        } else if (strncmp(path, "../", 3) == 0) {
            path += 2;
        } else {
            break;
        }
    }
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/') {
        length--;
    }
    return length == 0 ? strdup(".") : strndup(path, length);
}

static bool copy_text(char **to, const char *from)
{
    *to = from == NULL ? NULL : strdup(from);
    return from == NULL || *to != NULL;
}

/* False when memory ran out; what was copied is in *texts all the same. */
static bool copy_texts(struct member_texts *texts, const struct source_member *member)
{
    *texts = (struct member_texts){.name = stored_path(member->path)};
    bool is_copied = copy_text(&texts->target, member->target);
    is_copied = copy_text(&texts->user, member->user) && is_copied;
    return copy_text(&texts->group, member->group) && is_copied && texts->name != NULL;
}

/* Adds the member to the block, with the chunks of its content if it has any. */
static enum cadv_status add_item(struct reading *reading, const struct source_member *member,
                                 struct cadv_error *err)
{
    static const enum record_item_type types[] = {
        [SOURCE_FILE] = RECORD_ITEM_FILE,       [SOURCE_DIRECTORY] = RECORD_ITEM_DIRECTORY,
        [SOURCE_SYMLINK] = RECORD_ITEM_SYMLINK, [SOURCE_HARDLINK] = RECORD_ITEM_FILE,
        [SOURCE_FIFO] = RECORD_ITEM_FIFO,       [SOURCE_DEVICE] = RECORD_ITEM_DEVICE,
    };
    struct scan_worker *worker = reading->worker;
    struct record_item *item = &reading->items[reading->count];
    struct member_texts *texts = &reading->texts[reading->count];
    bool is_copied = copy_texts(texts, member);
    *item = (struct record_item){.type = types[member->type],
                                 .mode = member->mode,
                                 .uid = member->uid,
                                 .gid = member->gid,
                                 .rdev = member->rdev,
                                 .nlink = 1,
                                 .size_bytes = member->size_bytes,
                                 .mtime_ns = member->mtime_ns,
                                 .is_member = true,
                                 .name = texts->name,
                                 .link_target = texts->target,
                                 .user = texts->user,
                                 .group = texts->group};
    chunk_list_end(&worker->list, item);
    reading->count++;
    if (!is_copied) {
        return error_nomem(err, "listing the items");
    }
    bool is_link = member->type == SOURCE_HARDLINK;
    scan_count_item(worker, item, item->name, is_link ? item->link_target : NULL);
    if (reading->count == SCAN_BATCH_ENTRIES || reading->bytes >= SCAN_BATCH_BYTES) {
        return flush_block(reading, err);
    }
    return CADV_OK;
}

/* Content of a file; *event is how it ended. */
static enum cadv_status read_content(struct reading *reading,
                                     const struct source_member *member,
                                     enum source_event *event, struct cadv_error *err)
{
    struct scan_worker *worker = reading->worker;
    int last = SOURCE_GOOD;
    scan_find(worker->scan, 1, 0);
    enum cadv_status status = scan_content(worker, 1, read_member, reading, &last, err);
    *event = (enum source_event)last;
    uint64_t bytes = worker->list.bytes;
    reading->bytes += bytes;
    atomic_fetch_add_explicit(&worker->scan->config->progress->files, 1, memory_order_relaxed);
    if (status != CADV_OK || *event == SOURCE_GOOD || *event == SOURCE_STOPPED) {
        return status;
    }
    uint64_t lost = member->size_bytes > bytes ? member->size_bytes - bytes : 0;
    return add_problem(reading, kind_of(*event), member->path, lost, err);
}

/* *event: SOURCE_GOOD when there may be another member. */
static enum cadv_status take_member(struct reading *reading, const struct source_member *member,
                                    enum source_event *event, struct cadv_error *err)
{
    struct scan_worker *worker = reading->worker;
    *event = SOURCE_GOOD;
    if (member->type == SOURCE_OTHER) {
        worker->skipped_special++;
        return CADV_OK;
    }
    if (member->type == SOURCE_FILE && member->is_encrypted) {
        return add_problem(reading, RECORD_ENCRYPTED, member->path, member->size_bytes, err);
    }
    if (member->type == SOURCE_FILE) {
        enum cadv_status status = read_content(reading, member, event, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    worker->partial_archives += *event > SOURCE_DAMAGED && *event != SOURCE_STOPPED;
    enum cadv_status status = add_item(reading, member, err);
    *event = *event == SOURCE_DAMAGED ? SOURCE_GOOD : *event;
    return status;
}

static enum cadv_status read_members(struct reading *reading, struct cadv_error *err)
{
    unsigned damaged = 0;
    for (;;) {
        struct source_member member;
        enum cadv_status status = CADV_OK;
        enum source_event event = source_archive_next(reading->archive, &member);
        if (event == SOURCE_END || event == SOURCE_STOPPED) {
            return CADV_OK;
        }
        if (event == SOURCE_GOOD) {
            damaged = 0;
            status = take_member(reading, &member, &event, err);
            if (status != CADV_OK || event != SOURCE_GOOD) {
                return status;
            }
            continue;
        }
        bool is_over = event != SOURCE_DAMAGED || ++damaged == DAMAGED_MAX;
        reading->worker->partial_archives += is_over;
        status = add_problem(reading, kind_of(event), NULL, 0, err);
        if (status != CADV_OK || is_over) {
            return status;
        }
    }
}

static enum cadv_status read_archive(struct scan_worker *worker, uint32_t root,
                                     struct cadv_error *err)
{
    const struct scan_config *config = worker->scan->config;
    struct reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) {
        return error_nomem(err, "opening an archive");
    }
    reading->worker = worker;
    reading->root = root;
    reading->name = config->roots[root].path;
    chunk_list_clear(&worker->list);
    enum cadv_status status = source_archive_open(reading->name, config->archive_max_bytes,
                                                  config->stop, &reading->archive, err);
    if (status == CADV_OK) {
        status = read_members(reading, err);
        worker->read_s += source_archive_read_s(reading->archive);
        worker->scan->archives[root] =
            (struct record_archive){.is_tar = source_archive_is_tar(reading->archive),
                                    .is_package = source_archive_is_package(reading->archive),
                                    .filter = source_archive_filter(reading->archive)};
    }
    if (status == CADV_OK) {
        status = flush_block(reading, err);
    }
    clear_block(reading);
    source_archive_close(reading->archive);
    free(reading);
    return status;
}

static enum cadv_status run_archive(struct par_task *base, void *state, struct cadv_error *err)
{
    uint32_t root = ((struct archive_task *)base)->root;
    struct scan_worker *worker = state;
    free(base);
    enum cadv_status status =
        scan_is_stopped(worker->scan) ? CADV_OK : read_archive(worker, root, err);
    if (!scan_is_stopped(worker->scan)) {
        scan_end_finding(worker->scan);
    }
    return status;
}

static void drop_archive(struct par_task *base)
{
    free(base);
}

enum cadv_status scan_push_archive(struct scan *scan, uint32_t root, struct cadv_error *err)
{
    struct archive_task *task = malloc(sizeof *task);
    if (task == NULL) {
        return error_nomem(err, "opening the roots");
    }
    *task = (struct archive_task){
        .task = {.run = run_archive, .drop = drop_archive}, .scan = scan, .root = root};
    scan_begin_finding(scan);
    par_pool_push(scan->pool, SCAN_LANE_DIRECTORIES, &task->task);
    return CADV_OK;
}
