/* SPDX-License-Identifier: BSD-2-Clause */
/* Which paths patterns leave out (each case was put to Borg's FnmatchPattern), and which folders
 * the walk goes into. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "support/unit.h"
#include "walk/walk.h"

static const struct {
    const char *pattern;
    const char *path;
    bool is_excluded;
} cases[] = {
    /* A plain path, and all below it. */
    {"srv", "srv", true},
    {"srv", "srv/data", true},
    {"srv", "srv2", false},
    {"srv", "a/srv", false},
    {"srv/data", "srv", false},
    {"a/b", "a/b/c/d", true},
    /* '*' matches '/' and leading dots, and nothing. */
    {"*", "a", true},
    {"*.o", "a.o", true},
    {"*.o", "src/deep/a.o", true},
    {"*.o", ".o", true},
    {"*.o", "a.o.c", false},
    {"*/cache", "a/b/cache", true},
    {"*/cache", "cache", false},
    {"a*b", "a/x/b", true},
    {"a*", "a", true},
    {"*x", "", false},
    /* '?' is any one character, '/' too. */
    {"a?b", "a/b", true},
    {"a?b", "axb", true},
    {"a?b", "ab", false},
    {"?", "ab", false},
    {"a?b",
     "a\xff"
     "b",
     true},
    /* Sets. */
    {"[ab]", "a", true},
    {"[ab]", "c", false},
    {"[!ab]", "c", true},
    {"[!ab]", "a", false},
    {"x[0-9]", "x7", true},
    {"x[0-9]", "xa", false},
    {"[]]", "]", true},
    {"a[", "a[", true},
    {"a[b", "a[b", true},
    /* A backslash is a character, not an escape. */
    {"a\\*", "a\\x", true},
    {"a\\*", "a*", false},
    {"a\\", "a\\", true},
    /* A leading slash is of no matter. */
    {"/srv/x", "srv/x", true},
    {"//srv/x", "srv/x", true},
    {"/*/x", "srv/x", true},
    {"/", ".", true},
    {"/", "x", true},
    /* A trailing slash: what is in it, but not itself. */
    {"dir/", "dir", false},
    {"dir/", "dir/a", true},
    {"dir/", "dir/a/b", true},
    {"dir/", "dira", false},
    {"*/dir/", "a/dir", false},
    {"*/dir/", "a/dir/x", true},
    {"*/", "a", false},
    {"*/", "a/b", true},
    /* Patterns are normalised like paths. */
    {"./srv", "srv", true},
    {"srv/./x", "srv/x", true},
    {"srv//x", "srv/x", true},
    {"srv/y/../x", "srv/x", true},
    {"srv/.", "srv", true},
    {"srv//", "srv", false},
    {"srv//", "srv/x", true},
    {"a//", "a/x", true},
    {"", "x", false},
    {"", ".", true},
    {".", ".", true},
    {".", ".x", false},
    {"./", "x", false},
    {"./", ".", false},
    {"/.", "x", true},
    {"//", "x", true},
    /* Any bytes. */
    {"*\xff", "a\xff", true},
    {"*\xff", "a\xfe", false},
    {"*\xc0\xaf*", "a\xc0\xaf.txt", true},
    {"*.txt", "\xff\xfe.txt", true},
    {"\xc3\xa9", "\xc3\xa9", true},
    {"a\nb", "a\nb", true},
    {"a*b", "a\nb", true},
};

/* Whether one of the patterns, as written, leaves out the path. */
static bool excludes(const char *const *texts, size_t count, const char *path)
{
    char **patterns = walk_patterns_new(texts, count);
    assert_non_null(patterns);
    struct walk_filter filter = {.excludes = patterns, .exclude_count = count};
    bool is_excluded = walk_is_excluded(&filter, path);
    walk_patterns_free(patterns, count);
    return is_excluded;
}

static void assert_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (excludes(&cases[i].pattern, 1, cases[i].path) != cases[i].is_excluded) {
            fail_msg("pattern '%s' on path '%s'", cases[i].pattern, cases[i].path);
        }
    }
}

static void patterns_match_as_borgs_do(void **state)
{
    (void)state;
    assert_cases();
}

static void patterns_match_as_borgs_do_in_a_utf8_locale(void **state)
{
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    assert_cases();
    const char *pattern = "a?b";
    assert_true(excludes(&pattern, 1,
                         "a\xc3\xa9"
                         "b"));
    assert_non_null(setlocale(LC_CTYPE, "C"));
}

static void any_one_of_the_patterns_will_do(void **state)
{
    (void)state;
    static const char *const patterns[] = {"*.o", "*.tmp", "cache/"};
    assert_true(excludes(patterns, 3, "a.o"));
    assert_true(excludes(patterns, 3, "a.tmp"));
    assert_true(excludes(patterns, 3, "cache/a"));
    assert_false(excludes(patterns, 3, "a.c"));
    assert_false(excludes(NULL, 0, "a.o"));
    walk_patterns_free(NULL, 0);
}

static void long_patterns_and_paths_match_too(void **state)
{
    (void)state;
    static char path[20000];
    static char text[20010];
    const char *pattern = text;
    memset(path, 'a', sizeof path - 1);
    for (size_t i = 100; i < sizeof path - 1; i += 101) {
        path[i] = '/';
    }
    (void)snprintf(text, sizeof text, "/%s", path);
    assert_true(excludes(&pattern, 1, path));
    text[19000] = 'b';
    assert_false(excludes(&pattern, 1, path));
    (void)snprintf(text, sizeof text, "%.5000s/", path);
    path[5000] = '/';
    assert_true(excludes(&pattern, 1, path));
    path[5000] = '\0';
    assert_false(excludes(&pattern, 1, path));
}

static struct walk_status at(dev_t device, ino_t inode)
{
    return (struct walk_status){.device = device, .inode = inode};
}

static void the_walk_leaves_a_file_system_only_when_it_may(void **state)
{
    (void)state;
    struct walk_status here = at(1, 10);
    struct walk_status mount = at(2, 10);
    struct walk_filter filter = {.is_one_file_system = false};
    assert_true(walk_enters(&filter, &here, 1));
    assert_true(walk_enters(&filter, &mount, 1));
    filter.is_one_file_system = true;
    assert_true(walk_enters(&filter, &here, 1));
    assert_false(walk_enters(&filter, &mount, 1));
}

static void roots_given_before_are_known_by_inode(void **state)
{
    (void)state;
    struct walk_root roots[] = {
        {.status = at(1, 10)}, {.status = at(1, 20)}, {.status = at(1, 10)}};
    struct walk_filter filter = {.roots = roots, .root_count = 3};
    struct walk_status first = at(1, 10);
    struct walk_status second = at(1, 20);
    struct walk_status other_device = at(2, 10);
    assert_false(walk_is_earlier_root(&filter, &first, 0));
    assert_false(walk_is_earlier_root(&filter, &second, 0));
    assert_true(walk_is_earlier_root(&filter, &first, 1));
    assert_false(walk_is_earlier_root(&filter, &second, 1));
    assert_true(walk_is_earlier_root(&filter, &first, 2));
    assert_true(walk_is_earlier_root(&filter, &second, 2));
    assert_false(walk_is_earlier_root(&filter, &other_device, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_as_borgs_do),
        cmocka_unit_test(patterns_match_as_borgs_do_in_a_utf8_locale),
        cmocka_unit_test(any_one_of_the_patterns_will_do),
        cmocka_unit_test(long_patterns_and_paths_match_too),
        cmocka_unit_test(the_walk_leaves_a_file_system_only_when_it_may),
        cmocka_unit_test(roots_given_before_are_known_by_inode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
