/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record/record.h - the scan record: everything a scan and its trials learned, as one value.
 *
 * It is the hinge of the program. Left of it are threads and data; right of it (estimate, target,
 * advise, report) only pure functions that read it. Nothing in it depends on the number of threads
 * or on the order in which files were read, except the times of trials.
 *
 * A record holds populations. A population is what one cutter makes of some bytes: the dataset's
 * file content is one; the metadata stream that a target writes about the files is another.
 *
 * The unique chunks of a population fall into strata by size, because small chunks (mostly whole
 * small files) behave differently. Within a stratum a record keeps the head of one ordering of all
 * unique chunks (see sample/), and each level was trialled on the first `trialled` of them.
 *
 * Ownership: the record owns everything it points to; record_fini() frees it. May include: base.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compadvise/chunker.h"
#include "compadvise/level.h"

/** 128-bit digest of a chunk's content. */
struct record_digest {
    uint64_t high;
    uint64_t low;
};

/** What one codec level made of one chunk. */
struct record_trial {
    /** The codec's raw result in bytes; may exceed the chunk. */
    uint32_t raw_bytes;
    /** Thread CPU seconds to compress and to decompress. Not reproducible; never decides a size. */
    float compress_s;
    float decompress_s;
};

/** One unique chunk of the ordering's head. */
struct record_chunk {
    struct record_digest digest;
    /** Raw size x_i, at least 1. */
    uint32_t bytes;
    /** Priority z(x_i) / u_i of the ordering; larger comes first. */
    double priority;
};

/** Strata by chunk size. Raising the bound moves whole mid-size files among the small ones. */
enum record_stratum_id { RECORD_LARGE = 0, RECORD_SMALL, RECORD_STRATUM_COUNT };
#define RECORD_LARGE_MIN_BYTES (512U * 1024U)

/** Chunks of the large stratum below this are counted apart: Borg 2 splits none of them. */
#define RECORD_MEDIUM_MAX_BYTES (768U * 1024U)

struct record_stratum {
    /** Exact count and bytes of the stratum's unique chunks (N and X). */
    uint64_t unique_chunks;
    uint64_t unique_bytes;
    /** Head of the ordering, descending priority; chunk_count <= unique_chunks. */
    struct record_chunk *chunks;
    size_t chunk_count;
    /** The largest priority of the chunks left out; 0 when none was. */
    double threshold;
    /** By level index: trials[level][rank] for rank < trialled[level]. NULL while none. */
    struct record_trial *trials[CADV_LEVELS_MAX];
    size_t trialled[CADV_LEVELS_MAX];
};

/** What the bytes of a population are. */
enum record_purpose { RECORD_CONTENT = 0, RECORD_METADATA };

struct record_population {
    /** For messages: "content", "items"; static text. */
    const char *name;
    enum record_purpose purpose;
    struct cadv_chunker_params chunker;
    /** Of all chunks, repeated ones counted each time. */
    uint64_t total_chunks;
    uint64_t original_bytes;
    /** Unique chunks of the large stratum under RECORD_MEDIUM_MAX_BYTES, and their bytes. */
    uint64_t medium_chunks;
    uint64_t medium_bytes;
    struct record_stratum strata[RECORD_STRATUM_COUNT];
};

/** Raise it when targets ask for more cutters in one scan. */
#define RECORD_POPULATIONS_MAX 16

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

enum record_item_type {
    RECORD_ITEM_FILE = 0,
    RECORD_ITEM_DIRECTORY,
    RECORD_ITEM_SYMLINK,
    RECORD_ITEM_FIFO,
    RECORD_ITEM_DEVICE,
    RECORD_ITEM_TYPES
};

struct record_chunk_ref {
    struct record_digest digest;
    uint32_t bytes;
};

/**
 * One directory entry as a target's metadata needs it. Strings are borrowed from the block that
 * holds the item, or from whoever made the item.
 */
struct record_item {
    enum record_item_type type;
    uint32_t mode;
    uint32_t uid;
    uint32_t gid;
    uint64_t ino;
    uint64_t dev;
    uint64_t rdev;
    uint64_t nlink;
    uint64_t size_bytes;
    int64_t mtime_ns;
    int64_t ctime_ns;
    /** Name within the directory; the root's own path for a root. */
    const char *name;
    /**
     * Symlinks: where it points. Files of an archive: the path of the first link when this is a
     * further one. Else NULL.
     */
    const char *link_target;
    /** It comes from an archive: there is no change time, and links are told by `link_target`. */
    bool is_member;
    /** Names of the owner and the group, as this machine knows them; NULL: unknown. */
    const char *user;
    const char *group;
    /** Files: the chunks in order. */
    const struct record_chunk_ref *chunks;
    size_t chunk_count;
    /** Extended attributes by name, and ACLs, as base/pairs.h and walk/attributes.h have them. */
    const uint8_t *attributes;
    uint32_t attributes_bytes;
    /** Flags in BSD's numbers. */
    uint32_t flags;
};

/** Consecutive entries (by inode number) of one directory. */
struct record_item_block {
    /** Path of the directory as an archive names it (no leading slash); "" above a root item. */
    char *directory;
    /** Which root, in the order given, and which block of the directory, from 0. */
    uint32_t root;
    uint32_t sequence;
    struct record_item *items;
    size_t item_count;
    /** Bytes this block occupies, for the cap; and storage for strings and chunk lists. */
    size_t memory_bytes;
    void *storage;
};

/** The dataset's entries: exact counts, and the blocks that were kept to see real ones. */
struct record_items {
    uint64_t count_by_type[RECORD_ITEM_TYPES];
    /** Further links to files whose content was counted once. */
    uint64_t hardlinks;
    /** Sockets and other things no archive holds. */
    uint64_t skipped_special;
    /** Exact sum over all items of the target's packed size (see target.h). */
    uint64_t packed_bytes;
    struct record_item_block *blocks;
    size_t block_count;
    /** True when every block was kept, so the real stream can be rebuilt whole. */
    bool is_whole;
    /** Set by the first record_items_visit(): the blocks are in order. */
    bool is_sorted;
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

struct record {
    /** Levels trialled: those asked for and those that only help to estimate them. */
    struct cadv_level_list levels;
    uint64_t salt;
    /** False when the scan was ended before all files were read. */
    bool is_scan_complete;
    /**
     * Then: bytes of files that the walk has listed and that are in no count. Each link of a file
     * with several links counts until it is reached. With is_walk_complete false there are more.
     */
    uint64_t unread_bytes;
    bool is_walk_complete;
    /** False when the trials were ended before all planned ones were run. */
    bool are_trials_complete;
    /** Each with its own cutter; a target asks for the ones it needs with record_find(). */
    struct record_population populations[RECORD_POPULATIONS_MAX];
    size_t population_count;
    struct record_items items;
    struct record_problems problems;
    /** By root; those that are no archives are zero. Owned. */
    struct record_archive *archives;
    size_t archive_count;
    /** Archives that could not be read to their end. */
    uint64_t partial_archives;
    /** Thread CPU seconds of all trials, and wall seconds of the scan: never decide a size. */
    double trial_cpu_s;
    double scan_s;
    /** Seconds the scan's threads spent inside read(), for the measured read rate. */
    double read_s;
};

/** Makes an empty record. */
void record_init(struct record *record);

/** Frees what the record owns. */
void record_fini(struct record *record);

/** The stratum a chunk of this size belongs to. */
enum record_stratum_id record_stratum_of(uint32_t chunk_bytes);

/**
 * The size measure z(x) = x^0.6 of the ordering, for chunk_bytes >= 1. Made of multiplications
 * and divisions only, so that it is the same double everywhere and sampler and estimator agree.
 */
double record_size_measure(uint32_t chunk_bytes);

/** Index of `level` in record->levels, or SIZE_MAX. */
size_t record_level_index(const struct record *record, struct cadv_level level);

/** The population of this purpose cut with these parameters; NULL when the record has none. */
const struct record_population *record_find(const struct record *record,
                                            enum record_purpose purpose,
                                            const struct cadv_chunker_params *chunker);

/** Unique chunks and bytes over all strata. */
uint64_t record_unique_chunks(const struct record_population *population);
uint64_t record_unique_bytes(const struct record_population *population);

#endif
