/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pattern and a path, with a NUL between them. Paths: what is made normal is so, and stays the
 * same when made normal again. Patterns: one without wildcards takes itself, all below it, and
 * nothing that does not start with it.
 */
#include <string.h>

#include "fuzz_target.h"
#include "walk/walk.h"

/* fnmatch() takes time that grows exponentially with the wildcards. */
enum { WILDCARDS_MAX = 6, TEXT_MAX = 4096 };

static void check_normal(const char *path)
{
    char *normal = walk_normalise(path);
    FUZZ_CHECK(normal != NULL);
    size_t bytes = strlen(normal);
    FUZZ_CHECK(bytes > 0 && bytes <= strlen(path) + 1);
    FUZZ_CHECK((normal[0] == '/') == (path[0] == '/'));
    FUZZ_CHECK(strstr(normal, "//") == NULL && strstr(normal, "/./") == NULL);
    FUZZ_CHECK(bytes == 1 || normal[bytes - 1] != '/');
    /* ".." only where nothing is before it that it could take away. */
    const char *rest = normal;
    while (strncmp(rest, "../", 3) == 0) {
        rest += 3;
    }
    FUZZ_CHECK(strstr(rest, "/../") == NULL);
    FUZZ_CHECK(normal[0] != '/' || strncmp(normal, "/..", 3) != 0 || normal[3] > '/' ||
               (normal[3] != '\0' && normal[3] != '/'));

    char *again = walk_normalise(normal);
    FUZZ_CHECK(again != NULL && strcmp(again, normal) == 0);
    free(again);
    free(normal);
}

static size_t wildcards_of(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '*' || *text == '?' || *text == '[';
    }
    return count;
}

static void check_plain(const struct walk_filter *filter, const char *pattern, const char *path)
{
    size_t bytes = strlen(pattern);
    char *below = walk_join(pattern, "below");
    FUZZ_CHECK(below != NULL);
    FUZZ_CHECK(walk_is_excluded(filter, pattern));
    FUZZ_CHECK(strcmp(pattern, ".") == 0 || walk_is_excluded(filter, below));
    FUZZ_CHECK(!walk_is_excluded(filter, path) || strncmp(path, pattern, bytes) == 0);
    free(below);
}

static void check_pattern(const char *text, const char *path)
{
    size_t wildcards = wildcards_of(text);
    if (wildcards > WILDCARDS_MAX) {
        return;
    }
    char **patterns = walk_patterns_new(&text, 1);
    FUZZ_CHECK(patterns != NULL);
    struct walk_filter filter = {.excludes = patterns, .exclude_count = 1};
    (void)walk_is_excluded(&filter, path);
    if (wildcards == 0 && wildcards_of(patterns[0]) == 0) {
        check_plain(&filter, patterns[0], path);
    }
    walk_patterns_free(patterns, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    if (data_bytes > TEXT_MAX) {
        return 0;
    }
    /* Two NULs at the end: there is a path in any case. */
    char *text = calloc(data_bytes + 2, 1);
    FUZZ_CHECK(text != NULL);
    if (data_bytes > 0) {
        memcpy(text, data, data_bytes);
    }
    const char *path = text + strlen(text) + 1;
    check_normal(text);
    check_normal(path);
    check_pattern(text, path);
    free(text);
    return 0;
}
