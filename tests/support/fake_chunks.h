/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * support/fake_chunks.h - unique chunks from a seed, their contents, and what a sorted list says
 * that a sample of them must hold. Link support/noise.c.
 */
#ifndef SUPPORT_FAKE_CHUNKS_H
#define SUPPORT_FAKE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#include "record/record.h"
#include "sample/sample.h"

/** The longest chunk made. */
#define FAKE_CHUNK_BYTES_MAX (RECORD_LARGE_MIN_BYTES + 20000U)

/** `count` chunks in chunks[], every `large_every`th of them a large one; free with free(). */
struct record_chunk *fake_chunks_make(uint64_t seed, size_t count, size_t large_every,
                                      uint64_t salt);

/** The content of a chunk: a function of its digest. `data` holds chunk->bytes. */
void fake_chunks_content(const struct record_chunk *chunk, uint8_t *data);

/** Sorts so that what a sample keeps first comes first. */
void fake_chunks_sort(struct record_chunk *chunks, size_t count);

/** The part of the sorted `chunks` that lies in a stratum, in order; returns how many. */
size_t fake_chunks_of(const struct record_chunk *chunks, size_t count,
                      enum record_stratum_id stratum, struct record_chunk *out);

/** How long the head is that is at most `count_max` chunks and `bytes_max` bytes. */
size_t fake_chunks_head(const struct record_chunk *chunks, size_t count, size_t count_max,
                        uint64_t bytes_max);

#endif
