/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening directories: from the one that was open before, or piece by piece from the top. */
#include "walk/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

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

static int open_path(const char *rest)
{
    int base = AT_FDCWD;
    while (strlen(rest) >= PATH_MAX) {
        /* Up to the last slash that fits; a single name is at most NAME_MAX long. */
        const char *cut = memrchr(rest, '/', PATH_MAX - 1);
        if (cut == NULL || cut == rest) {
            /* A longer one is refused as such. */
            cut = rest + PATH_MAX - 1;
        }
        base = open_piece(base, rest, (size_t)(cut - rest), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (base < 0) {
            return base;
        }
        rest = cut + strspn(cut, "/");
    }
    return open_piece(base, rest, strlen(rest), LAST_FLAGS);
}

/* `fd` (or -errno) if that is the directory; else closes it, -ENOENT. */
static int check(int fd, const struct walk_directory *directory)
{
    struct stat status;
    if (fd < 0) {
        return fd;
    }
    int problem = fstat(fd, &status) == 0 ? 0 : errno;
    if (problem == 0 &&
        (status.st_dev != directory->device || status.st_ino != directory->inode)) {
        problem = ENOENT;
    }
    if (problem != 0) {
        (void)close(fd);
        return -problem;
    }
    return fd;
}

/* Bytes that two paths have in common, whole names only. */
static size_t common_bytes(const char *a, const char *b)
{
    size_t common = 0;
    for (size_t i = 0;; i++) {
        bool is_end = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');
        common = is_end ? i : common;
        if (a[i] != b[i] || a[i] == '\0') {
            return common;
        }
    }
}

/* The way from one directory to another of the same root; false when there is no shorter one. */
static bool find_way(const struct walk_directory *from, const struct walk_directory *to,
                     char way[PATH_MAX])
{
    const char *up = from->path + from->below;
    const char *down = to->path + to->below;
    size_t common = common_bytes(up, down);
    size_t used = 0;
    up += common;
    down += common;
    down += strspn(down, "/");
    size_t down_bytes = strlen(down);
    for (up += strspn(up, "/"); *up != '\0' && used + 3 < PATH_MAX; up += strspn(up, "/")) {
        for (const char *step = "../"; *step != '\0'; step++) {
            way[used++] = *step;
        }
        up += strcspn(up, "/");
    }
    if (*up != '\0' || used + down_bytes >= PATH_MAX || used + down_bytes >= strlen(to->path)) {
        return false;
    }
    memcpy(way + used, down, down_bytes + 1);
    return used + down_bytes > 0;
}

int walk_place_go(struct walk_place *place, struct walk_directory *directory)
{
    char way[PATH_MAX];
    int fd = -1;
    if (place->directory == directory) {
        return 0;
    }
    if (place->directory != NULL && place->directory->root == directory->root &&
        find_way(place->directory, directory, way)) {
        fd = check(open_quietly(place->fd, way, LAST_FLAGS), directory);
    }
    walk_place_leave(place);
    if (fd < 0) {
        fd = check(open_path(directory->path), directory);
    }
    if (fd < 0) {
        return -fd;
    }
    place->fd = fd;
    place->directory = walk_directory_ref(directory);
    return 0;
}

DIR *walk_place_stream(struct walk_place *place)
{
    if (place->stream != NULL) {
        rewinddir(place->stream);
    } else {
        place->stream = fdopendir(place->fd);
    }
    return place->stream;
}

void walk_place_leave(struct walk_place *place)
{
    if (place->stream != NULL) {
        (void)closedir(place->stream);
    } else if (place->directory != NULL) {
        (void)close(place->fd);
    }
    walk_directory_unref(place->directory);
    *place = (struct walk_place){0};
}
