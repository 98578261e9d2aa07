/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths as archives name them, and directories known by them. */
#include <stdlib.h>
#include <string.h>

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

/* Takes over the paths; either may be NULL when memory ran out. */
static struct walk_directory *make(char *path, char *archive_path,
                                   const struct walk_status *status)
{
    struct walk_directory *directory = calloc(1, sizeof *directory);
    if (directory == NULL || path == NULL || archive_path == NULL) {
        free(directory);
        free(path);
        free(archive_path);
        return NULL;
    }
    atomic_init(&directory->references, 1);
    directory->path = path;
    directory->archive_path = archive_path;
    directory->device = status->device;
    directory->inode = status->inode;
    return directory;
}

struct walk_directory *walk_directory_new(const struct walk_root *given, uint32_t root)
{
    struct walk_directory *directory =
        make(strdup(given->path), strdup(given->archive_path), &given->status);
    if (directory != NULL) {
        directory->root = root;
        directory->below = strlen(directory->path);
        directory->root_device = given->status.device;
    }
    return directory;
}

struct walk_directory *walk_directory_child(const struct walk_directory *parent,
                                            const struct walk_entry *entry)
{
    struct walk_directory *child =
        make(walk_join(parent->path, entry->name),
             walk_archive_join(parent->archive_path, entry->name), &entry->status);
    if (child != NULL) {
        bool is_below_root = parent->path[parent->below] == '\0';
        child->below =
            is_below_root ? strlen(child->path) - strlen(entry->name) : parent->below;
        child->root = parent->root;
        child->root_device = parent->root_device;
    }
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
