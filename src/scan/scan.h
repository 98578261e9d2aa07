/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan/scan.h - the pipeline that fills a record: walk, read, cut, digest, index, sample.
 *
 * May include: everything from base to record, and trial (for trials made during the scan).
 */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include <stdatomic.h>

#include "base/error.h"
#include "record/record.h"
#include "sample/sample.h"
#include "walk/walk.h"

/**
 * Counters to watch from another thread. Only the scan's workers write them, and those of what is
 * found only through scan_find() and its like; they decide nothing, but what was found and not read
 * is noted in the record, when the workers are gone or rest.
 */
struct scan_progress {
    atomic_uint_fast64_t files;
    atomic_uint_fast64_t bytes;
    atomic_uint_fast64_t unique_bytes;
    atomic_uint_fast64_t problems;
    /**
     * Files whose content is read, and their bytes: by the sizes their folders state, put right when
     * a file turns out to be longer, shorter or not to be read. Of archives and streams: what came
     * out of them so far.
     */
    atomic_uint_fast64_t files_found;
    atomic_uint_fast64_t bytes_found;
    /** Folders not listed, archives and streams not read to their end: none, and no more is found. */
    atomic_uint_fast64_t finders_left;
};

struct scan_config {
    /** Borrowed; its filter's roots are these. */
    const struct walk_root *roots;
    size_t root_count;
    const struct walk_filter *filter;
    struct cadv_chunker_params chunker;
    struct sample_config sample;
    /** Indices into record->levels of the levels trialled during the scan. */
    const size_t *inline_levels;
    size_t inline_count;
    unsigned jobs;
    /** The record is to have the SHA-256 of each unique chunk. */
    bool wants_ids;
    /** Probe every unique chunk of the large stratum: for estimates, so not where all is tried. */
    bool wants_probes;
    /** As in the options. */
    const char *stdin_name;
    bool is_read_special;
    uint64_t archive_max_bytes;
    /** Packed size of an item, see target.h. */
    size_t (*pack_item)(const struct record_item *item, const char *path, const char *source,
                        uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk),
                        void *ctx, uint8_t *out, size_t out_bytes);
    /** Packed length of the entry of a chunk within an item, see target.h. */
    size_t (*pack_chunk)(uint32_t chunk_bytes, uint64_t csize);
    /** Set from outside to end early. */
    const atomic_int *stop;
    struct scan_progress *progress;
    /** Called on the calling thread about ten times a second; may be NULL. */
    void (*tick)(void *ctx);
    void *tick_ctx;
    /**
     * Not 0: `interim` is to be called, once, with `tick_ctx` and a record of what there is now,
     * while the workers rest. Set from outside, reset here. The record is for the call only; its
     * items' blocks may be sorted, and a population be added. May be NULL.
     */
    atomic_int *interim_wanted;
    void (*interim)(void *ctx, struct record *now);
    /** Memory: chunks that wait for a worker, and items kept. */
    uint64_t chunk_lane_bytes;
    uint64_t items_max_bytes;
};

/**
 * Scans the roots into `record` (initialised, its levels set): one content population, items,
 * problems. *sample keeps the contents for later trials and is the caller's to free. A stopped
 * scan is CADV_OK with is_scan_complete false.
 */
enum cadv_status scan_run(const struct scan_config *config, struct record *record,
                          struct sample **sample, struct cadv_error *err);

#endif
