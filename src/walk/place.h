/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk/place.h - where one thread is in the trees: the directory that it opened last stays open, and
 * the next one, which is mostly near, is opened from there. So ten thousand directories within each
 * other do not take ten thousand lookups each, and one descriptor a thread is all it takes.
 */
#ifndef WALK_PLACE_H
#define WALK_PLACE_H

#include <dirent.h>

#include "walk/walk.h"

/** All zero: nowhere. One thread. */
struct walk_place {
    /** Own reference; NULL: nowhere. */
    struct walk_directory *directory;
    /** Of `directory`, for reading; belongs to `stream` once there is one. */
    int fd;
    DIR *stream;
};

/**
 * Goes to the directory: 0 and place->fd, or an errno and nowhere. ENOENT also when another directory
 * is at its path now, so that no link put there, or in place of one above it, leads out of the tree.
 */
int walk_place_go(struct walk_place *place, struct walk_directory *directory);

/** The entries of the directory, from the first; NULL with errno. Belongs to the place. */
DIR *walk_place_stream(struct walk_place *place);

/** Closes what is open; nowhere is fine. */
void walk_place_leave(struct walk_place *place);

/**
 * Reads all entries that are no earlier roots and that no pattern excludes, sorted by inode number
 * (Borg's order; equal numbers by name). 0, or the errno of a directory that could not be read (to its end); ENOMEM too.
 */
int walk_directory_read(struct walk_place *place, struct walk_directory *directory,
                        const struct walk_filter *filter, struct walk_list *list);

#endif
