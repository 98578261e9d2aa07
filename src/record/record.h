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
#include "record/ids.h"
#include "record/item.h"
#include "record/problem_list.h"

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
    /** What a few slices of it promise for the whole (see trial/probe.h); 0 when not probed. */
    uint32_t probe_bytes;
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
    /** Exact sum of probe_bytes over all of these; 0 where none are probed. */
    uint64_t probe_bytes;
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
    /** Ids of the content's unique chunks, sorted; empty when none were asked for. */
    struct record_ids ids;
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

/** Frees what one population owns, and empties it. */
void record_population_fini(struct record_population *population);

/** Frees what the record owns. */
void record_fini(struct record *record);

/** The stratum a chunk of this size belongs to. */
enum record_stratum_id record_stratum_of(uint32_t chunk_bytes);

/**
 * The size measure z(x) = x^0.6 of the ordering, for chunk_bytes >= 1. Made of multiplications
 * and divisions only, so that it is the same double everywhere and sampler and estimator agree.
 */
double record_size_measure(uint32_t chunk_bytes);

/** Index of `level` in a list of levels, as record->levels is one, or SIZE_MAX. */
size_t record_level_index(const struct cadv_level_list *levels, struct cadv_level level);

/** The population of this purpose cut with these parameters; NULL when the record has none. */
const struct record_population *record_find(const struct record *record,
                                            enum record_purpose purpose,
                                            const struct cadv_chunker_params *chunker);

/** Unique chunks and bytes over all strata. */
uint64_t record_unique_chunks(const struct record_population *population);
uint64_t record_unique_bytes(const struct record_population *population);

#endif
