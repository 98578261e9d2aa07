/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk/walk.h - directory trees in, entries out. No threads of its own: the scan calls it from many.
 *
 * Symbolic links are never followed, paths of any length and names of any bytes work, nothing is
 * written. Directories are opened piece by piece where a path is longer than the system takes.
 *
 * May include: base, par.
 */
#ifndef WALK_WALK_H
#define WALK_WALK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "compadvise/options.h"

/** What an entry is. */
enum walk_type {
    WALK_FILE = 0,
    WALK_DIRECTORY,
    WALK_SYMLINK,
    WALK_FIFO,
    WALK_DEVICE,
    /** Sockets and what else no archive holds. */
    WALK_OTHER
};

/** What is used of a struct stat, which takes twice as much. */
struct walk_status {
    dev_t device;
    ino_t inode;
    dev_t rdev;
    uint64_t links;
    uint64_t size_bytes;
    int64_t mtime_ns;
    int64_t ctime_ns;
    mode_t mode;
    uid_t uid;
    gid_t gid;
};

struct walk_status walk_status_of(const struct stat *status);

struct walk_entry {
    /** Within the directory; any byte but NUL and '/'. Owned by the list. */
    char *name;
    /** Where a symbolic link points; else NULL. Owned by the list. */
    char *link_target;
    /** What it has beyond its status (attributes.h), once read; else NULL. Owned by the list. */
    struct walk_attributes *attributes;
    enum walk_type type;
    /** errno when the entry could not be examined (then `status` is zero); else 0. */
    int problem;
    struct walk_status status;
};

struct walk_list {
    struct walk_entry *entries;
    size_t count;
    size_t capacity;
};

/** A directory to read. Shared by the tasks that work in it; see walk_directory_ref(). */
struct walk_directory {
    atomic_size_t references;
    /** Path to open, from the root's own path on; fixed once made. */
    char *path;
    /** Path as an archive names it: no leading "/" or "../". */
    char *archive_path;
    /** Where in `path` the names below the root begin. */
    size_t below;
    uint32_t root;
    /** File system of the root. */
    dev_t root_device;
    /** What it was when it was examined; what is opened must still be that. */
    dev_t device;
    ino_t inode;
};

/** A root as given. */
struct walk_root {
    /** Only a tree is examined and walked; of others, `status` is zero and `type` WALK_OTHER. */
    enum cadv_input input;
    /** As an archive names it. Owned. */
    char *archive_path;
    /** To open: as given, but without "." and "..", and no slash at its end. Owned. */
    char *path;
    enum walk_type type;
    struct walk_status status;
    /** Where a symbolic link points; else NULL. Owned. */
    char *link_target;
};

/** Patterns to leave out, and whether to stay on a root's file system. Read-only while scanning. */
struct walk_filter {
    /** As walk_patterns_new() makes them. */
    char *const *excludes;
    size_t exclude_count;
    bool is_one_file_system;
    const struct walk_root *roots;
    size_t root_count;
};

/**
 * Examines the roots; CADV_ERR_INPUT names the first that is missing. As in Borg the text counts:
 * "LINK/" is the link, and "LINK/.." the directory that the link is in. `inputs` says what each is;
 * NULL: all are trees. Free with walk_roots_free().
 */
enum cadv_status walk_roots_open(const char *const *paths, const enum cadv_input *inputs,
                                 size_t path_count, struct walk_root **roots,
                                 struct cadv_error *err);
void walk_roots_free(struct walk_root *roots, size_t count);

/** Patterns as written (Borg's fm: style) made ready to match; NULL when memory ran out. */
char **walk_patterns_new(const char *const *texts, size_t count);
void walk_patterns_free(char **patterns, size_t count);

/** True when `archive_path`, or a directory above it, matches a pattern. */
bool walk_is_excluded(const struct walk_filter *filter, const char *archive_path);

/** True when the walk goes into this directory: not on another file system if that matters. */
bool walk_enters(const struct walk_filter *filter, const struct walk_status *status,
                 dev_t root_device);

/**
 * True for what was itself given as a root before `root`. Borg has it in the archive then and
 * leaves it out from there on, whatever it is and by whatever name it is met.
 */
bool walk_is_earlier_root(const struct walk_filter *filter, const struct walk_status *status,
                          uint32_t root);

/** A root's directory with one reference; copies both paths. NULL when memory ran out. */
struct walk_directory *walk_directory_new(const struct walk_root *given, uint32_t root);
/** The directory `entry` within `parent`. */
struct walk_directory *walk_directory_child(const struct walk_directory *parent,
                                            const struct walk_entry *entry);
struct walk_directory *walk_directory_ref(struct walk_directory *directory);
void walk_directory_unref(struct walk_directory *directory);

/** Examines one name in the open directory `fd` into `entry` (name and target owned by caller). */
int walk_examine(int fd, const char *name, struct walk_entry *entry);

/**
 * Forgets the entries from `count` on, whose strings belong to others now, and gives back most of
 * the memory that they took.
 */
void walk_list_cut(struct walk_list *list, size_t count);

/** Frees the entries; the list is empty then. */
void walk_list_fini(struct walk_list *list);

/** `directory` + "/" + `name` in new memory ("name" alone for directory "" or "."), or NULL. */
char *walk_join(const char *directory, const char *name);

/** walk_join() for archive paths, where nothing is below ".." by name either. */
char *walk_archive_join(const char *directory, const char *name);

/**
 * The path without "." and empty parts, ".." resolved by text, in new memory, or NULL; as Python's
 * os.path.normpath, which Borg applies to roots and patterns before it looks at anything.
 */
char *walk_normalise(const char *path);

/** Inodes with several links: first seen or again. Thread-safe. */
struct walk_hardlinks;
enum walk_link { WALK_LINK_FIRST = 0, WALK_LINK_AGAIN, WALK_LINK_NOMEM };
struct walk_hardlinks *walk_hardlinks_new(void);
void walk_hardlinks_free(struct walk_hardlinks *links);
enum walk_link walk_hardlinks_add(struct walk_hardlinks *links, dev_t device, ino_t inode);

#endif
