/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/fake_chunks.h"

#include <stdlib.h>
#include <string.h>

#include "support/noise.h"
#include "support/unit.h"

struct record_chunk *fake_chunks_make(uint64_t seed, size_t count, size_t large_every,
                                      uint64_t salt)
{
    struct noise noise = {seed};
    struct record_chunk *chunks = calloc(count, sizeof *chunks);
    assert_non_null(chunks);
    for (size_t i = 0; i < count; i++) {
        bool is_large = i % large_every == large_every - 1;
        chunks[i].digest.high = noise_next(&noise);
        chunks[i].digest.low = noise_next(&noise);
        chunks[i].bytes = is_large
                              ? RECORD_LARGE_MIN_BYTES + (uint32_t)noise_below(&noise, 20000)
                              : 1 + (uint32_t)noise_below(&noise, 3000);
        chunks[i].priority = sample_priority(chunks[i].digest, chunks[i].bytes, salt);
    }
    return chunks;
}

void fake_chunks_content(const struct record_chunk *chunk, uint8_t *data)
{
    struct noise noise = {chunk->digest.low};
    for (size_t at = 0; at < chunk->bytes; at += sizeof(uint64_t)) {
        uint64_t word = noise_next(&noise);
        size_t left = chunk->bytes - at;
        memcpy(data + at, &word, left < sizeof word ? left : sizeof word);
    }
}

static int by_priority(const void *left, const void *right)
{
    const struct record_chunk *a = left;
    const struct record_chunk *b = right;
    return (a->priority < b->priority) - (a->priority > b->priority);
}

void fake_chunks_sort(struct record_chunk *chunks, size_t count)
{
    qsort(chunks, count, sizeof *chunks, by_priority);
    for (size_t i = 1; i < count; i++) {
        assert_true(chunks[i - 1].priority > chunks[i].priority);
    }
}

size_t fake_chunks_of(const struct record_chunk *chunks, size_t count,
                      enum record_stratum_id stratum, struct record_chunk *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if ((chunks[i].bytes >= RECORD_LARGE_MIN_BYTES) == (stratum == RECORD_LARGE)) {
            out[found++] = chunks[i];
        }
    }
    return found;
}

size_t fake_chunks_head(const struct record_chunk *chunks, size_t count, size_t count_max,
                        uint64_t bytes_max)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bytes += chunks[i].bytes;
        if (i == count_max || bytes > bytes_max) {
            return i;
        }
    }
    return count;
}
