/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source/source.h - the bytes of one regular file, read once and in order, never mapped (a mapped
 * file that shrinks kills its reader).
 *
 * A file is read to the size it had when it was opened and no further, so that one that grows for
 * ever ends. Files that state no size but have content, and those of file systems whose sizes mean
 * nothing (proc, sysfs), are read up to SOURCE_UNSIZED_MAX bytes.
 *
 * May include: base.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define SOURCE_UNSIZED_MAX (16ULL * 1024 * 1024)

struct source {
    int fd;
    /** As it was when opened. */
    struct stat status;
    /** The stated size is one, and reading ends there. */
    bool is_sized;
    uint64_t read_bytes;
    /** Set by source_read(): the file ended before its stated size, or went on after it. */
    bool has_shrunk;
    bool has_grown;
    /** Seconds inside read(). */
    double read_s;
};

/**
 * Opens `name` in the directory `fd`, which must be the regular file (`device`, `inode`) that the
 * walk saw: 0, or an errno (ENOENT when it is gone or was replaced by something else). Does not
 * follow links, does not block, leaves the access time alone where the system allows.
 */
int source_open(struct source *source, int fd, const char *name, dev_t device, ino_t inode);

/**
 * Reads up to `bytes` more into `buffer`; fills it unless the file ends. `*got` is less than
 * `bytes` only at the end. 0 or an errno.
 */
int source_read(struct source *source, uint8_t *buffer, size_t bytes, size_t *got);

/** True when the file's size or times are no longer those it had when opened. */
bool source_has_changed(const struct source *source);

void source_close(struct source *source);

#endif
