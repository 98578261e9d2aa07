/* SPDX-License-Identifier: BSD-2-Clause */
/* The roots as given: examined once, named as an archive names them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "walk/walk.h"

/* Without leading "/" and "../", as Borg stores it; what is left of "/" is ".". */
static char *archive_path_of(const char *path)
{
    const char *start = path;
    for (;;) {
        if (start[0] == '/') {
            start++;
        } else if (strncmp(start, "../", 3) == 0) {
            start += 3;
        } else {
            break;
        }
    }
    return strdup(start[0] == '\0' ? "." : start);
}

static enum cadv_status open_root(struct walk_root *root, const char *path,
                                  struct cadv_error *err)
{
    root->path = walk_normalise(path);
    root->archive_path = root->path == NULL ? NULL : archive_path_of(root->path);
    if (root->archive_path == NULL) {
        return error_nomem(err, "examining the roots");
    }
    struct walk_entry entry = {0};
    int problem = path[0] == '\0' ? ENOENT : walk_examine(AT_FDCWD, root->path, &entry);
    root->type = entry.type;
    root->status = entry.status;
    root->link_target = entry.link_target;
    return problem == 0
               ? CADV_OK
               : cadv_error_set(err, CADV_ERR_INPUT, problem, "cannot examine '%s'", path);
}

/* An archive must be there, whatever it turns out to hold; standard input always is. */
static enum cadv_status open_stream(struct walk_root *root, const char *path,
                                    enum cadv_input input, struct cadv_error *err)
{
    struct stat status;
    root->input = input;
    root->type = WALK_OTHER;
    root->path = strdup(path);
    root->archive_path = strdup(path);
    if (root->path == NULL || root->archive_path == NULL) {
        return error_nomem(err, "examining the roots");
    }
    if (strcmp(path, "-") != 0 && stat(path, &status) != 0) {
        return cadv_error_set(err, CADV_ERR_INPUT, errno, "cannot examine '%s'", path);
    }
    return CADV_OK;
}

enum cadv_status walk_roots_open(const char *const *paths, const enum cadv_input *inputs,
                                 size_t path_count, struct walk_root **roots,
                                 struct cadv_error *err)
{
    struct walk_root *made = calloc(path_count, sizeof *made);
    if (made == NULL) {
        return error_nomem(err, "examining the roots");
    }
    for (size_t i = 0; i < path_count; i++) {
        enum cadv_input input = inputs == NULL ? CADV_INPUT_TREE : inputs[i];
        enum cadv_status status = input == CADV_INPUT_TREE
                                      ? open_root(&made[i], paths[i], err)
                                      : open_stream(&made[i], paths[i], input, err);
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
