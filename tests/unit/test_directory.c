/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading one directory, and opening it however long its path. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/tempdir.h"
#include "support/unit.h"
#include "walk/place.h"

static const struct walk_filter no_filter;

static int setup(void **state)
{
    static struct tempdir dir;
    tempdir_init(&dir);
    *state = &dir;
    return 0;
}

static int teardown(void **state)
{
    tempdir_fini(*state);
    return 0;
}

/* As a root `path` would be opened; nothing need be there. */
static struct walk_directory *directory_at(const char *path, const char *archive_path,
                                           uint32_t root)
{
    char given_path[PATH_MAX];
    char given_archive_path[PATH_MAX];
    struct walk_root given = {.path = given_path, .archive_path = given_archive_path};
    (void)snprintf(given_path, sizeof given_path, "%s", path);
    (void)snprintf(given_archive_path, sizeof given_archive_path, "%s", archive_path);
    struct stat status;
    if (lstat(path, &status) == 0) {
        given.status = walk_status_of(&status);
    }
    return walk_directory_new(&given, root);
}

/* `name` in `parent`; `fd` is open on it, or -1 when it is not there. */
static struct walk_directory *child_of(const struct walk_directory *parent, const char *name,
                                       int fd)
{
    char entry_name[NAME_MAX + 1];
    struct walk_entry entry = {.name = entry_name};
    (void)snprintf(entry_name, sizeof entry_name, "%s", name);
    if (fd >= 0) {
        struct stat status;
        assert_int_equal(fstat(fd, &status), 0);
        entry.status = walk_status_of(&status);
    }
    return walk_directory_child(parent, &entry);
}

static int read_at(const char *path, const char *archive_path, const struct walk_filter *filter,
                   struct walk_list *list)
{
    struct walk_directory *directory = directory_at(path, archive_path, 0);
    assert_non_null(directory);
    struct walk_place place = {0};
    int problem = walk_directory_read(&place, directory, filter, list);
    walk_place_leave(&place);
    walk_directory_unref(directory);
    return problem;
}

static const struct walk_entry *find(const struct walk_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->entries[i].name, name) == 0) {
            return &list->entries[i];
        }
    }
    return NULL;
}

static void all_names_are_listed_sorted_by_inode(void **state)
{
    const struct tempdir *dir = *state;
    char name[64];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "%d-%d", i * 7919 % 1000, i);
        tempdir_write(dir, name, "", 0);
    }
    /* Renaming moves names, not inodes; removing and making anew mixes them. */
    for (int i = 0; i < 300; i += 3) {
        (void)snprintf(name, sizeof name, "%d-%d", i * 7919 % 1000, i);
        assert_int_equal(unlinkat(dir->fd, name, 0), 0);
    }
    for (int i = 0; i < 300; i += 3) {
        (void)snprintf(name, sizeof name, "again%d", 300 - i);
        tempdir_write(dir, name, "", 0);
    }
    struct walk_list list = {0};
    assert_int_equal(read_at(dir->path, "x", &no_filter, &list), 0);
    assert_int_equal(list.count, 300);
    for (size_t i = 0; i < list.count; i++) {
        struct stat status;
        assert_int_equal(fstatat(dir->fd, list.entries[i].name, &status, 0), 0);
        assert_int_equal(list.entries[i].status.inode, status.st_ino);
        assert_true(i == 0 || list.entries[i - 1].status.inode < status.st_ino);
    }
    walk_list_fini(&list);
    assert_int_equal(list.count, 0);
    assert_null(list.entries);
}

static void links_of_one_inode_are_sorted_by_name(void **state)
{
    const struct tempdir *dir = *state;
    tempdir_write(dir, "m", "", 0);
    assert_int_equal(linkat(dir->fd, "m", dir->fd, "z", 0), 0);
    assert_int_equal(linkat(dir->fd, "m", dir->fd, "\xff", 0), 0);
    assert_int_equal(linkat(dir->fd, "m", dir->fd, "B", 0), 0);
    struct walk_list list = {0};
    assert_int_equal(read_at(dir->path, "x", &no_filter, &list), 0);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.entries[0].name, "B");
    assert_string_equal(list.entries[1].name, "m");
    assert_string_equal(list.entries[2].name, "z");
    assert_string_equal(list.entries[3].name, "\xff");
    walk_list_fini(&list);
}

static void names_may_hold_any_bytes(void **state)
{
    const struct tempdir *dir = *state;
    char name[3] = "??";
    for (int byte = 1; byte < 256; byte++) {
        if (byte != '/') {
            name[1] = (char)byte;
            tempdir_write(dir, name, &name[1], 1);
        }
    }
    char longest[NAME_MAX + 1];
    memset(longest, '\n', sizeof longest - 1);
    longest[NAME_MAX] = '\0';
    tempdir_write(dir, longest, "", 0);
    struct walk_list list = {0};
    assert_int_equal(read_at(dir->path, "x", &no_filter, &list), 0);
    assert_int_equal(list.count, 255);
    for (int byte = 1; byte < 256; byte++) {
        name[1] = (char)byte;
        assert_int_equal(find(&list, name) != NULL, byte != '/');
    }
    assert_non_null(find(&list, longest));
    walk_list_fini(&list);
}

static void make_socket(const struct tempdir *dir)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length =
        snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/socket", dir->fd);
    assert_in_range(length, 1, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    (void)close(fd);
}

static void entries_are_examined_and_links_not_followed(void **state)
{
    const struct tempdir *dir = *state;
    static const char target[] = "no/where \xff at all";
    tempdir_write(dir, "file", "12345", 5);
    assert_int_equal(mkdirat(dir->fd, "folder", 0700), 0);
    assert_int_equal(symlinkat(target, dir->fd, "broken"), 0);
    assert_int_equal(symlinkat("folder", dir->fd, "to-folder"), 0);
    assert_int_equal(mkfifoat(dir->fd, "fifo", 0600), 0);
    make_socket(dir);
    char long_target[PATH_MAX];
    memset(long_target, 't', sizeof long_target);
    long_target[PATH_MAX - 1] = '\0';
    assert_int_equal(symlinkat(long_target, dir->fd, "long"), 0);

    struct walk_list list = {0};
    assert_int_equal(read_at(dir->path, "x", &no_filter, &list), 0);
    assert_int_equal(list.count, 7);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.entries[i].problem, 0);
    }
    assert_int_equal(find(&list, "file")->type, WALK_FILE);
    assert_int_equal(find(&list, "file")->status.size_bytes, 5);
    assert_null(find(&list, "file")->link_target);
    assert_int_equal(find(&list, "folder")->type, WALK_DIRECTORY);
    assert_int_equal(find(&list, "broken")->type, WALK_SYMLINK);
    assert_string_equal(find(&list, "broken")->link_target, target);
    assert_int_equal(find(&list, "to-folder")->type, WALK_SYMLINK);
    assert_string_equal(find(&list, "to-folder")->link_target, "folder");
    assert_string_equal(find(&list, "long")->link_target, long_target);
    assert_int_equal(find(&list, "fifo")->type, WALK_FIFO);
    assert_int_equal(find(&list, "socket")->type, WALK_OTHER);
    walk_list_fini(&list);
}

static void excluded_names_are_not_listed(void **state)
{
    const struct tempdir *dir = *state;
    static const char *const texts[] = {"*.o", "/srv/data/secret", "secret"};
    char **patterns = walk_patterns_new(texts, 3);
    assert_non_null(patterns);
    struct walk_filter filter = {.excludes = patterns, .exclude_count = 3};
    tempdir_write(dir, "a.o", "", 0);
    tempdir_write(dir, "a.c", "", 0);
    tempdir_write(dir, "secret", "", 0);
    struct walk_list list = {0};
    assert_int_equal(read_at(dir->path, "srv/data", &filter, &list), 0);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.entries[0].name, "a.c");
    walk_list_fini(&list);
    assert_int_equal(read_at(dir->path, "srv", &filter, &list), 0);
    assert_int_equal(list.count, 2);
    walk_list_fini(&list);
    assert_int_equal(read_at(dir->path, ".", &filter, &list), 0);
    assert_int_equal(list.count, 1);
    walk_list_fini(&list);
    assert_int_equal(read_at(dir->path, "..", &filter, &list), 0);
    assert_int_equal(list.count, 1);
    walk_list_fini(&list);
    walk_patterns_free(patterns, 3);
}

static void a_name_that_vanished_has_a_problem_and_no_status(void **state)
{
    const struct tempdir *dir = *state;
    struct walk_entry entry;
    memset(&entry, 0x55, sizeof entry);
    assert_int_equal(walk_examine(dir->fd, "gone", &entry), ENOENT);
    assert_int_equal(entry.status.size_bytes, 0);
    assert_int_equal(entry.status.mode, 0);
    assert_int_equal(entry.type, WALK_OTHER);
}

static void what_is_no_directory_now_is_not_read(void **state)
{
    const struct tempdir *dir = *state;
    char path[400];
    struct walk_list list = {0};
    tempdir_write(dir, "file", "", 0);
    assert_int_equal(symlinkat(".", dir->fd, "link"), 0);
    (void)snprintf(path, sizeof path, "%s/gone", dir->path);
    assert_int_equal(read_at(path, "x", &no_filter, &list), ENOENT);
    (void)snprintf(path, sizeof path, "%s/file", dir->path);
    assert_int_equal(read_at(path, "x", &no_filter, &list), ENOTDIR);
    (void)snprintf(path, sizeof path, "%s/link", dir->path);
    int problem = read_at(path, "x", &no_filter, &list);
    assert_true(problem == ENOTDIR || problem == ELOOP);
    assert_int_equal(list.count, 0);
    walk_list_fini(&list);
}

/* Makes folders of `name_bytes`-long names below `dir` until the path is longer than `path_bytes`,
   and a file "end" in the last. Returns that folder. */
static struct walk_directory *make_deep(const struct tempdir *dir, size_t name_bytes,
                                        size_t path_bytes)
{
    char name[NAME_MAX + 1];
    memset(name, 'n', name_bytes);
    name[name_bytes] = '\0';
    struct walk_directory *at = directory_at(dir->path, "deep", 4);
    assert_non_null(at);
    int fd = dup(dir->fd);
    while (strlen(at->path) <= path_bytes) {
        assert_int_equal(mkdirat(fd, name, 0755), 0);
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(below >= 0);
        (void)close(fd);
        fd = below;
        struct walk_directory *child = child_of(at, name, fd);
        assert_non_null(child);
        walk_directory_unref(at);
        at = child;
    }
    int file = openat(fd, "end", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    (void)close(file);
    (void)close(fd);
    return at;
}

static void paths_longer_than_the_system_takes_are_opened(void **state)
{
    static const struct {
        size_t name_bytes;
        size_t path_bytes;
    } cases[] = {{NAME_MAX, 5 * PATH_MAX}, {100, PATH_MAX - 110}, {15, PATH_MAX - 17},
                 {10, PATH_MAX + 2},       {20, 2 * PATH_MAX},    {64, 3 * PATH_MAX - 60}};
    const struct tempdir *dir = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tempdir below = {.fd = -1};
        (void)snprintf(below.path, sizeof below.path, "%.200s/%zu", dir->path, i);
        assert_int_equal(mkdir(below.path, 0755), 0);
        below.fd = open(below.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(below.fd >= 0);
        struct walk_directory *deep =
            make_deep(&below, cases[i].name_bytes, cases[i].path_bytes);
        assert_int_equal(deep->root, 4);
        struct stat top;
        assert_int_equal(lstat(below.path, &top), 0);
        assert_true(deep->root_device == top.st_dev);
        struct walk_list list = {0};
        struct walk_place place = {0};
        assert_int_equal(walk_directory_read(&place, deep, &no_filter, &list), 0);
        walk_place_leave(&place);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.entries[0].name, "end");
        walk_list_fini(&list);
        walk_directory_unref(deep);
        (void)close(below.fd);
    }
}

/* The directory at `path` below `dir`, made if need be. */
static struct walk_directory *make_below(const struct tempdir *dir,
                                         struct walk_directory *parent, const char *path)
{
    (void)mkdirat(dir->fd, path, 0755);
    int fd = openat(dir->fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    const char *slash = strrchr(path, '/');
    struct walk_directory *made = child_of(parent, slash == NULL ? path : slash + 1, fd);
    (void)close(fd);
    assert_non_null(made);
    return made;
}

static void assert_is_at(const struct walk_place *place, const struct walk_directory *directory)
{
    struct stat status;
    assert_ptr_equal(place->directory, directory);
    assert_int_equal(fstat(place->fd, &status), 0);
    assert_true(status.st_ino == directory->inode && status.st_dev == directory->device);
}

static void every_directory_is_found_from_every_other(void **state)
{
    enum { COUNT = 7 };
    static const struct {
        size_t parent;
        const char *path;
    } below[COUNT] = {{0, ""},        {0, "p"},         {1, "p/q"}, {2, "p/q/r"},
                      {0, "p-later"}, {4, "p-later/q"}, {1, "p/qq"}};
    const struct tempdir *dir = *state;
    struct walk_directory *made[COUNT];
    made[0] = directory_at(dir->path, "top", 0);
    for (size_t i = 1; i < COUNT; i++) {
        made[i] = make_below(dir, made[below[i].parent], below[i].path);
    }
    struct walk_place place = {0};
    for (size_t from = 0; from < COUNT; from++) {
        for (size_t to = 0; to < COUNT; to++) {
            assert_int_equal(walk_place_go(&place, made[from]), 0);
            assert_is_at(&place, made[from]);
            assert_non_null(walk_place_stream(&place));
            assert_int_equal(walk_place_go(&place, made[to]), 0);
            assert_is_at(&place, made[to]);
        }
    }
    /* The way up leads elsewhere now: it is found all the same. */
    assert_int_equal(walk_place_go(&place, made[3]), 0);
    assert_int_equal(renameat(dir->fd, "p/q/r", dir->fd, "p-later/r"), 0);
    assert_int_equal(walk_place_go(&place, made[2]), 0);
    assert_is_at(&place, made[2]);
    assert_int_equal(walk_place_go(&place, made[3]), ENOENT);
    assert_null(place.directory);
    walk_place_leave(&place);
    for (size_t i = 0; i < COUNT; i++) {
        walk_directory_unref(made[i]);
    }
}

static void a_long_path_that_is_gone_is_no_other_error(void **state)
{
    const struct tempdir *dir = *state;
    struct walk_directory *deep = make_deep(dir, 200, 2 * PATH_MAX);
    struct walk_directory *gone = child_of(deep, "gone", -1);
    assert_non_null(gone);
    int before = dup(0);
    struct walk_place place = {0};
    assert_int_equal(walk_place_go(&place, gone), ENOENT);
    walk_place_leave(&place);
    int after = dup(0);
    assert_int_equal(after, before + 1);
    (void)close(before);
    (void)close(after);
    walk_directory_unref(gone);
    walk_directory_unref(deep);
}

static void children_are_named_after_their_parents(void **state)
{
    (void)state;
    static const struct {
        const char *path, *archive_path, *child_path, *child_archive_path;
    } cases[] = {{"/", ".", "/x", "x"},
                 {".", ".", "x", "x"},
                 {"..", "..", "../x", "x"},
                 {"/srv", "srv", "/srv/x", "srv/x"},
                 {"../a", "a", "../a/x", "a/x"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct walk_directory *parent = directory_at(cases[i].path, cases[i].archive_path, 7);
        assert_non_null(parent);
        struct walk_directory *child = child_of(parent, "x", -1);
        assert_non_null(child);
        walk_directory_unref(parent);
        assert_string_equal(child->path, cases[i].child_path);
        assert_string_equal(child->archive_path, cases[i].child_archive_path);
        assert_int_equal(child->root, 7);
        assert_ptr_equal(walk_directory_ref(child), child);
        walk_directory_unref(child);
        assert_string_equal(child->path, cases[i].child_path);
        walk_directory_unref(child);
    }
    walk_directory_unref(NULL);
}

int main(void)
{
#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(all_names_are_listed_sorted_by_inode),
        WITH_FOLDER(links_of_one_inode_are_sorted_by_name),
        WITH_FOLDER(names_may_hold_any_bytes),
        WITH_FOLDER(entries_are_examined_and_links_not_followed),
        WITH_FOLDER(excluded_names_are_not_listed),
        WITH_FOLDER(a_name_that_vanished_has_a_problem_and_no_status),
        WITH_FOLDER(what_is_no_directory_now_is_not_read),
        WITH_FOLDER(paths_longer_than_the_system_takes_are_opened),
        WITH_FOLDER(every_directory_is_found_from_every_other),
        WITH_FOLDER(a_long_path_that_is_gone_is_no_other_error),
        cmocka_unit_test(children_are_named_after_their_parents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
