/* SPDX-License-Identifier: BSD-2-Clause */
/* FIFOs, devices and standard input read as if they were files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "scan/pipeline.h"
#include "source/input.h"

/* Borg notes the time of the run; a fixed one of the same length keeps sizes the same every time. */
#define STREAM_TIME_NS (INT64_C(1704067200) * 1000000000)

struct reading {
    const struct scan *scan;
    struct source_input *input;
};

/* How much there is, nobody knows before. */
static int read_input(void *ctx, uint8_t *buffer, size_t bytes, size_t *got)
{
    const struct reading *reading = ctx;
    int problem = source_input_read(reading->input, buffer, bytes, got);
    scan_find(reading->scan, 0, *got);
    return problem;
}

static bool is_special_mode(mode_t mode)
{
    return S_ISFIFO(mode) || S_ISCHR(mode) || S_ISBLK(mode);
}

bool scan_is_special(const struct scan *scan, int fd, const struct walk_entry *entry)
{
    struct stat target;
    if (!scan->config->is_read_special) {
        return false;
    }
    if (entry->type != WALK_SYMLINK) {
        return is_special_mode(entry->status.mode);
    }
    return fstatat(fd, entry->name, &target, 0) == 0 && is_special_mode(target.st_mode);
}

/* Reads and closes it. */
static enum cadv_status read_all(struct scan_worker *worker, struct source_input *input,
                                 uint64_t links, const struct walk_directory *directory,
                                 const char *name, struct cadv_error *err)
{
    int problem = 0;
    struct reading reading = {.scan = worker->scan, .input = input};
    scan_find(worker->scan, 1, 0);
    enum cadv_status status = scan_content(worker, links, read_input, &reading, &problem, err);
    if (!scan_is_stopped(worker->scan)) {
        scan_end_finding(worker->scan);
    }
    worker->read_s += input->read_s;
    source_input_close(input);
    atomic_fetch_add_explicit(&worker->scan->config->progress->files, 1, memory_order_relaxed);
    if (status != CADV_OK || problem == 0) {
        return status;
    }
    return scan_add_problem(worker->scan, RECORD_UNREADABLE, problem, 0, directory, name, err);
}

enum cadv_status scan_special(struct scan_worker *worker, int fd,
                              const struct walk_directory *directory,
                              const struct walk_entry *entry, struct walk_status *status,
                              enum scan_outcome *outcome, struct cadv_error *err)
{
    struct scan *scan = worker->scan;
    struct source_input input;
    int problem = source_input_special(&input, fd, entry->name, scan->config->stop);
    if (problem != 0) {
        enum record_problem_kind kind = problem == ENOENT ? RECORD_VANISHED : RECORD_UNREADABLE;
        *outcome = SCAN_FILE_REFUSED;
        return scan_add_problem(scan, kind, problem, 0, directory, entry->name, err);
    }
    *status = walk_status_of(&input.status);
    status->mode = S_IFREG | (status->mode & 07777U);
    enum walk_link link = WALK_LINK_FIRST;
    if (status->links > 1) {
        link = walk_hardlinks_add(scan->hardlinks, status->device, status->inode);
    }
    *outcome = link == WALK_LINK_AGAIN ? SCAN_FILE_AGAIN : SCAN_FILE_READ;
    if (link == WALK_LINK_FIRST) {
        scan_begin_finding(scan);
        return read_all(worker, &input, status->links, directory, entry->name, err);
    }
    source_input_close(&input);
    return link == WALK_LINK_NOMEM ? error_nomem(err, "remembering hard links") : CADV_OK;
}

struct stream_task {
    struct par_task task;
    struct scan *scan;
    uint32_t root;
};

static enum cadv_status run_stream(struct par_task *base, void *state, struct cadv_error *err)
{
    struct stream_task *task = (struct stream_task *)base;
    struct scan_worker *worker = state;
    const struct scan_config *config = worker->scan->config;
    uint32_t root = task->root;
    struct source_input input;
    free(task);

    int problem = source_input_open(&input, "-", config->stop);
    if (problem != 0) {
        return cadv_error_set(err, CADV_ERR_INPUT, problem, "cannot read standard input");
    }
    chunk_list_clear(&worker->list);
    enum cadv_status status = read_all(worker, &input, 1, NULL, config->stdin_name, err);
    if (status != CADV_OK) {
        return status;
    }
    /* Borg's defaults for what comes from standard input. */
    struct record_item item = {.type = RECORD_ITEM_FILE,
                               .mode = S_IFREG | 0660,
                               .nlink = 1,
                               .mtime_ns = STREAM_TIME_NS,
                               .ctime_ns = STREAM_TIME_NS,
                               .name = config->stdin_name,
                               .user = "root",
                               .group = "root"};
    chunk_list_end(&worker->list, &item);
    scan_count_item(worker, &item, config->stdin_name, NULL);
    return scan_collect(&worker->scan->collector, "", root, 0, &item, 1, err);
}

static void drop_stream(struct par_task *task)
{
    free(task);
}

enum cadv_status scan_push_stream(struct scan *scan, uint32_t root, struct cadv_error *err)
{
    struct stream_task *task = malloc(sizeof *task);
    if (task == NULL) {
        return error_nomem(err, "opening the roots");
    }
    *task = (struct stream_task){
        .task = {.run = run_stream, .drop = drop_stream}, .scan = scan, .root = root};
    scan_begin_finding(scan);
    par_pool_push(scan->pool, SCAN_LANE_DIRECTORIES, &task->task);
    return CADV_OK;
}
