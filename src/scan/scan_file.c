/* SPDX-License-Identifier: BSD-2-Clause */
/* One regular file: what is wrong with it, and its links. */
#include <errno.h>

#include "scan/pipeline.h"
#include "source/source.h"
#include "walk/attributes.h"

static int read_file(void *ctx, uint8_t *buffer, size_t bytes, size_t *got)
{
    return source_read(ctx, buffer, bytes, got);
}

/* What was wrong with a file that was opened, in order of gravity; none: RECORD_PROBLEM_KINDS. */
static enum record_problem_kind judge(const struct source *source, int read_problem,
                                      uint64_t *bytes)
{
    uint64_t stated = (uint64_t)source->status.st_size;
    *bytes = stated > source->read_bytes ? stated - source->read_bytes : 0;
    if (read_problem != 0) {
        return RECORD_UNREADABLE;
    }
    if (source->has_shrunk) {
        return RECORD_SHRANK;
    }
    *bytes = source->read_bytes;
    if (source->has_grown) {
        return RECORD_GREW;
    }
    return source_has_changed(source) ? RECORD_CHANGED : RECORD_PROBLEM_KINDS;
}

/* Reads the open file's content, and counts what is wrong with it. */
static enum cadv_status read_content(struct scan_worker *worker, struct source *source,
                                     const struct walk_directory *directory,
                                     const struct walk_entry *entry, struct cadv_error *err)
{
    struct scan *scan = worker->scan;
    int read_problem = 0;
    enum cadv_status status =
        scan_content(worker, entry->status.links, read_file, source, &read_problem, err);
    worker->read_s += source->read_s;
    atomic_fetch_add_explicit(&scan->config->progress->files, 1, memory_order_relaxed);
    if (status != CADV_OK || scan_is_stopped(scan)) {
        return status;
    }
    scan_correct_size(scan, entry->status.size_bytes, source->read_bytes);
    uint64_t bytes = 0;
    enum record_problem_kind kind = judge(source, read_problem, &bytes);
    return kind == RECORD_PROBLEM_KINDS
               ? CADV_OK
               : scan_add_problem(scan, kind, read_problem, bytes, directory, entry->name, err);
}

enum cadv_status scan_file(struct scan_worker *worker, int fd,
                           const struct walk_directory *directory, struct walk_entry *entry,
                           enum scan_outcome *outcome, struct cadv_error *err)
{
    struct scan *scan = worker->scan;
    struct source source;
    int problem =
        source_open(&source, fd, entry->name, entry->status.device, entry->status.inode);
    *outcome = problem == 0 ? SCAN_FILE_READ : SCAN_FILE_REFUSED;
    if (problem != 0) {
        enum record_problem_kind kind = problem == ENOENT ? RECORD_VANISHED : RECORD_UNREADABLE;
        return scan_add_problem(scan, kind, problem, entry->status.size_bytes, directory,
                                entry->name, err);
    }
    enum walk_link link = WALK_LINK_FIRST;
    if (entry->status.links > 1) {
        link = walk_hardlinks_add(scan->hardlinks, entry->status.device, entry->status.inode);
    }
    enum cadv_status status = CADV_OK;
    if (link == WALK_LINK_NOMEM) {
        status = error_nomem(err, "remembering hard links");
    } else if (link == WALK_LINK_AGAIN) {
        *outcome = SCAN_FILE_AGAIN;
    } else {
        status = read_content(worker, &source, directory, entry, err);
    }
    if (status == CADV_OK) {
        problem =
            walk_attributes_read(source.fd, NULL, entry, scan->owners, &entry->attributes);
        status = scan_add_attribute_problem(scan, problem, directory, entry->name, err);
    }
    source_close(&source);
    return status;
}
