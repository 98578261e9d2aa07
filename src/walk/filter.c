/* SPDX-License-Identifier: BSD-2-Clause */
/* Which paths are left out, and which directories are not entered. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "walk/walk.h"

/* "dir/" excludes what is in dir, "dir" also itself; both as Borg normalises them. */
static char *pattern_new(const char *text)
{
    size_t bytes = strlen(text);
    char *normal = walk_normalise(text);
    if (normal == NULL) {
        return NULL;
    }
    const char *start = normal + strspn(normal, "/");
    bool is_contents_only = bytes > 0 && text[bytes - 1] == '/';
    char *pattern = NULL;
    if (start[0] == '\0') {
        pattern = strdup("*");
    } else if (is_contents_only) {
        pattern = asprintf(&pattern, "%s/*", start) < 0 ? NULL : pattern;
    } else {
        pattern = strdup(start);
    }
    free(normal);
    return pattern;
}

char **walk_patterns_new(const char *const *texts, size_t count)
{
    char **patterns = calloc(count + 1, sizeof *patterns);
    for (size_t i = 0; patterns != NULL && i < count; i++) {
        patterns[i] = pattern_new(texts[i]);
        if (patterns[i] == NULL) {
            walk_patterns_free(patterns, i);
            return NULL;
        }
    }
    return patterns;
}

void walk_patterns_free(char **patterns, size_t count)
{
    for (size_t i = 0; patterns != NULL && i < count; i++) {
        free(patterns[i]);
    }
    free(patterns);
}

/*
 * Borg's fm: style: '*' also matches '/', there is no escape character, and what matches a
 * directory takes everything below (FNM_LEADING_DIR).
 */
bool walk_is_excluded(const struct walk_filter *filter, const char *archive_path)
{
    for (size_t i = 0; i < filter->exclude_count; i++) {
        if (fnmatch(filter->excludes[i], archive_path, FNM_NOESCAPE | FNM_LEADING_DIR) == 0) {
            return true;
        }
    }
    return false;
}

bool walk_enters(const struct walk_filter *filter, const struct walk_status *status,
                 dev_t root_device)
{
    return !filter->is_one_file_system || status->device == root_device;
}

bool walk_is_earlier_root(const struct walk_filter *filter, const struct walk_status *status,
                          uint32_t root)
{
    for (uint32_t i = 0; i < root && i < filter->root_count; i++) {
        const struct walk_status *other = &filter->roots[i].status;
        if (other->device == status->device && other->inode == status->inode) {
            return true;
        }
    }
    return false;
}
