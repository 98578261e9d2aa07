/* SPDX-License-Identifier: BSD-2-Clause */
/* A batch of entries of one directory: files are read, every entry becomes an item. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "scan/pipeline.h"
#include "walk/attributes.h"

struct batch_task {
    struct par_task task;
    struct scan *scan;
    /** Owned reference; NULL: the entry is a root. */
    struct walk_directory *directory;
    uint32_t root;
    uint32_t sequence;
    size_t entry_count;
    struct walk_entry entries[];
};

/* The further links of a file are counted with this in place of the first one's path, whose length
 * would depend on which link was read first. */
static const char some_path[] = "some/where/among/the/files/of/an/ordinary/dataset/file.ext";

/* What the allocator adds to a piece, about. */
#define ALLOCATION_BYTES 16U

static void drop_batch(struct par_task *base)
{
    struct batch_task *batch = (struct batch_task *)base;
    for (size_t i = 0; i < batch->entry_count; i++) {
        free(batch->entries[i].name);
        free(batch->entries[i].link_target);
        free(batch->entries[i].attributes);
    }
    walk_directory_unref(batch->directory);
    free(batch);
}

/* Attributes of what is not read. A directory that Borg cannot open is in no archive. */
static enum cadv_status examine(struct scan *scan, int fd,
                                const struct walk_directory *directory,
                                struct walk_entry *entry, enum scan_outcome *outcome,
                                struct cadv_error *err)
{
    bool is_refused = false;
    int problem =
        walk_attributes_examine(fd, entry, scan->owners, &entry->attributes, &is_refused);
    *outcome = is_refused ? SCAN_FILE_REFUSED : SCAN_FILE_READ;
    return is_refused ? scan_add_directory_problem(scan, problem, directory, entry->name, err)
                      : scan_add_attribute_problem(scan, problem, directory, entry->name, err);
}

static struct record_item make_item(struct scan *scan, const struct walk_entry *entry)
{
    static const enum record_item_type types[] = {
        [WALK_FILE] = RECORD_ITEM_FILE,       [WALK_DIRECTORY] = RECORD_ITEM_DIRECTORY,
        [WALK_SYMLINK] = RECORD_ITEM_SYMLINK, [WALK_FIFO] = RECORD_ITEM_FIFO,
        [WALK_DEVICE] = RECORD_ITEM_DEVICE,
    };
    const struct walk_status *status = &entry->status;
    const struct walk_attributes *attributes = entry->attributes;
    return (struct record_item){.flags = attributes == NULL ? 0 : attributes->flags,
                                .attributes = attributes == NULL ? NULL : attributes->pairs,
                                .attributes_bytes =
                                    attributes == NULL ? 0 : (uint32_t)attributes->bytes,
                                .type = types[entry->type],
                                .mode = status->mode,
                                .uid = status->uid,
                                .gid = status->gid,
                                .ino = status->inode,
                                .dev = status->device,
                                .rdev = status->rdev,
                                .nlink = status->links,
                                .size_bytes = (uint64_t)status->size_bytes,
                                .mtime_ns = status->mtime_ns,
                                .ctime_ns = status->ctime_ns,
                                .name = entry->name,
                                .link_target = entry->link_target,
                                .user = walk_owners_user(scan->owners, status->uid),
                                .group = walk_owners_group(scan->owners, status->gid)};
}

/* Stored sizes are not known yet; any chunk's length has the right number of bytes. */
static uint64_t csize_for_counting(void *ctx, const struct record_chunk_ref *chunk)
{
    (void)ctx;
    return chunk->bytes;
}

void scan_count_item(struct scan_worker *worker, const struct record_item *item,
                     const char *path, const char *source)
{
    worker->packed_bytes +=
        worker->scan->config->pack_item(item, path, source, csize_for_counting, NULL, NULL, 0) +
        item->unlisted.packed_bytes;
    worker->unlisted_chunks += item->unlisted.chunks;
    worker->hardlinks += source != NULL;
    worker->count_by_type[item->type] += source == NULL;
}

static enum cadv_status count_item(struct scan_worker *worker, const struct batch_task *batch,
                                   const struct record_item *item, bool is_again,
                                   struct cadv_error *err)
{
    const char *top = batch->directory == NULL ? "" : batch->directory->archive_path;
    char *path = walk_archive_join(top, item->name);
    if (path == NULL) {
        return error_nomem(err, "counting the items");
    }
    scan_count_item(worker, item, path, is_again ? some_path : NULL);
    free(path);
    return CADV_OK;
}

/*
 * Turns one entry into an item; *is_item is false when it is in no archive. The item's chunk list
 * is good for now only, see chunk_list_end().
 */
static enum cadv_status take_entry(struct scan_worker *worker, struct batch_task *batch, int fd,
                                   struct walk_entry *entry, struct record_item *item,
                                   bool *is_item, struct cadv_error *err)
{
    struct scan *scan = worker->scan;
    *is_item = false;
    if (entry->problem != 0) {
        enum record_problem_kind kind =
            entry->problem == ENOENT ? RECORD_VANISHED : RECORD_UNREADABLE;
        return scan_add_problem(scan, kind, entry->problem, 0, batch->directory, entry->name,
                                err);
    }
    if (entry->type == WALK_OTHER) {
        worker->skipped_special++;
        return CADV_OK;
    }
    enum scan_outcome outcome = SCAN_FILE_READ;
    struct walk_entry seen = *entry;
    enum cadv_status status = CADV_OK;
    if (scan_is_special(scan, fd, entry)) {
        seen.type = WALK_FILE;
        seen.link_target = NULL;
        status = scan_special(worker, fd, batch->directory, entry, &seen.status, &outcome, err);
    } else if (entry->type == WALK_FILE) {
        status = scan_file(worker, fd, batch->directory, entry, &outcome, err);
        if (outcome != SCAN_FILE_READ) {
            scan_lose(scan, 1, entry->status.size_bytes);
        }
    } else {
        status = examine(scan, fd, batch->directory, entry, &outcome, err);
    }
    if (status != CADV_OK || outcome == SCAN_FILE_REFUSED) {
        return status;
    }
    seen.attributes = entry->attributes;
    bool is_again = outcome == SCAN_FILE_AGAIN;
    *item = make_item(scan, &seen);
    chunk_list_end(&worker->list, item);
    if (batch->directory == NULL) {
        item->name = scan->config->roots[batch->root].archive_path;
    }
    *is_item = true;
    return count_item(worker, batch, item, is_again, err);
}

static enum cadv_status keep_items(struct scan_worker *worker, const struct batch_task *batch,
                                   struct record_item *items, size_t count,
                                   struct cadv_error *err)
{
    chunk_list_settle(&worker->list, items, count);
    const char *directory = batch->directory == NULL ? "" : batch->directory->archive_path;
    return scan_collect(&worker->scan->collector, directory, batch->root, batch->sequence,
                        items, count, err);
}

static enum cadv_status work_through(struct scan_worker *worker, struct batch_task *batch,
                                     int fd, struct record_item *items, struct cadv_error *err)
{
    size_t count = 0;
    chunk_list_clear(&worker->list);
    for (size_t i = 0; i < batch->entry_count && !scan_is_stopped(worker->scan); i++) {
        bool is_item = false;
        par_pool_checkpoint(worker->scan->pool);
        enum cadv_status status =
            take_entry(worker, batch, fd, &batch->entries[i], &items[count], &is_item, err);
        if (status != CADV_OK) {
            return status;
        }
        count += is_item;
    }
    return keep_items(worker, batch, items, count, err);
}

/* Counted among what is found. */
static bool has_content(const struct walk_entry *entry)
{
    return entry->type == WALK_FILE && entry->problem == 0;
}

static enum cadv_status run_batch(struct par_task *base, void *state, struct cadv_error *err)
{
    struct batch_task *batch = (struct batch_task *)base;
    struct scan_worker *worker = state;
    enum cadv_status status = CADV_OK;
    int problem =
        batch->directory == NULL ? 0 : walk_place_go(&worker->place, batch->directory);
    int fd = batch->directory == NULL ? AT_FDCWD : worker->place.fd;
    struct record_item *items = malloc(size_mul(batch->entry_count, sizeof *items));
    if (items == NULL) {
        status = error_nomem(err, "listing the items");
    } else if (problem != 0) {
        /* The directory went away after it was listed: so did all of its files. */
        for (size_t i = 0; i < batch->entry_count && status == CADV_OK; i++) {
            const struct walk_entry *entry = &batch->entries[i];
            uint64_t bytes = entry->type == WALK_FILE ? entry->status.size_bytes : 0;
            if (has_content(entry)) {
                scan_lose(worker->scan, 1, bytes);
            }
            status = scan_add_problem(worker->scan,
                                      problem == ENOENT ? RECORD_VANISHED : RECORD_UNREADABLE,
                                      problem, bytes, batch->directory, entry->name, err);
        }
    } else {
        status = work_through(worker, batch, fd, items, err);
    }
    free(items);
    drop_batch(base);
    return status;
}

static size_t text_bytes(const char *text)
{
    return text == NULL ? 0 : strlen(text) + ALLOCATION_BYTES;
}

/* Memory that a batch takes; each counts its directory in full. */
static size_t waiting_bytes(const struct walk_directory *directory,
                            const struct walk_entry *entries, size_t count)
{
    size_t bytes = sizeof(struct batch_task) + count * sizeof *entries + ALLOCATION_BYTES;
    for (size_t i = 0; i < count; i++) {
        bytes += text_bytes(entries[i].name) + text_bytes(entries[i].link_target);
    }
    if (directory != NULL) {
        bytes += sizeof *directory + text_bytes(directory->path) +
                 text_bytes(directory->archive_path);
    }
    return bytes;
}

enum cadv_status scan_push_batch(struct scan *scan, struct walk_directory *directory,
                                 uint32_t root, uint32_t sequence, struct walk_entry *entries,
                                 size_t entry_count, struct cadv_error *err)
{
    struct batch_task *batch =
        malloc(size_add(sizeof *batch, size_mul(entry_count, sizeof *entries)));
    if (batch == NULL) {
        return error_nomem(err, "listing a directory");
    }
    *batch = (struct batch_task){
        .task = {.run = run_batch,
                 .drop = drop_batch,
                 .bytes = waiting_bytes(directory, entries, entry_count)},
        .scan = scan,
        .directory = directory == NULL ? NULL : walk_directory_ref(directory),
        .root = root,
        .sequence = sequence,
        .entry_count = entry_count};
    memcpy(batch->entries, entries, entry_count * sizeof *entries);
    for (size_t i = 0; i < entry_count; i++) {
        if (has_content(&entries[i])) {
            scan_find(scan, 1, entries[i].status.size_bytes);
        }
        entries[i].name = NULL;
        entries[i].link_target = NULL;
        entries[i].attributes = NULL;
    }
    par_pool_push(scan->pool, SCAN_LANE_FILES, &batch->task);
    return CADV_OK;
}
