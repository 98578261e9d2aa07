/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan/pipeline.h - what the parts of the scan share. Inside scan only.
 *
 * Three kinds of task, three lanes of the pool, drained in this order:
 *
 *   CHUNKS       a new chunk with its bytes: trials, then the offer to the sample
 *   FILES        a batch of entries of one directory: read, cut, digest, look up
 *   DIRECTORIES  a directory to list: makes batches and more directories
 *
 * so memory in flight stays small: chunks before files before directories, but for a few files that
 * may wait, so that it is known early what there is to read. A batch is at most
 * BATCH_ENTRIES entries and about BATCH_BYTES of content, cut by the sorted list alone, so that the
 * blocks of items it becomes are the same however many workers there are.
 */
#ifndef SCAN_PIPELINE_H
#define SCAN_PIPELINE_H

#include <pthread.h>

#include "index/index.h"
#include "par/pool.h"
#include "scan/chunk_list.h"
#include "scan/collect.h"
#include "scan/scan.h"
#include "trial/trial.h"
#include "walk/owners.h"
#include "walk/place.h"

enum { SCAN_LANE_CHUNKS = 0, SCAN_LANE_FILES, SCAN_LANE_DIRECTORIES };

#define SCAN_BATCH_ENTRIES 128U
#define SCAN_BATCH_BYTES (16ULL * 1024 * 1024)

/** State of the whole scan. Each part guards itself; the rest is fixed while workers run. */
struct scan {
    const struct scan_config *config;
    const struct cadv_level_list *levels;
    /** What the scan fills; touched by the calling thread only, but for its problems. */
    struct record *record;
    /** When it began. */
    double start_s;
    /** config->jobs of them. */
    struct scan_worker *workers;
    struct par_pool *pool;
    struct index *index;
    /** Digests of the paths of directories that a problem is counted of. */
    struct index *refused;
    struct sample *sample;
    struct walk_hardlinks *hardlinks;
    struct walk_owners *owners;
    struct scan_collector collector;
    /** By root; each is written by the worker that reads that archive. */
    struct record_archive *archives;
    pthread_mutex_t problems_lock;
    /** Guarded by problems_lock. */
    struct record_problems *problems;
};

/** State of one worker; only its own thread touches it until all are joined. */
struct scan_worker {
    struct scan *scan;
    /** Where it is in the trees. */
    struct walk_place place;
    uint8_t *buffer;
    size_t buffer_bytes;
    struct cadv_cutter *cutter;
    struct trial_workspace workspace;
    struct record_trial *trials;
    /** Chunks of the files of the block at hand. */
    struct chunk_list list;
    /** Of chunks that it saw first; empty unless ids are wanted. */
    struct record_ids ids;
    /** Sums, added up after the join. */
    uint64_t total_chunks;
    uint64_t original_bytes;
    uint64_t unique_chunks[RECORD_STRATUM_COUNT];
    uint64_t unique_bytes[RECORD_STRATUM_COUNT];
    uint64_t probe_bytes[RECORD_STRATUM_COUNT];
    uint64_t medium_chunks;
    uint64_t medium_bytes;
    uint64_t count_by_type[RECORD_ITEM_TYPES];
    uint64_t hardlinks;
    uint64_t skipped_special;
    uint64_t packed_bytes;
    uint64_t unlisted_chunks;
    uint64_t partial_archives;
    double read_s;
    double trial_s;
};

/** Adds a worker's sums to the record and its content. */
void scan_add_up(const struct scan_worker *worker, struct record_population *content,
                 struct record *record);

/** There are so many more files and bytes to read; or so many of those found will not be read. Any
 * thread. */
void scan_find(const struct scan *scan, uint64_t files, uint64_t bytes);
void scan_lose(const struct scan *scan, uint64_t files, uint64_t bytes);

/** A file that was found with `stated_bytes` turned out to have `true_bytes`. Any thread. */
void scan_correct_size(const struct scan *scan, uint64_t stated_bytes, uint64_t true_bytes);

/** Something that finds more (a folder, archive or stream) is known; it has found all. Any thread. */
void scan_begin_finding(const struct scan *scan);
void scan_end_finding(const struct scan *scan);

/** What was found and not read, once all sums are in; while no worker runs or all rest. */
void scan_count_unread(const struct scan *scan, const struct record_population *content,
                       struct record *record);

/** Lets config->interim see a record of what there is. Calling thread, while workers run. */
void scan_show(struct scan *scan);

/** True when the run was asked to end. */
bool scan_is_stopped(const struct scan *scan);

/**
 * Counts a problem of the entry `name` in `directory` (NULL: a root called `name`). Fails when it
 * is none of the data's but that this program has too many files open or too little memory: what
 * would be left out then depends on the number of jobs.
 */
enum cadv_status scan_add_problem(struct scan *scan, enum record_problem_kind kind,
                                  int saved_errno, uint64_t bytes,
                                  const struct walk_directory *directory, const char *name,
                                  struct cadv_error *err);

/**
 * The same for a directory that cannot be opened or read to its end: once, though listing it and
 * making an item of it both open it.
 */
enum cadv_status scan_add_directory_problem(struct scan *scan, int saved_errno,
                                            const struct walk_directory *directory,
                                            const char *name, struct cadv_error *err);

/** The same for attributes that could not be read; `saved_errno` 0: all could. */
enum cadv_status scan_add_attribute_problem(struct scan *scan, int saved_errno,
                                            const struct walk_directory *directory,
                                            const char *name, struct cadv_error *err);

/** Gives the pool the directory to list; takes over the reference. */
enum cadv_status scan_push_directory(struct scan *scan, struct walk_directory *directory,
                                     struct cadv_error *err);

/**
 * Gives the pool `entries` to work on and takes over their strings. `directory` NULL: a root, as
 * given. `sequence` numbers the batches of a directory from 0.
 */
enum cadv_status scan_push_batch(struct scan *scan, struct walk_directory *directory,
                                 uint32_t root, uint32_t sequence, struct walk_entry *entries,
                                 size_t entry_count, struct cadv_error *err);

/** What became of a file: content read, or a further link to content read before, or neither. */
enum scan_outcome { SCAN_FILE_READ = 0, SCAN_FILE_AGAIN, SCAN_FILE_REFUSED };

/**
 * Opens the file `entry` in the directory `fd`, and reads and cuts its content unless another link
 * to it came first; its chunks are added to worker->list. Sets entry->attributes. Problems are counted
 * under `directory`/`name`. Every link is opened, as Borg does: what is listed of a file that may not be
 * read must not depend on which of its links is met first.
 */
enum cadv_status scan_file(struct scan_worker *worker, int fd,
                           const struct walk_directory *directory, struct walk_entry *entry,
                           enum scan_outcome *outcome, struct cadv_error *err);

/** Gives the pool a root that is an archive, or standard input as one file. */
enum cadv_status scan_push_archive(struct scan *scan, uint32_t root, struct cadv_error *err);
enum cadv_status scan_push_stream(struct scan *scan, uint32_t root, struct cadv_error *err);

/** True for what --read-special reads: a FIFO or device, or a link to one. */
bool scan_is_special(const struct scan *scan, int fd, const struct walk_entry *entry);

/** As scan_file() for such an entry; *status is what an archive holds of it: a regular file. */
enum cadv_status scan_special(struct scan_worker *worker, int fd,
                              const struct walk_directory *directory,
                              const struct walk_entry *entry, struct walk_status *status,
                              enum scan_outcome *outcome, struct cadv_error *err);

/**
 * Fills `buffer` with the next `bytes` of some content, less only at its end or when something is
 * wrong: then it is not 0, and goes to the caller of scan_content().
 */
typedef int (*scan_read_fn)(void *ctx, uint8_t *buffer, size_t bytes, size_t *got);

/**
 * Reads the content of a file with `links` links to its end, cuts it, and takes each chunk; *problem
 * is what `read` said last.
 */
enum cadv_status scan_content(struct scan_worker *worker, uint64_t links, scan_read_fn read,
                              void *ctx, int *problem, struct cadv_error *err);

/**
 * Counts an item at `path` (archive form). `source`: where the first link to the same file is; NULL:
 * this is it.
 */
void scan_count_item(struct scan_worker *worker, const struct record_item *item,
                     const char *path, const char *source);

/** Counts one chunk and looks it up; a new one goes on to its trials and the sample. */
enum cadv_status scan_chunk(struct scan_worker *worker, const uint8_t *data, uint32_t bytes,
                            struct cadv_error *err);

#endif
