/* SPDX-License-Identifier: BSD-2-Clause */
#include "sample/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Contents start on file system blocks, so that dropping one gives its blocks back. */
#define SPOOL_ALIGN 4096U

void contents_init(struct contents *store, uint64_t memory_max_bytes,
                   const char *spool_directory)
{
    *store = (struct contents){.memory_max_bytes = memory_max_bytes,
                               .spool_directory = spool_directory,
                               .spool_fd = -1};
}

void contents_fini(struct contents *store)
{
    if (store->spool_fd >= 0) {
        (void)close(store->spool_fd);
        store->spool_fd = -1;
    }
}

/* A file without a name: nothing is left behind however the program ends. */
static int open_unnamed(const char *directory)
{
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        return fd;
    }
    char name[4096];
    int length = snprintf(name, sizeof name, "%s/compadvise.XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0) {
        (void)unlink(name);
    }
    return fd;
}

static int write_all(int fd, const uint8_t *data, size_t bytes, uint64_t offset)
{
    while (bytes > 0) {
        ssize_t count = pwrite(fd, data, bytes, (off_t)offset);
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        if (count > 0) {
            data += count;
            bytes -= (size_t)count;
            offset += (uint64_t)count;
        }
    }
    return 0;
}

static bool put_in_file(struct contents *store, const uint8_t *data, struct content *content)
{
    if (store->spool_errno != 0) {
        return false;
    }
    if (store->spool_fd < 0) {
        store->spool_fd = open_unnamed(store->spool_directory);
    }
    store->spool_errno = store->spool_fd < 0 ? errno
                                             : write_all(store->spool_fd, data, content->bytes,
                                                         store->spool_end);
    if (store->spool_errno != 0) {
        return false;
    }
    content->spool_offset = store->spool_end;
    uint64_t blocks = ((uint64_t)content->bytes + SPOOL_ALIGN - 1) / SPOOL_ALIGN;
    store->spool_end += blocks * SPOOL_ALIGN;
    return true;
}

bool contents_put(struct contents *store, const uint8_t *data, uint32_t bytes,
                  struct content *content)
{
    *content = (struct content){.bytes = bytes};
    if (store->memory_bytes + bytes <= store->memory_max_bytes) {
        content->memory = malloc(bytes);
    }
    if (content->memory == NULL) {
        return put_in_file(store, data, content);
    }
    memcpy(content->memory, data, bytes);
    store->memory_bytes += bytes;
    return true;
}

void contents_drop(struct contents *store, struct content *content)
{
    if (content->memory != NULL) {
        store->memory_bytes -= content->bytes;
        free(content->memory);
        content->memory = NULL;
        return;
    }
    /* Only a courtesy to the disk; a file system that cannot is fine. */
    (void)fallocate(store->spool_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)content->spool_offset, (off_t)content->bytes);
}

int contents_read(const struct contents *store, const struct content *content, uint8_t *buffer)
{
    if (content->memory != NULL) {
        memcpy(buffer, content->memory, content->bytes);
        return 0;
    }
    size_t done = 0;
    while (done < content->bytes) {
        ssize_t count = pread(store->spool_fd, buffer + done, content->bytes - done,
                              (off_t)(content->spool_offset + done));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return count == 0 ? EIO : errno;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}
