/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dataset.h - what the scan of a run found, beside the levels: counts, small chunks, problems.
 */
#ifndef COMPADVISE_DATASET_H
#define COMPADVISE_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes with their 95 % interval, lo <= est <= hi. */
struct cadv_interval {
    uint64_t est;
    uint64_t lo;
    uint64_t hi;
};

enum cadv_problem_kind {
    CADV_PROBLEM_UNREADABLE = 0,
    CADV_PROBLEM_VANISHED,
    CADV_PROBLEM_GREW,
    CADV_PROBLEM_SHRANK,
    CADV_PROBLEM_CHANGED,
    /** A member of an archive that needs a password. */
    CADV_PROBLEM_ENCRYPTED,
    /** An archive, or a member of one, that is truncated or broken. */
    CADV_PROBLEM_DAMAGED,
    /** An archive that expands to more than it may. */
    CADV_PROBLEM_LIMIT,
    CADV_PROBLEM_KINDS
};

/** The kind as one word: "unreadable", "vanished", ... as in the enum above. Static text. */
const char *cadv_problem_kind_name(enum cadv_problem_kind kind);

struct cadv_problem {
    enum cadv_problem_kind kind;
    /** errno, or 0. */
    int saved_errno;
    uint64_t bytes;
    /** Any byte but NUL. */
    char *path;
};

/** Chunks told apart as small: those under 512 KiB, and those under 768 KiB. */
#define CADV_SMALL_LIMITS 2

/** The unique chunks below a size: exact. */
struct cadv_small_chunks {
    uint64_t limit_bytes;
    uint64_t chunks;
    uint64_t bytes;
};

struct cadv_dataset {
    /** Regular files whose content was counted, empty ones included. */
    uint64_t nfiles;
    uint64_t original_size;
    uint64_t total_chunks;
    uint64_t total_unique_chunks;
    uint64_t unique_size;
    /** Further links to files whose content was counted once. */
    uint64_t hardlinks;
    /** Directory entries of every kind that an archive will list. */
    uint64_t nitems;
    /** Sockets and the like: in no archive. */
    uint64_t skipped_special;
    /**
     * Of a scan that was cut short: bytes of the files that the walk had listed and that are in no
     * figure; a file with several links counts for each that was not reached. There are more when
     * is_walk_complete is false. 0 and true when all was read.
     */
    uint64_t unread_bytes;
    bool is_walk_complete;
    struct cadv_small_chunks small_chunks[CADV_SMALL_LIMITS];
    /** Unique bytes in chunks that lz4 does not shrink; is_known false without an lz4 trial. */
    struct cadv_interval incompressible_bytes;
    bool is_incompressible_known;
    uint64_t problem_count;
    uint64_t problem_bytes;
    uint64_t problem_count_by_kind[CADV_PROBLEM_KINDS];
    /** The first by path, at most 100. Owned by the result. */
    struct cadv_problem *problems;
    size_t problems_listed;
};

#ifdef __cplusplus
}
#endif

#endif
