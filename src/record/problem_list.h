/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/problem_list.h - what went wrong with single files, and what archives turned out to be:
 * parts of the record. Filled through record/problems.h, under the scan's lock.
 */
#ifndef RECORD_PROBLEM_LIST_H
#define RECORD_PROBLEM_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_problem_kind {
    RECORD_UNREADABLE = 0,
    RECORD_VANISHED,
    RECORD_GREW,
    RECORD_SHRANK,
    RECORD_CHANGED,
    RECORD_ENCRYPTED,
    RECORD_DAMAGED,
    RECORD_LIMIT,
    RECORD_PROBLEM_KINDS
};

struct record_problem {
    enum record_problem_kind kind;
    int saved_errno;
    /** Bytes that the walk saw and the figures lack, or that were read although they moved. */
    uint64_t bytes;
    /** Path as the walk made it; any byte but NUL. Owned. */
    char *path;
};

/** At most so many problems are kept by name: the first in byte order of their paths. */
#define RECORD_PROBLEMS_MAX 100

struct record_problems {
    uint64_t count;
    uint64_t bytes;
    uint64_t count_by_kind[RECORD_PROBLEM_KINDS];
    /** Sorted by path, at most RECORD_PROBLEMS_MAX. */
    struct record_problem *listed;
    size_t listed_count;
};

/** What an archive turned out to be. */
struct record_archive {
    /** A tar, compressed or not. */
    bool is_tar;
    /** A Debian package: what counts is the tar within. */
    bool is_package;
    /** What undoes the outermost compression, as a command; NULL: there is none. Static text. */
    const char *filter;
};

#endif
