/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/tempdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/unit.h"

void tempdir_init(struct tempdir *dir)
{
    const char *base = getenv("TMPDIR");
    base = base == NULL || base[0] == '\0' ? "/tmp" : base;
    int length = snprintf(dir->path, sizeof dir->path, "%s/cadv-test.XXXXXX", base);
    assert_in_range(length, 1, sizeof dir->path - 1);
    assert_non_null(mkdtemp(dir->path));
    dir->fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(dir->fd >= 0);
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Empties the open directory `fd` and closes it. */
static void empty(int fd)
{
    DIR *stream = fdopendir(fd);
    assert_non_null(stream);
    for (const struct dirent *at = readdir(stream); at != NULL; at = readdir(stream)) {
        if (is_dot(at->d_name) || unlinkat(fd, at->d_name, 0) == 0) {
            continue;
        }
        assert_true(errno == EISDIR || errno == EPERM);
        int below = openat(fd, at->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        assert_true(below >= 0);
        empty(below);
        assert_int_equal(unlinkat(fd, at->d_name, AT_REMOVEDIR), 0);
    }
    (void)closedir(stream);
}

void tempdir_fini(struct tempdir *dir)
{
    empty(dir->fd);
    assert_int_equal(rmdir(dir->path), 0);
}

void tempdir_write(const struct tempdir *dir, const char *name, const void *data, size_t bytes)
{
    int fd = openat(dir->fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_true(write(fd, data, bytes) == (ssize_t)bytes);
    assert_int_equal(close(fd), 0);
}

size_t tempdir_count(const struct tempdir *dir)
{
    DIR *stream = opendir(dir->path);
    assert_non_null(stream);
    size_t count = 0;
    for (const struct dirent *at = readdir(stream); at != NULL; at = readdir(stream)) {
        count += !is_dot(at->d_name);
    }
    (void)closedir(stream);
    return count;
}
