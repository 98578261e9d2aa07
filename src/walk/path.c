/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths as archives name them, and opening directories deeper than PATH_MAX. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "walk/walk.h"

char *walk_normalise(const char *path)
{
    bool is_absolute = path[0] == '/';
    char *out = calloc(strlen(path) + 3, 1);
    if (out == NULL) {
        return NULL;
    }
    size_t used = 0;
    size_t floor = 0;
    if (is_absolute) {
        out[used++] = '/';
        floor = 1;
    }
    while (*path != '\0') {
        path += strspn(path, "/");
        size_t part = strcspn(path, "/");
        bool is_dot = part == 0 || (part == 1 && path[0] == '.');
        bool is_up = part == 2 && path[0] == '.' && path[1] == '.';
        if (is_up && used > floor) {
            while (used > floor && out[used - 1] != '/') {
                used--;
            }
            used -= used > floor;
        } else if (is_up && !is_absolute) {
            if (used > 0) {
                out[used++] = '/';
            }
            memcpy(out + used, "..", 2);
            used += 2;
            floor = used;
        } else if (!is_dot && !is_up) {
            if (used > 0 && out[used - 1] != '/') {
                out[used++] = '/';
            }
            memmove(out + used, path, part);
            used += part;
        }
        path += part;
    }
    if (used == 0) {
        out[used++] = '.';
    }
    out[used] = '\0';
    return out;
}

char *walk_join(const char *directory, const char *name)
{
    size_t directory_bytes = strcmp(directory, ".") == 0 ? 0 : strlen(directory);
    size_t name_bytes = strlen(name);
    bool needs_slash = directory_bytes > 0 && directory[directory_bytes - 1] != '/';
    char *joined = malloc(size_add(size_add(directory_bytes, name_bytes), 2));
    if (joined == NULL) {
        return NULL;
    }
    memcpy(joined, directory, directory_bytes);
    if (needs_slash) {
        joined[directory_bytes++] = '/';
    }
    memcpy(joined + directory_bytes, name, name_bytes);
    joined[directory_bytes + name_bytes] = '\0';
    return joined;
}

char *walk_archive_join(const char *directory, const char *name)
{
    return walk_join(strcmp(directory, "..") == 0 ? "" : directory, name);
}

struct walk_directory *walk_directory_new(const char *path, const char *archive_path,
                                          uint32_t root, dev_t root_device)
{
    struct walk_directory *directory = calloc(1, sizeof *directory);
    if (directory == NULL) {
        return NULL;
    }
    atomic_init(&directory->references, 1);
    directory->path = strdup(path);
    directory->archive_path = strdup(archive_path);
    directory->root = root;
    directory->root_device = root_device;
    if (directory->path == NULL || directory->archive_path == NULL) {
        walk_directory_unref(directory);
        return NULL;
    }
    return directory;
}

/* Like walk_join(), but a root of "." must stay a path that can be opened. */
static char *join_to_open(const char *directory, const char *name)
{
    return strcmp(directory, ".") == 0 ? strdup(name) : walk_join(directory, name);
}

struct walk_directory *walk_directory_child(const struct walk_directory *parent,
                                            const char *name)
{
    char *path = join_to_open(parent->path, name);
    char *archive_path = walk_archive_join(parent->archive_path, name);
    struct walk_directory *child = NULL;
    if (path != NULL && archive_path != NULL) {
        child = walk_directory_new(path, archive_path, parent->root, parent->root_device);
    }
    free(path);
    free(archive_path);
    return child;
}

struct walk_directory *walk_directory_ref(struct walk_directory *directory)
{
    atomic_fetch_add(&directory->references, 1);
    return directory;
}

void walk_directory_unref(struct walk_directory *directory)
{
    if (directory != NULL && atomic_fetch_sub(&directory->references, 1) == 1) {
        free(directory->path);
        free(directory->archive_path);
        free(directory);
    }
}

/* O_NOATIME is for a directory's owner only. */
static int open_quietly(int base, const char *path, int flags)
{
    int fd = openat(base, path, flags | ((flags & O_PATH) != 0 ? 0 : O_NOATIME));
    return fd < 0 && errno == EPERM ? openat(base, path, flags) : fd;
}

/* Opens the first `piece_bytes` of `path` relative to `base`, and closes `base`. */
static int open_piece(int base, const char *path, size_t piece_bytes, int flags)
{
    char piece[PATH_MAX];
    memcpy(piece, path, piece_bytes);
    piece[piece_bytes] = '\0';
    int fd = open_quietly(base, piece, flags);
    int saved = errno;
    if (base != AT_FDCWD) {
        (void)close(base);
    }
    return fd >= 0 ? fd : -saved;
}

int walk_directory_open(const struct walk_directory *directory)
{
    const int last_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const char *rest = directory->path;
    int base = AT_FDCWD;
    while (strlen(rest) >= PATH_MAX) {
        /* Up to the last slash that fits; a single name is at most NAME_MAX long. */
        const char *cut = memrchr(rest, '/', PATH_MAX - 1);
        if (cut == NULL || cut == rest) {
            if (base != AT_FDCWD) {
                (void)close(base);
            }
            return -ENAMETOOLONG;
        }
        base = open_piece(base, rest, (size_t)(cut - rest), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (base < 0) {
            return base;
        }
        rest = cut + strspn(cut, "/");
    }
    return open_piece(base, rest, strlen(rest), last_flags);
}
