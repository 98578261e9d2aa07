/* SPDX-License-Identifier: BSD-2-Clause */
/* Which paths are left out, and which directories are not entered. */
#include <fnmatch.h>
#include <string.h>

#include "walk/walk.h"

/*
 * Borg's fm: style: '*' also matches '/', there is no escape character, and a pattern that matches
 * a directory takes everything below. As excluded directories are not entered, only the path itself
 * needs a test here, and "DIR/" means: the contents, not the directory.
 */
static bool matches(const char *pattern, const char *archive_path)
{
    while (pattern[0] == '/') {
        pattern++;
    }
    return fnmatch(pattern, archive_path, FNM_NOESCAPE) == 0;
}

/* "dir/" excludes what is in dir: try it with the star that Borg appends. */
static bool matches_contents(const char *pattern, const char *archive_path)
{
    size_t bytes = strlen(pattern);
    char with_star[4096];
    if (bytes == 0 || pattern[bytes - 1] != '/' || bytes + 2 > sizeof with_star) {
        return false;
    }
    memcpy(with_star, pattern, bytes);
    memcpy(with_star + bytes, "*", 2);
    return matches(with_star, archive_path);
}

bool walk_is_excluded(const struct walk_filter *filter, const char *archive_path)
{
    for (size_t i = 0; i < filter->exclude_count; i++) {
        const char *pattern = filter->excludes[i];
        if (matches(pattern, archive_path) || matches_contents(pattern, archive_path)) {
            return true;
        }
    }
    return false;
}

bool walk_enters(const struct walk_filter *filter, const struct stat *status, dev_t root_device)
{
    return !filter->is_one_file_system || status->st_dev == root_device;
}

bool walk_is_earlier_root(const struct walk_filter *filter, const struct stat *status,
                          uint32_t root)
{
    for (uint32_t i = 0; i < root && i < filter->root_count; i++) {
        const struct stat *other = &filter->roots[i].status;
        if (other->st_dev == status->st_dev && other->st_ino == status->st_ino) {
            return true;
        }
    }
    return false;
}
