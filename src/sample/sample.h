/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample/sample.h - the one ordering of unique chunks, its head, and the contents that trials need.
 *
 * Every unique chunk has a priority z(x) / u: z from its size, u in (0, 1] from its digest and the
 * salt (priority sampling; Duffield, Lund, Thorup 2007). The sample keeps the chunks of highest
 * priority, so which chunks those are depends on nothing but the data and the salt, never on the
 * order of arrival. Of a shorter head it also keeps the bytes: in memory up to a cap, then in an
 * unlinked temporary file, so that no source file is read twice.
 *
 * May include: base, par, record's value types.
 */
#ifndef SAMPLE_SAMPLE_H
#define SAMPLE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/record.h"

struct sample_config {
    /** Chunks kept of each stratum's ordering; SIZE_MAX: all. */
    size_t order_max[RECORD_STRATUM_COUNT];
    /** Of how many of these the contents are kept, at most, by count (<= order_max) and bytes. */
    size_t content_max[RECORD_STRATUM_COUNT];
    uint64_t content_max_bytes[RECORD_STRATUM_COUNT];
    /** Contents beyond this many bytes (both strata) go to the temporary file. */
    uint64_t memory_max_bytes;
    /** Trials that come with each offered chunk. */
    size_t inline_count;
    uint64_t salt;
    /** Where the temporary file goes. Borrowed. */
    const char *spool_directory;
};

struct sample;

/** An empty sample; NULL when memory ran out. Free with sample_free(), NULL is fine. */
struct sample *sample_new(const struct sample_config *config);
void sample_free(struct sample *sample);

/** The priority of a chunk; `bytes` is at least 1. */
double sample_priority(struct record_digest digest, uint32_t bytes, uint64_t salt);

/**
 * False when a chunk of this priority can no longer be among those kept (the bar only rises), so
 * that neither trials nor an offer are worth while. Thread-safe and cheap.
 */
bool sample_wants(struct sample *sample, enum record_stratum_id stratum, double priority);

/**
 * Offers a unique chunk with its bytes and its `inline_count` trials; all are copied as needed.
 * Thread-safe. Fails when memory runs out. When the temporary file cannot take more, contents stop
 * at a higher priority instead and sample_spool_errno() says why.
 */
enum cadv_status sample_offer(struct sample *sample, const struct record_chunk *chunk,
                              const uint8_t *content, const struct record_trial *trials,
                              struct cadv_error *err);

/** errno of a write to the temporary file that failed, or 0. */
int sample_spool_errno(const struct sample *sample);

/**
 * After the last offer, once: sorts, and moves the head of each stratum into `population`
 * (chunks, chunk_count, threshold, and the inline trials at the level indices `inline_levels`,
 * `inline_count` of them). Contents stay with the sample.
 */
enum cadv_status sample_finish(struct sample *sample, struct record_population *population,
                               const size_t *inline_levels, struct cadv_error *err);

/**
 * As sample_finish(), but in between: `population` gets copies of the heads as they are, and the
 * sample goes on unchanged. Contents cannot be read yet. Thread-safe.
 */
enum cadv_status sample_peek(struct sample *sample, struct record_population *population,
                             const size_t *inline_levels, struct cadv_error *err);

/** After sample_finish(): how many chunks at the head of a stratum have their contents. */
size_t sample_content_count(const struct sample *sample, enum record_stratum_id stratum);

/**
 * After sample_finish(): copies the content of the chunk at `rank` into `buffer`, which holds its
 * bytes. Thread-safe. Fails when the temporary file cannot be read.
 */
enum cadv_status sample_read(const struct sample *sample, enum record_stratum_id stratum,
                             size_t rank, uint8_t *buffer, struct cadv_error *err);

#endif
