/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading one directory: every entry examined, in Borg's order. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "walk/place.h"

static enum walk_type type_of(mode_t mode)
{
    static const struct {
        mode_t format;
        enum walk_type type;
    } types[] = {
        {S_IFREG, WALK_FILE}, {S_IFDIR, WALK_DIRECTORY}, {S_IFLNK, WALK_SYMLINK},
        {S_IFIFO, WALK_FIFO}, {S_IFCHR, WALK_DEVICE},    {S_IFBLK, WALK_DEVICE},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if ((mode & S_IFMT) == types[i].format) {
            return types[i].type;
        }
    }
    return WALK_OTHER;
}

/* Reads a link's target into new memory; its size may have changed since it was examined. */
static int read_target(int fd, const char *name, char **target)
{
    char buffer[4096];
    ssize_t bytes = readlinkat(fd, name, buffer, sizeof buffer);
    if (bytes < 0) {
        return errno;
    }
    *target = strndup(buffer, (size_t)bytes);
    return *target == NULL ? ENOMEM : 0;
}

static int64_t to_ns(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

struct walk_status walk_status_of(const struct stat *status)
{
    return (struct walk_status){.device = status->st_dev,
                                .inode = status->st_ino,
                                .rdev = status->st_rdev,
                                .links = status->st_nlink,
                                .size_bytes = (uint64_t)status->st_size,
                                .mtime_ns = to_ns(status->st_mtim),
                                .ctime_ns = to_ns(status->st_ctim),
                                .mode = status->st_mode,
                                .uid = status->st_uid,
                                .gid = status->st_gid};
}

int walk_examine(int fd, const char *name, struct walk_entry *entry)
{
    struct stat status;
    if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        entry->status = (struct walk_status){0};
        entry->type = WALK_OTHER;
        return errno;
    }
    entry->status = walk_status_of(&status);
    entry->type = type_of(entry->status.mode);
    return entry->type == WALK_SYMLINK ? read_target(fd, name, &entry->link_target) : 0;
}

static int by_inode(const void *left, const void *right)
{
    const struct walk_entry *a = left;
    const struct walk_entry *b = right;
    if (a->status.inode != b->status.inode) {
        return a->status.inode < b->status.inode ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

static int add_entry(int fd, const char *name, struct walk_list *list)
{
    struct walk_entry *entries =
        array_reserve(list->entries, &list->capacity, list->count + 1, sizeof *list->entries);
    if (entries == NULL) {
        return ENOMEM;
    }
    list->entries = entries;
    struct walk_entry *entry = &entries[list->count];
    memset(entry, 0, sizeof *entry);
    entry->name = strdup(name);
    if (entry->name == NULL) {
        return ENOMEM;
    }
    list->count++;
    entry->problem = walk_examine(fd, name, entry);
    return entry->problem == ENOMEM ? ENOMEM : 0;
}

static void free_entry(struct walk_entry *entry)
{
    free(entry->name);
    free(entry->link_target);
    free(entry->attributes);
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int read_all(DIR *stream, const struct walk_directory *directory,
                    const struct walk_filter *filter, struct walk_list *list)
{
    for (;;) {
        errno = 0;
        const struct dirent *found = readdir(stream);
        if (found == NULL) {
            return errno;
        }
        if (is_dot(found->d_name)) {
            continue;
        }
        if (filter->exclude_count > 0) {
            char *path = walk_archive_join(directory->archive_path, found->d_name);
            if (path == NULL) {
                return ENOMEM;
            }
            bool is_excluded = walk_is_excluded(filter, path);
            free(path);
            if (is_excluded) {
                continue;
            }
        }
        int problem = add_entry(dirfd(stream), found->d_name, list);
        if (problem != 0) {
            return problem;
        }
        struct walk_entry *added = &list->entries[list->count - 1];
        if (walk_is_earlier_root(filter, &added->status, directory->root)) {
            free_entry(added);
            list->count--;
        }
    }
}

int walk_directory_read(struct walk_place *place, struct walk_directory *directory,
                        const struct walk_filter *filter, struct walk_list *list)
{
    int problem = walk_place_go(place, directory);
    if (problem != 0) {
        return problem;
    }
    DIR *stream = walk_place_stream(place);
    if (stream == NULL) {
        return errno;
    }
    problem = read_all(stream, directory, filter, list);
    if (list->count > 1) {
        qsort(list->entries, list->count, sizeof *list->entries, by_inode);
    }
    return problem;
}

/* Fewer: more calls that move the list's end. */
#define CUT_ENTRIES 8192U

void walk_list_cut(struct walk_list *list, size_t count)
{
    list->count = count;
    if (count == 0 || list->capacity - count < CUT_ENTRIES) {
        return;
    }
    struct walk_entry *shorter = realloc(list->entries, size_mul(count, sizeof *shorter));
    if (shorter != NULL) {
        list->entries = shorter;
        list->capacity = count;
    }
}

void walk_list_fini(struct walk_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free_entry(&list->entries[i]);
    }
    free(list->entries);
    *list = (struct walk_list){0};
}
