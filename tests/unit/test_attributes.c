/* SPDX-License-Identifier: BSD-2-Clause */
/* What is read of an entry beside its status, on the file system that the tests run on. */
#include "walk/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/pairs.h"
#include "support/tempdir.h"
#include "support/unit.h"

/* version 2; owner rwx, group 4000000001 r-x, owning group r--, mask r-x, others none. */
static const uint8_t list[] = {2,   0,   0,    0,    1,    0,    7,   0,   255, 255, 255,
                               255, 4,   0,    4,    0,    255,  255, 255, 255, 8,   0,
                               5,   0,   0x01, 0x28, 0x6b, 0xee, 16,  0,   5,   0,   255,
                               255, 255, 255,  32,   0,    0,    0,   255, 255, 255, 255};
static const char list_text[] =
    "user::rwx\ngroup::r--\ngroup:4000000001:r-x:4000000001\nmask::r-x\nother::---";

struct place {
    struct tempdir dir;
    struct walk_owners *owners;
    int fd;
    struct walk_entry entry;
};

/* A file, or a folder, called "e". */
static void open_place(struct place *place, bool is_folder)
{
    *place = (struct place){0};
    tempdir_init(&place->dir);
    place->owners = walk_owners_new();
    assert_non_null(place->owners);
    if (is_folder) {
        assert_int_equal(mkdirat(place->dir.fd, "e", 0700), 0);
    } else {
        tempdir_write(&place->dir, "e", "x", 1);
    }
    place->fd = openat(place->dir.fd, "e", O_RDONLY | O_CLOEXEC);
    assert_true(place->fd >= 0);
}

static void close_place(struct place *place)
{
    (void)close(place->fd);
    walk_owners_free(place->owners);
    tempdir_fini(&place->dir);
}

/* Leaves the test where the file system has no such thing. */
static void set(struct place *place, const char *name, const void *value, size_t bytes)
{
    if (fsetxattr(place->fd, name, value, bytes, 0) != 0) {
        assert_true(errno == ENOTSUP);
        close_place(place);
        skip();
    }
}

static struct walk_attributes *read_all(struct place *place)
{
    struct walk_attributes *attributes = NULL;
    struct stat status;
    assert_int_equal(fstat(place->fd, &status), 0);
    place->entry.status = walk_status_of(&status);
    static char name[] = "e";
    place->entry.name = name;
    place->entry.type = S_ISDIR(status.st_mode) ? WALK_DIRECTORY : WALK_FILE;
    assert_int_equal(
        walk_attributes_read(place->fd, NULL, &place->entry, place->owners, &attributes), 0);
    struct walk_attributes *again = NULL;
    bool is_refused = true;
    assert_int_equal(walk_attributes_examine(place->dir.fd, &place->entry, place->owners,
                                             &again, &is_refused),
                     0);
    assert_false(is_refused);
    /* Flags are read of what is open only, and these have none. */
    assert_int_equal(again == NULL, attributes == NULL);
    if (attributes != NULL) {
        assert_int_equal(again->bytes, attributes->bytes);
        assert_memory_equal(again->pairs, attributes->pairs, again->bytes);
    }
    free(again);
    return attributes;
}

static void assert_next(const uint8_t **at, const uint8_t *end, const char *name,
                        const void *value, size_t bytes)
{
    struct pair pair;
    assert_true(pairs_next(at, end, &pair));
    assert_string_equal(pair.name, name);
    assert_int_equal(pair.value_bytes, bytes);
    assert_memory_equal(pair.value, value, bytes);
}

static void most_have_none(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, false);
    assert_null(read_all(&place));
    close_place(&place);
}

static void attributes_are_in_the_order_of_their_names(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, false);
    set(&place, "user.b", "two\0three", 9);
    set(&place, "user.c", "", 0);
    set(&place, "user.a", "1", 1);
    struct walk_attributes *attributes = read_all(&place);
    assert_non_null(attributes);
    const uint8_t *at = attributes->pairs;
    const uint8_t *end = at + attributes->bytes;
    assert_next(&at, end, "user.a", "1", 1);
    assert_next(&at, end, "user.b", "two\0three", 9);
    assert_next(&at, end, "user.c", "", 0);
    assert_ptr_equal(at, end);
    free(attributes);
    close_place(&place);
}

static void a_list_of_a_file_is_text_behind_the_attributes(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, false);
    set(&place, "system.posix_acl_access", list, sizeof list);
    set(&place, "user.z", "z", 1);
    struct walk_attributes *attributes = read_all(&place);
    assert_non_null(attributes);
    const uint8_t *at = attributes->pairs;
    const uint8_t *end = at + attributes->bytes;
    assert_next(&at, end, "user.z", "z", 1);
    assert_next(&at, end, WALK_ACL_ACCESS, list_text, strlen(list_text));
    assert_ptr_equal(at, end);
    free(attributes);
    close_place(&place);
}

static void a_folder_with_one_list_has_both(void **state)
{
    static const char of_mode[] = "user::rwx\ngroup::---\nother::---";
    (void)state;
    struct place place;
    open_place(&place, true);
    set(&place, "system.posix_acl_default", list, sizeof list);
    struct walk_attributes *attributes = read_all(&place);
    assert_non_null(attributes);
    const uint8_t *at = attributes->pairs;
    const uint8_t *end = at + attributes->bytes;
    assert_next(&at, end, WALK_ACL_ACCESS, of_mode, strlen(of_mode));
    assert_next(&at, end, WALK_ACL_DEFAULT, list_text, strlen(list_text));
    assert_ptr_equal(at, end);
    free(attributes);

    assert_int_equal(fremovexattr(place.fd, "system.posix_acl_default"), 0);
    set(&place, "system.posix_acl_access", list, sizeof list);
    attributes = read_all(&place);
    assert_non_null(attributes);
    at = attributes->pairs;
    end = at + attributes->bytes;
    assert_next(&at, end, WALK_ACL_ACCESS, list_text, strlen(list_text));
    assert_next(&at, end, WALK_ACL_DEFAULT, "", 0);
    free(attributes);
    close_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_have_none),
        cmocka_unit_test(attributes_are_in_the_order_of_their_names),
        cmocka_unit_test(a_list_of_a_file_is_text_behind_the_attributes),
        cmocka_unit_test(a_folder_with_one_list_has_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
