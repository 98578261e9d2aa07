/* SPDX-License-Identifier: BSD-2-Clause */
/* One file: read in order into a sliding buffer, cut, chunk by chunk. */
#include <errno.h>
#include <string.h>

#include "scan/pipeline.h"
#include "source/source.h"

/* The part of the file that is in the buffer. */
struct span {
    size_t start;
    size_t end;
    bool is_last;
};

/* Moves what is left to the front and reads behind it. 0 or an errno. */
static int refill(struct scan_worker *worker, struct source *source, struct span *span)
{
    memmove(worker->buffer, worker->buffer + span->start, span->end - span->start);
    span->end -= span->start;
    span->start = 0;
    size_t wanted = worker->buffer_bytes - span->end;
    size_t got = 0;
    int problem = source_read(source, worker->buffer + span->end, wanted, &got);
    span->end += got;
    span->is_last = problem != 0 || got < wanted;
    return problem;
}

static enum cadv_status cut_all(struct scan_worker *worker, struct source *source, int *problem,
                                struct cadv_error *err)
{
    struct span span = {0};
    *problem = refill(worker, source, &span);
    cadv_cutter_start(worker->cutter);
    while (!scan_is_stopped(worker->scan)) {
        par_pool_checkpoint(worker->scan->pool);
        size_t have = span.end - span.start;
        size_t length =
            cadv_cutter_next(worker->cutter, worker->buffer + span.start, have, span.is_last);
        if (length > 0) {
            enum cadv_status status =
                scan_chunk(worker, worker->buffer + span.start, (uint32_t)length, err);
            if (status != CADV_OK) {
                return status;
            }
            span.start += length;
        } else if (span.is_last) {
            break;
        } else {
            *problem = refill(worker, source, &span);
        }
    }
    return CADV_OK;
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
    enum cadv_status status = cut_all(worker, source, &read_problem, err);
    worker->read_s += source->read_s;
    atomic_fetch_add_explicit(&scan->config->progress->files, 1, memory_order_relaxed);
    if (status != CADV_OK || scan_is_stopped(scan)) {
        return status;
    }
    scan_excuse(worker, (uint64_t)entry->status.st_size, source->read_bytes);
    uint64_t bytes = 0;
    enum record_problem_kind kind = judge(source, read_problem, &bytes);
    return kind == RECORD_PROBLEM_KINDS
               ? CADV_OK
               : scan_add_problem(scan, kind, read_problem, bytes, directory, entry->name, err);
}

enum cadv_status scan_file(struct scan_worker *worker, int fd,
                           const struct walk_directory *directory,
                           const struct walk_entry *entry, enum scan_outcome *outcome,
                           struct cadv_error *err)
{
    struct scan *scan = worker->scan;
    struct source source;
    int problem =
        source_open(&source, fd, entry->name, entry->status.st_dev, entry->status.st_ino);
    *outcome = problem == 0 ? SCAN_FILE_READ : SCAN_FILE_REFUSED;
    if (problem != 0) {
        enum record_problem_kind kind = problem == ENOENT ? RECORD_VANISHED : RECORD_UNREADABLE;
        return scan_add_problem(scan, kind, problem, (uint64_t)entry->status.st_size, directory,
                                entry->name, err);
    }
    enum walk_link link = WALK_LINK_FIRST;
    if (entry->status.st_nlink > 1) {
        link = walk_hardlinks_add(scan->hardlinks, entry->status.st_dev, entry->status.st_ino);
    }
    enum cadv_status status = CADV_OK;
    if (link == WALK_LINK_NOMEM) {
        status = error_nomem(err, "remembering hard links");
    } else if (link == WALK_LINK_AGAIN) {
        *outcome = SCAN_FILE_AGAIN;
    } else {
        status = read_content(worker, &source, directory, entry, err);
    }
    source_close(&source);
    return status;
}
