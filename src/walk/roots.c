/* SPDX-License-Identifier: BSD-2-Clause */
/* The roots as given: examined once, named as an archive names them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "walk/walk.h"

/* Drops "." and empty parts and resolves ".." by text, as Python's normpath does for Borg. */
static char *normalise(const char *path)
{
    bool is_absolute = path[0] == '/';
    char *out = malloc(strlen(path) + 3);
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

/* Without leading "/" and "../", as Borg stores it; what is left of "/" and ".." is ".". */
static char *archive_path_of(const char *normal)
{
    const char *start = normal;
    for (;;) {
        if (start[0] == '/') {
            start++;
        } else if (strncmp(start, "../", 3) == 0) {
            start += 3;
        } else {
            break;
        }
    }
    if (start[0] == '\0' || strcmp(start, "..") == 0) {
        start = ".";
    }
    return strdup(start);
}

enum cadv_status walk_roots_open(const char *const *paths, size_t path_count,
                                 struct walk_root **roots, struct cadv_error *err)
{
    struct walk_root *made = calloc(path_count, sizeof *made);
    if (made == NULL) {
        return error_nomem(err, "examining the roots");
    }
    for (size_t i = 0; i < path_count; i++) {
        struct walk_entry entry = {0};
        made[i].path = normalise(paths[i]);
        made[i].archive_path = made[i].path == NULL ? NULL : archive_path_of(made[i].path);
        int problem = 0;
        if (paths[i][0] == '\0') {
            problem = ENOENT;
        } else if (made[i].archive_path != NULL) {
            problem = walk_examine(AT_FDCWD, made[i].path, &entry);
        }
        made[i].status = entry.status;
        made[i].link_target = entry.link_target;
        enum cadv_status status = CADV_OK;
        if (problem != 0) {
            status = error_errno(err, CADV_ERR_INPUT, problem, "cannot examine '%s'", paths[i]);
        } else if (made[i].archive_path == NULL) {
            status = error_nomem(err, "examining the roots");
        }
        if (status != CADV_OK) {
            walk_roots_free(made, path_count);
            return status;
        }
    }
    *roots = made;
    return CADV_OK;
}

void walk_roots_free(struct walk_root *roots, size_t count)
{
    for (size_t i = 0; roots != NULL && i < count; i++) {
        free(roots[i].path);
        free(roots[i].archive_path);
        free(roots[i].link_target);
    }
    free(roots);
}
