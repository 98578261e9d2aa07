/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/measure.h"

bool measure_is_bytes(const struct measure *measure)
{
    return measure->kind == MEASURE_STORED || measure->kind == MEASURE_KEPT;
}

uint64_t measure_bytes(const struct measure *measure, uint32_t chunk_bytes,
                       const struct record_trial *trial, struct cadv_level level)
{
    if (measure->kind == MEASURE_STORED) {
        return measure->stored(chunk_bytes, trial->raw_bytes, level);
    }
    return trial->raw_bytes >= chunk_bytes ? chunk_bytes : 0;
}

double measure_value(const struct measure *measure, uint32_t chunk_bytes,
                     const struct record_trial *trial, struct cadv_level level)
{
    if (measure->kind == MEASURE_COMPRESS_S) {
        return (double)trial->compress_s;
    }
    if (measure->kind == MEASURE_DECOMPRESS_S) {
        return (double)trial->decompress_s;
    }
    return (double)measure_bytes(measure, chunk_bytes, trial, level);
}

/* A rule that stores raw what does not shrink says so when asked about the worst result. */
bool measure_is_capped(const struct measure *measure, struct cadv_level level)
{
    const uint32_t probe_bytes = 1U << 20;
    if (measure->kind == MEASURE_STORED) {
        return measure->stored(probe_bytes, UINT32_MAX, level) <= probe_bytes;
    }
    return measure->kind == MEASURE_KEPT;
}
