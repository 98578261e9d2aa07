/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample/contents.h - a store for chunk contents: memory first, then an unlinked temporary file.
 * Not thread-safe but for contents_read(), which may run from many threads once nothing changes.
 */
#ifndef SAMPLE_CONTENTS_H
#define SAMPLE_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct contents {
    /** Bytes in memory, and the most that may be. */
    uint64_t memory_bytes;
    uint64_t memory_max_bytes;
    const char *spool_directory;
    /** -1 until the file is needed. */
    int spool_fd;
    /** Where the next content goes in the file. */
    uint64_t spool_end;
    /** errno of the write that failed, or 0. */
    int spool_errno;
};

/** One content: in memory, or at an offset of the file. */
struct content {
    uint8_t *memory;
    uint64_t spool_offset;
    uint32_t bytes;
};

void contents_init(struct contents *store, uint64_t memory_max_bytes,
                   const char *spool_directory);
void contents_fini(struct contents *store);

/** Keeps a copy of `bytes` bytes; false when neither memory nor file takes them. */
bool contents_put(struct contents *store, const uint8_t *data, uint32_t bytes,
                  struct content *content);

/** Gives the space back. */
void contents_drop(struct contents *store, struct content *content);

/** Copies the content out; 0 or an errno. */
int contents_read(const struct contents *store, const struct content *content, uint8_t *buffer);

#endif
