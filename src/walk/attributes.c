/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/array.h"
#include "base/pairs.h"
#include "walk/acl.h"

/* The kernel gives no longer lists and values. */
#define LIST_MAX_BYTES ((size_t)65536)
#define VALUE_MAX_BYTES ((size_t)65536)

#define ACL_PREFIX "system.posix_acl_"

/* What is read of one entry; one thread. */
struct reader {
    int fd;
    const char *path;
    const struct walk_entry *entry;
    struct walk_owners *owners;
    uint32_t flags;
    uint8_t *value;
    uint8_t *pairs;
    size_t used;
    size_t capacity;
    bool has_acl_access;
    bool has_acl_default;
    /* errno of the first thing that could not be read; 0: none. */
    int problem;
};

/* What a file system without the thing says, or one where it has just been taken away. */
static bool is_absence(int problem)
{
    static const int absences[] = {ENODATA, ENOTSUP, ENOTTY, ENOSYS, EINVAL};
    for (size_t i = 0; i < sizeof absences / sizeof absences[0]; i++) {
        if (problem == absences[i]) {
            return true;
        }
    }
    return false;
}

/* Remembers errno, if it tells of more than that there is nothing. */
static void note_problem(struct reader *reader)
{
    if (reader->problem == 0 && !is_absence(errno)) {
        reader->problem = errno;
    }
}

static ssize_t list_names(const struct reader *reader, char *names, size_t bytes)
{
    return reader->fd >= 0 ? flistxattr(reader->fd, names, bytes)
                           : llistxattr(reader->path, names, bytes);
}

/* Bytes of the attribute's value in reader->value; negative when it cannot be read. */
static ssize_t get_value(struct reader *reader, const char *name)
{
    ssize_t bytes = reader->fd >= 0
                        ? fgetxattr(reader->fd, name, reader->value, VALUE_MAX_BYTES)
                        : lgetxattr(reader->path, name, reader->value, VALUE_MAX_BYTES);
    if (bytes < 0) {
        note_problem(reader);
    }
    return bytes;
}

/* False when memory ran out. */
static bool add(struct reader *reader, const char *name, const void *value, size_t bytes)
{
    size_t needed = pairs_needed(name, (uint32_t)bytes);
    if (needed > WALK_ATTRIBUTES_MAX_BYTES - reader->used) {
        return true;
    }
    uint8_t *pairs =
        array_reserve(reader->pairs, &reader->capacity, reader->used + needed, sizeof *pairs);
    if (pairs == NULL) {
        return false;
    }
    reader->pairs = pairs;
    (void)pairs_put(pairs + reader->used, name, value, (uint32_t)bytes);
    reader->used += needed;
    return true;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_acl(const char *name)
{
    return strncmp(name, ACL_PREFIX, strlen(ACL_PREFIX)) == 0;
}

/* Takes over `text`; NULL: nothing to add. */
static bool add_text(struct reader *reader, const char *name, char *text)
{
    bool is_added = text == NULL || add(reader, name, text, strlen(text));
    free(text);
    return is_added;
}

/* The list called `attribute`; NULL when there is none, or when memory ran out and that is noted. */
static char *acl_text(struct reader *reader, const char *attribute)
{
    ssize_t bytes = get_value(reader, attribute);
    if (bytes < 0) {
        return NULL;
    }
    char *text = walk_acl_text(reader->value, (size_t)bytes, reader->owners);
    if (text == NULL) {
        note_problem(reader);
    }
    return text;
}

/* Borg notes both lists of a directory as soon as it has one of them, an empty one too. */
static bool add_acls(struct reader *reader)
{
    if (!reader->has_acl_access && !reader->has_acl_default) {
        return true;
    }
    char *access = reader->has_acl_access ? acl_text(reader, ACL_PREFIX "access")
                                          : walk_acl_of_mode(reader->entry->status.mode);
    bool is_added =
        (access != NULL || reader->has_acl_access) && add_text(reader, WALK_ACL_ACCESS, access);
    if (is_added && reader->entry->type == WALK_DIRECTORY) {
        char *inherited =
            reader->has_acl_default ? acl_text(reader, ACL_PREFIX "default") : NULL;
        is_added = inherited != NULL ? add_text(reader, WALK_ACL_DEFAULT, inherited)
                                     : add(reader, WALK_ACL_DEFAULT, "", 0);
    }
    return is_added;
}

/* Splits the list of names, each with its NUL, and adds what they are called, in order. */
static int read_values(struct reader *reader, const char *names, size_t bytes)
{
    size_t count = 0;
    size_t kept = 0;
    for (size_t at = 0; at < bytes; at += strlen(names + at) + 1) {
        count++;
    }
    const char **sorted = malloc(size_mul(count, sizeof *sorted));
    reader->value = malloc(VALUE_MAX_BYTES);
    bool has_room = sorted != NULL && reader->value != NULL;
    for (size_t at = 0; has_room && at < bytes; at += strlen(names + at) + 1) {
        const char *name = names + at;
        reader->has_acl_access |= strcmp(name, ACL_PREFIX "access") == 0;
        reader->has_acl_default |= strcmp(name, ACL_PREFIX "default") == 0;
        if (!is_acl(name)) {
            sorted[kept++] = name;
        }
    }
    if (has_room && kept > 1) {
        qsort(sorted, kept, sizeof *sorted, by_name);
    }
    for (size_t i = 0; i < kept && has_room; i++) {
        ssize_t value_bytes = get_value(reader, sorted[i]);
        if (value_bytes >= 0) {
            has_room = add(reader, sorted[i], reader->value, (size_t)value_bytes);
        }
    }
    has_room = has_room && add_acls(reader);
    free(sorted);
    free(reader->value);
    return has_room ? 0 : ENOMEM;
}

/*
 * Borg takes EPERM for a file system without attributes. Without /proc what is not open cannot be
 * asked for any, and is not missing for that.
 */
static void note_list_problem(struct reader *reader)
{
    int saved = errno;
    bool is_unknowable =
        saved == EPERM || (saved == ENOENT && reader->fd < 0 &&
                           access("/proc/self/fd", F_OK) != 0 && errno == ENOENT);
    errno = saved;
    if (!is_unknowable) {
        note_problem(reader);
    }
}

static int read_attributes(struct reader *reader)
{
    char some[512];
    ssize_t bytes = list_names(reader, some, sizeof some);
    if (bytes > 0) {
        return read_values(reader, some, (size_t)bytes);
    }
    if (bytes < 0 && errno != ERANGE) {
        note_list_problem(reader);
    }
    if (bytes == 0 || errno != ERANGE) {
        return 0;
    }
    char *all = malloc(LIST_MAX_BYTES);
    if (all == NULL) {
        return ENOMEM;
    }
    bytes = list_names(reader, all, LIST_MAX_BYTES);
    if (bytes < 0) {
        note_list_problem(reader);
    }
    int problem = bytes > 0 ? read_values(reader, all, (size_t)bytes) : 0;
    free(all);
    return problem;
}

static void read_flags(struct reader *reader)
{
    static const struct {
        unsigned linux_flag;
        uint32_t flag;
    } flags[] = {
        {FS_NODUMP_FL, 0x1}, {FS_IMMUTABLE_FL, 0x2}, {FS_APPEND_FL, 0x4}, {FS_COMPR_FL, 0x20}};
    unsigned found = 0;
    if (reader->fd < 0) {
        return;
    }
    if (ioctl(reader->fd, FS_IOC_GETFLAGS, &found) != 0) {
        note_problem(reader);
        return;
    }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        reader->flags |= (found & flags[i].linux_flag) != 0 ? flags[i].flag : 0;
    }
}

int walk_attributes_read(int fd, const char *path, const struct walk_entry *entry,
                         struct walk_owners *owners, struct walk_attributes **attributes)
{
    struct reader reader = {.fd = fd, .path = path, .entry = entry, .owners = owners};
    *attributes = NULL;
    read_flags(&reader);
    int problem = read_attributes(&reader);
    if (problem == 0 && (reader.flags != 0 || reader.used > 0)) {
        struct walk_attributes *made = malloc(sizeof *made + reader.used);
        problem = made == NULL ? ENOMEM : 0;
        if (made != NULL) {
            *made = (struct walk_attributes){.flags = reader.flags, .bytes = reader.used};
            if (reader.used > 0) {
                memcpy(made->pairs, reader.pairs, reader.used);
            }
            *attributes = made;
        }
    }
    free(reader.pairs);
    return problem != 0 ? problem : reader.problem;
}

static int examine_directory(int directory_fd, const struct walk_entry *entry,
                             struct walk_owners *owners, struct walk_attributes **attributes,
                             bool *is_refused)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat status;
    int fd = openat(directory_fd, entry->name, flags | O_NOATIME);
    if (fd < 0 && errno == EPERM) {
        /* O_NOATIME is for a directory's owner only. */
        fd = openat(directory_fd, entry->name, flags);
    }
    if (fd < 0) {
        *is_refused = true;
        /* A link or a file in its place now: the directory that the walk saw is gone. */
        return errno == ELOOP || errno == ENOTDIR ? ENOENT : errno;
    }
    int problem = fstat(fd, &status) == 0 ? 0 : errno;
    if (problem == 0 &&
        (status.st_dev != entry->status.device || status.st_ino != entry->status.inode)) {
        problem = ENOENT;
    }
    *is_refused = problem != 0;
    if (problem == 0) {
        problem = walk_attributes_read(fd, NULL, entry, owners, attributes);
    }
    (void)close(fd);
    return problem;
}

int walk_attributes_examine(int directory_fd, const struct walk_entry *entry,
                            struct walk_owners *owners, struct walk_attributes **attributes,
                            bool *is_refused)
{
    *is_refused = false;
    if (entry->type == WALK_DIRECTORY) {
        return examine_directory(directory_fd, entry, owners, attributes, is_refused);
    }
    /* Nothing else may be opened without doing something to it, so it goes by a path. */
    char *path = NULL;
    int length = directory_fd == AT_FDCWD
                     ? asprintf(&path, "%s", entry->name)
                     : asprintf(&path, "/proc/self/fd/%d/%s", directory_fd, entry->name);
    if (length < 0) {
        return ENOMEM;
    }
    int problem = walk_attributes_read(-1, path, entry, owners, attributes);
    free(path);
    return problem;
}
