/* SPDX-License-Identifier: BSD-2-Clause */
/* support/tempdir.h - a folder for one test, gone afterwards with all that is in it. */
#ifndef SUPPORT_TEMPDIR_H
#define SUPPORT_TEMPDIR_H

#include <stddef.h>

struct tempdir {
    char path[256];
    /** The folder, open. */
    int fd;
};

/** Makes it, in $TMPDIR or /tmp. */
void tempdir_init(struct tempdir *dir);

/** Removes it, however deep the trees in it are. */
void tempdir_fini(struct tempdir *dir);

/** Writes a file anew. */
void tempdir_write(const struct tempdir *dir, const char *name, const void *data, size_t bytes);

/** How many names the folder holds. */
size_t tempdir_count(const struct tempdir *dir);

#endif
