/* SPDX-License-Identifier: BSD-2-Clause */
/* The roots as given: their names in an archive, as os.path.normpath and Borg's make_path_safe have
 * them. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/tempdir.h"
#include "support/unit.h"
#include "walk/walk.h"

/* Runs in a folder a/b/c with the files a/x, a/b/x and a/b/y. */
static int enter_tree(void **state)
{
    static struct tempdir dir;
    tempdir_init(&dir);
    *state = &dir;
    assert_int_equal(chdir(dir.path), 0);
    assert_int_equal(mkdir("a", 0755), 0);
    assert_int_equal(mkdir("a/b", 0755), 0);
    assert_int_equal(mkdir("a/b/c", 0755), 0);
    tempdir_write(&dir, "a/x", "1", 1);
    tempdir_write(&dir, "a/b/x", "22", 2);
    tempdir_write(&dir, "a/b/y", "333", 3);
    assert_int_equal(symlink("../x", "a/b/to-x"), 0);
    assert_int_equal(symlink("..", "a/b/up"), 0);
    assert_int_equal(chdir("a/b"), 0);
    return 0;
}

static int leave_tree(void **state)
{
    assert_int_equal(chdir("/"), 0);
    tempdir_fini(*state);
    return 0;
}

static void assert_archive_path(const char *path, const char *expected)
{
    struct walk_root *roots = NULL;
    assert_int_equal(walk_roots_open(&path, NULL, 1, &roots, NULL), CADV_OK);
    assert_string_equal(roots[0].archive_path, expected);
    walk_roots_free(roots, 1);
}

static void archive_paths_are_those_that_borg_makes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"x", "x"},
        {"./x", "x"},
        {"c/", "c"},
        {"c//", "c"},
        {"c/.", "c"},
        {".//c/./", "c"},
        {"c/../x", "x"},
        {"c/..", "."},
        {".", "."},
        {"./", "."},
        {"/", "."},
        {"//", "."},
        {"/..", "."},
        {"/.", "."},
        {"/tmp", "tmp"},
        {"//tmp", "tmp"},
        {"///tmp//", "tmp"},
        {"/../tmp", "tmp"},
        {"/tmp/../tmp/", "tmp"},
        {"../x", "x"},
        {"../b/x", "b/x"},
        {"../b/../x", "x"},
        {"c/../../x", "x"},
        {"../../a/./b//c/", "a/b/c"},
        {"..", ".."},
        {"../", ".."},
        {"../..", ".."},
        {"c/../..", ".."},
        {"../../a/..", ".."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_archive_path(cases[i][0], cases[i][1]);
    }
}

static void names_that_only_look_like_dots_are_names(void **state)
{
    struct tempdir *dir = *state;
    static const char *const names[] = {"...", "..x", ".x", "x.", "x..", " "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[32] = "a/b/";
        tempdir_write(dir, strcat(path, names[i]), "", 0);
        assert_archive_path(names[i], names[i]);
    }
}

static void roots_are_examined_as_they_are(void **state)
{
    (void)state;
    static const char *const paths[] = {"x", "c", "to-x", "/dev/null"};
    struct walk_root *roots = NULL;
    assert_int_equal(walk_roots_open(paths, NULL, 4, &roots, NULL), CADV_OK);
    assert_true(S_ISREG(roots[0].status.mode));
    assert_int_equal(roots[0].status.size_bytes, 2);
    assert_null(roots[0].link_target);
    assert_true(S_ISDIR(roots[1].status.mode));
    assert_true(S_ISLNK(roots[2].status.mode));
    assert_string_equal(roots[2].link_target, "../x");
    assert_true(S_ISCHR(roots[3].status.mode));
    walk_roots_free(roots, 4);
    walk_roots_free(NULL, 0);
}

/* Borg normalises a path before it looks: by text, so a link is no folder even with a slash. */
static void paths_are_normalised_before_they_are_examined(void **state)
{
    (void)state;
    static const char *const paths[] = {"up/", "up/.", "up/../y", "to-x/../x", "./x/"};
    struct walk_root *roots = NULL;
    assert_int_equal(walk_roots_open(paths, NULL, 5, &roots, NULL), CADV_OK);
    assert_true(S_ISLNK(roots[0].status.mode));
    assert_string_equal(roots[0].path, "up");
    assert_true(S_ISLNK(roots[1].status.mode));
    assert_int_equal(roots[2].status.size_bytes, 3);
    assert_string_equal(roots[2].path, "y");
    assert_int_equal(roots[3].status.size_bytes, 2);
    assert_int_equal(roots[4].status.size_bytes, 2);
    walk_roots_free(roots, 5);
}

static void the_first_root_that_is_missing_is_named(void **state)
{
    (void)state;
    static const char *const paths[] = {"x", "not\nhere", "nor-here"};
    struct walk_root *roots = NULL;
    struct cadv_error err = {0};
    assert_int_equal(walk_roots_open(paths, NULL, 3, &roots, &err), CADV_ERR_INPUT);
    assert_null(roots);
    assert_int_equal(err.saved_errno, ENOENT);
    assert_non_null(strstr(err.message, "here'"));
    assert_null(strstr(err.message, "nor-here"));
    assert_null(strchr(err.message, '\n'));
}

static void an_empty_path_is_no_root(void **state)
{
    (void)state;
    const char *path = "";
    struct walk_root *roots = NULL;
    assert_int_equal(walk_roots_open(&path, NULL, 1, &roots, NULL), CADV_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archive_paths_are_those_that_borg_makes),
        cmocka_unit_test(names_that_only_look_like_dots_are_names),
        cmocka_unit_test(roots_are_examined_as_they_are),
        cmocka_unit_test(paths_are_normalised_before_they_are_examined),
        cmocka_unit_test(the_first_root_that_is_missing_is_named),
        cmocka_unit_test(an_empty_path_is_no_root),
    };
    return cmocka_run_group_tests(tests, enter_tree, leave_tree);
}
