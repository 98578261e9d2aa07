/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading files that hold still and files that do not. A read that hangs is ended by an alarm. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"
#include "support/tempdir.h"
#include "support/unit.h"

#define WATCHDOG_S 60U

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

/* Opens the name as a walk would that has just seen it. */
static void open_seen(struct source *source, int fd, const char *name)
{
    struct stat seen;
    assert_int_equal(fstatat(fd, name, &seen, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(source_open(source, fd, name, seen.st_dev, seen.st_ino), 0);
}

static void append(const struct tempdir *dir, const char *name, const char *text)
{
    int fd = openat(dir->fd, name, O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(fd);
}

static void a_file_is_read_whole_in_pieces(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t buffer[8] = {0};
    size_t got = 99;
    tempdir_write(dir, "f", "abcdefghijk", 11);
    open_seen(&source, dir->fd, "f");
    assert_int_equal(source_read(&source, buffer, 4, &got), 0);
    assert_int_equal(got, 4);
    assert_memory_equal(buffer, "abcd", 4);
    assert_int_equal(source_read(&source, buffer, 4, &got), 0);
    assert_memory_equal(buffer, "efgh", 4);
    assert_int_equal(source_read(&source, buffer, 8, &got), 0);
    assert_int_equal(got, 3);
    assert_memory_equal(buffer, "ijk", 3);
    assert_int_equal(source_read(&source, buffer, 8, &got), 0);
    assert_int_equal(got, 0);
    assert_int_equal(source.read_bytes, 11);
    assert_false(source.has_grown);
    assert_false(source.has_shrunk);
    assert_false(source_has_changed(&source));
    assert_true(source.read_s >= 0.0);
    source_close(&source);
    assert_int_equal(source.fd, -1);
    source_close(&source);
}

static void a_file_that_grows_is_read_to_the_size_it_had(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t buffer[64];
    size_t got = 0;
    tempdir_write(dir, "f", "abcdef", 6);
    open_seen(&source, dir->fd, "f");
    assert_int_equal(source_read(&source, buffer, 3, &got), 0);
    append(dir, "f", "ghijkl");
    assert_int_equal(source_read(&source, buffer, sizeof buffer, &got), 0);
    assert_int_equal(got, 3);
    assert_memory_equal(buffer, "def", 3);
    assert_true(source.has_grown);
    assert_false(source.has_shrunk);
    assert_true(source_has_changed(&source));
    assert_int_equal(source_read(&source, buffer, sizeof buffer, &got), 0);
    assert_int_equal(got, 0);
    assert_int_equal(source.read_bytes, 6);
    source_close(&source);
}

/* When the buffer ends just where the file was to end, only the next read can tell. */
static void growth_is_seen_when_the_size_is_a_multiple_of_the_buffer(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t buffer[4];
    size_t got = 0;
    tempdir_write(dir, "f", "abcd", 4);
    open_seen(&source, dir->fd, "f");
    append(dir, "f", "e");
    assert_int_equal(source_read(&source, buffer, 4, &got), 0);
    assert_int_equal(got, 4);
    assert_int_equal(source_read(&source, buffer, 4, &got), 0);
    assert_int_equal(got, 0);
    assert_true(source.has_grown);
    source_close(&source);
}

static void a_file_that_shrinks_ends_early_and_says_so(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t buffer[64];
    size_t got = 0;
    tempdir_write(dir, "f", "abcdefgh", 8);
    open_seen(&source, dir->fd, "f");
    assert_int_equal(source_read(&source, buffer, 3, &got), 0);
    char path[400];
    (void)snprintf(path, sizeof path, "%s/f", dir->path);
    assert_int_equal(truncate(path, 5), 0);
    assert_int_equal(source_read(&source, buffer, sizeof buffer, &got), 0);
    assert_int_equal(got, 2);
    assert_memory_equal(buffer, "de", 2);
    assert_true(source.has_shrunk);
    assert_false(source.has_grown);
    assert_true(source_has_changed(&source));
    source_close(&source);
}

static void a_file_written_in_place_has_changed(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    tempdir_write(dir, "f", "abcd", 4);
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(dir->fd, "f", old, 0), 0);
    open_seen(&source, dir->fd, "f");
    assert_false(source_has_changed(&source));
    int fd = openat(dir->fd, "f", O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "X", 1), 1);
    (void)close(fd);
    assert_true(source_has_changed(&source));
    source_close(&source);
}

/* The walk saw `name`; `replace` then put something else in its place. */
static void assert_gone(const struct tempdir *dir, void (*replace)(const struct tempdir *dir))
{
    struct stat seen;
    struct source source;
    tempdir_write(dir, "f", "abcd", 4);
    /* Holds the inode, or a new file might get the same number. */
    assert_int_equal(linkat(dir->fd, "f", dir->fd, "kept", 0), 0);
    assert_int_equal(fstatat(dir->fd, "f", &seen, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(unlinkat(dir->fd, "f", 0), 0);
    replace(dir);
    int before = dup(0);
    assert_int_equal(source_open(&source, dir->fd, "f", seen.st_dev, seen.st_ino), ENOENT);
    int after = dup(0);
    assert_int_equal(after, before + 1);
    (void)close(before);
    (void)close(after);
    source_close(&source);
    (void)unlinkat(dir->fd, "f", 0);
    (void)unlinkat(dir->fd, "f", AT_REMOVEDIR);
    assert_int_equal(unlinkat(dir->fd, "kept", 0), 0);
}

static void by_nothing(const struct tempdir *dir)
{
    (void)dir;
}

static void by_a_file(const struct tempdir *dir)
{
    tempdir_write(dir, "f", "abcd", 4);
}

/* A link that even leads to the very file is not the file. */
static void by_a_link(const struct tempdir *dir)
{
    assert_int_equal(symlinkat("kept", dir->fd, "f"), 0);
}

static void by_a_fifo(const struct tempdir *dir)
{
    assert_int_equal(mkfifoat(dir->fd, "f", 0600), 0);
}

static void by_a_folder(const struct tempdir *dir)
{
    assert_int_equal(mkdirat(dir->fd, "f", 0700), 0);
}

static void what_took_the_place_of_a_file_is_not_read(void **state)
{
    assert_gone(*state, by_nothing);
    assert_gone(*state, by_a_file);
    assert_gone(*state, by_a_link);
    assert_gone(*state, by_a_fifo);
    assert_gone(*state, by_a_folder);
}

static void a_file_of_another_device_is_not_the_one_seen(void **state)
{
    const struct tempdir *dir = *state;
    struct stat seen;
    struct source source;
    tempdir_write(dir, "f", "abcd", 4);
    assert_int_equal(fstatat(dir->fd, "f", &seen, 0), 0);
    assert_int_equal(source_open(&source, dir->fd, "f", seen.st_dev + 1, seen.st_ino), ENOENT);
    assert_int_equal(source_open(&source, dir->fd, "f", seen.st_dev, seen.st_ino + 1), ENOENT);
}

/* Files in /proc state no size. */
static void a_file_that_states_no_size_is_read_to_its_end(void **state)
{
    (void)state;
    static uint8_t buffer[65536];
    static char expected[65536];
    struct source source;
    size_t got = 0;
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(proc >= 0);
    open_seen(&source, proc, "version");
    assert_int_equal(source.status.st_size, 0);
    assert_int_equal(source_read(&source, buffer, sizeof buffer, &got), 0);
    FILE *file = fopen("/proc/version", "r");
    assert_non_null(file);
    size_t bytes = fread(expected, 1, sizeof expected, file);
    (void)fclose(file);
    assert_true(bytes > 10);
    assert_int_equal(got, bytes);
    assert_memory_equal(buffer, expected, bytes);
    assert_false(source.has_grown);
    assert_false(source.has_shrunk);
    source_close(&source);
    (void)close(proc);
}

static void an_empty_file_has_no_bytes_and_no_flaws(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t byte = 0;
    size_t got = 9;
    tempdir_write(dir, "f", "", 0);
    open_seen(&source, dir->fd, "f");
    assert_int_equal(source_read(&source, &byte, 1, &got), 0);
    assert_int_equal(got, 0);
    assert_false(source.has_grown);
    assert_false(source.has_shrunk);
    source_close(&source);
}

static void the_time_of_access_stays_as_it_was(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t buffer[4];
    size_t got = 0;
    tempdir_write(dir, "f", "abcd", 4);
    /* Older than the last change, so that also relatime would touch it. */
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};
    assert_int_equal(utimensat(dir->fd, "f", old, 0), 0);
    open_seen(&source, dir->fd, "f");
    assert_int_equal(source_read(&source, buffer, 4, &got), 0);
    assert_int_equal(got, 4);
    source_close(&source);
    struct stat after;
    assert_int_equal(fstatat(dir->fd, "f", &after, 0), 0);
    assert_int_equal(after.st_atim.tv_sec, 1000);
}

/* Only its owner may open a file with O_NOATIME: root's files when we are not root; when we are,
   our own while we act as somebody else. */
static void files_of_others_are_read_all_the_same(void **state)
{
    const struct tempdir *dir = *state;
    const bool is_root = geteuid() == 0;
    struct source source;
    uint8_t buffer[2];
    size_t got = 0;
    tempdir_write(dir, "f", "ab", 2);
    int folder = is_root ? dup(dir->fd) : open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(folder >= 0);
    const char *name = is_root ? "f" : "passwd";
    struct stat seen;
    assert_int_equal(fstatat(folder, name, &seen, 0), 0);
    if (is_root) {
        assert_int_equal(fchmod(dir->fd, 0755), 0);
        assert_int_equal(seteuid(65534), 0);
    }
    int refused = openat(folder, name, O_RDONLY | O_NOATIME | O_CLOEXEC);
    int refusal = errno;
    int problem = source_open(&source, folder, name, seen.st_dev, seen.st_ino);
    if (is_root) {
        assert_int_equal(seteuid(0), 0);
    }
    assert_int_equal(refused, -1);
    assert_int_equal(refusal, EPERM);
    assert_int_equal(problem, 0);
    assert_int_equal(source_read(&source, buffer, sizeof buffer, &got), 0);
    assert_int_equal(got, 2);
    source_close(&source);
    (void)close(folder);
}

static void an_error_of_reading_is_returned(void **state)
{
    const struct tempdir *dir = *state;
    struct source source;
    uint8_t byte = 0;
    size_t got = 0;
    tempdir_write(dir, "f", "abcd", 4);
    open_seen(&source, dir->fd, "f");
    (void)close(source.fd);
    source.fd = open(dir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(source_read(&source, &byte, 1, &got), EISDIR);
    source_close(&source);
}

int main(void)
{
#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_file_is_read_whole_in_pieces),
        WITH_FOLDER(a_file_that_grows_is_read_to_the_size_it_had),
        WITH_FOLDER(growth_is_seen_when_the_size_is_a_multiple_of_the_buffer),
        WITH_FOLDER(a_file_that_shrinks_ends_early_and_says_so),
        WITH_FOLDER(a_file_written_in_place_has_changed),
        WITH_FOLDER(what_took_the_place_of_a_file_is_not_read),
        WITH_FOLDER(a_file_of_another_device_is_not_the_one_seen),
        WITH_FOLDER(a_file_that_states_no_size_is_read_to_its_end),
        WITH_FOLDER(an_empty_file_has_no_bytes_and_no_flaws),
        WITH_FOLDER(the_time_of_access_stays_as_it_was),
        WITH_FOLDER(files_of_others_are_read_all_the_same),
        WITH_FOLDER(an_error_of_reading_is_returned),
    };
    (void)alarm(WATCHDOG_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
