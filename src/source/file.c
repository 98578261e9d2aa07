/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "source/source.h"

/*
 * Larger pieces: the kernel refuses them for some files without a size (as below /proc/sys) with
 * ENOMEM, because it makes room for the whole answer at once.
 */
#define UNSIZED_PIECE_BYTES ((size_t)64 * 1024)

/* File systems that make contents up when they are read, and sizes before that. */
static bool is_made_up(int fd)
{
    static const long kinds[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
                                 CGROUP2_SUPER_MAGIC};
    struct statfs system;
    if (fstatfs(fd, &system) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((long)system.f_type == kinds[i]) {
            return true;
        }
    }
    return false;
}

/* Only a file that takes no room on any disk can be made up: others are not asked about. */
static bool is_size_true(const struct source *source)
{
    const struct stat *status = &source->status;
    return status->st_size > 0 && (status->st_blocks > 0 || !is_made_up(source->fd));
}

int source_open(struct source *source, int fd, const char *name, dev_t device, ino_t inode)
{
    /* O_NONBLOCK: a FIFO put in the file's place must not hang the open. */
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    *source = (struct source){.fd = openat(fd, name, flags | O_NOATIME)};
    if (source->fd < 0 && errno == EPERM) {
        /* O_NOATIME is for a file's owner only. */
        source->fd = openat(fd, name, flags);
    }
    if (source->fd < 0) {
        /* A link or a socket in its place now: the file that the walk saw is gone. */
        return errno == ELOOP || errno == ENXIO ? ENOENT : errno;
    }
    int problem = fstat(source->fd, &source->status) == 0 ? 0 : errno;
    if (problem == 0 && (!S_ISREG(source->status.st_mode) || source->status.st_dev != device ||
                         source->status.st_ino != inode)) {
        problem = ENOENT;
    }
    if (problem != 0) {
        source_close(source);
    } else {
        source->is_sized = is_size_true(source);
    }
    return problem;
}

/* One read(), retried when a signal interrupts it. */
static ssize_t read_some(struct source *source, uint8_t *buffer, size_t bytes)
{
    double before = clock_wall_s();
    ssize_t got = 0;
    do {
        got = read(source->fd, buffer, bytes);
    } while (got < 0 && errno == EINTR);
    source->read_s += clock_wall_s() - before;
    return got;
}

/* One byte more than the stated size tells a file that grows. */
static bool goes_on(struct source *source)
{
    uint8_t probe = 0;
    return read_some(source, &probe, 1) == 1;
}

int source_read(struct source *source, uint8_t *buffer, size_t bytes, size_t *got)
{
    uint64_t limit = source->is_sized ? (uint64_t)source->status.st_size : SOURCE_UNSIZED_MAX;
    size_t piece = source->is_sized ? bytes : UNSIZED_PIECE_BYTES;
    *got = 0;
    while (*got < bytes) {
        uint64_t left = limit - source->read_bytes;
        if (left == 0) {
            source->has_grown = source->has_grown || goes_on(source);
            return 0;
        }
        size_t room = bytes - *got < piece ? bytes - *got : piece;
        size_t wanted = room < left ? room : (size_t)left;
        ssize_t count = read_some(source, buffer + *got, wanted);
        if (count < 0) {
            return errno;
        }
        if (count == 0) {
            source->has_shrunk = source->is_sized;
            return 0;
        }
        *got += (size_t)count;
        source->read_bytes += (uint64_t)count;
    }
    return 0;
}

bool source_has_changed(const struct source *source)
{
    struct stat now;
    if (fstat(source->fd, &now) != 0) {
        return true;
    }
    const struct stat *then = &source->status;
    return now.st_size != then->st_size || now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
}

void source_close(struct source *source)
{
    if (source->fd >= 0) {
        (void)close(source->fd);
        source->fd = -1;
    }
}
