/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/metadata.h - the metadata population: the kept items packed as the target packs them, in
 * archive order, cut as the target cuts its item stream, and sampled like any population.
 */
#ifndef SESSION_METADATA_H
#define SESSION_METADATA_H

#include <stdatomic.h>

#include "base/error.h"
#include "record/record.h"
#include "sample/sample.h"
#include "session/chunk_sizes.h"
#include "session/populations.h"
#include "target/target.h"

/** The item stream as one level makes it. */
struct metadata_stream {
    /** False when it was not made, or not to its end. */
    bool is_known;
    uint64_t original_bytes;
    /** Different chunks, and those that were there before: long lists of one chunk of zeros make a
     * stream that repeats itself. */
    uint64_t unique_chunks;
    uint64_t repeated_chunks;
    /** Of the different ones, by the target's store rule, without what surrounds a chunk. */
    uint64_t stored_bytes;
    /** Thread CPU seconds. */
    double compress_s;
    double decompress_s;
};

/** What the streams of all levels are made of. */
struct metadata_request {
    /** Its first population is the content; its items are complete and sorted. */
    struct record *record;
    const struct target *target;
    const struct target_setup *setup;
    unsigned jobs;
    /** By level index: the content is trialled whole at it. */
    const bool *is_wanted;
    /** Set from outside to end early; may be NULL. */
    const atomic_int *stop;
    /** Set by metadata_streams() while it runs. */
    const struct chunk_sizes *sizes;
};

/**
 * Makes the stream of every level wanted into `streams`, by level index, each with that
 * level's own stored sizes. What it costs is what trials of one stream at all levels would.
 */
enum cadv_status metadata_streams(struct metadata_request *request,
                                  struct metadata_stream *streams, struct cadv_error *err);

/**
 * Adds the population to `record`, whose first is the content, trialled at lz4 as far as planned: the stored
 * sizes that the items mention are those of lz4, or `lz4_ratio` of a chunk that was not trialled.
 * *sample keeps the stream's chunks and is the caller's to free.
 */
enum cadv_status metadata_build(struct record *record, const struct target *target,
                                const struct target_setup *setup, double lz4_ratio,
                                const struct sample_config *config, struct sample **sample,
                                struct cadv_error *err);

#endif
