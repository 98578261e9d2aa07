/* SPDX-License-Identifier: BSD-2-Clause */
/* estimate/measure.h - what is summed over the chunks: stored bytes, seconds, or bytes that do
 * not shrink. The rest of the module only asks for a chunk's value. */
#ifndef ESTIMATE_MEASURE_H
#define ESTIMATE_MEASURE_H

#include "estimate/estimate.h"

enum measure_kind {
    MEASURE_STORED = 0,
    MEASURE_COMPRESS_S,
    MEASURE_DECOMPRESS_S,
    MEASURE_KEPT
};

struct measure {
    enum measure_kind kind;
    /** MEASURE_STORED only. */
    estimate_stored_fn stored;
};

/** True for bytes: sums are whole numbers, and one level may predict another. */
bool measure_is_bytes(const struct measure *measure);

/** The value of one trial. */
double measure_value(const struct measure *measure, uint32_t chunk_bytes,
                     const struct record_trial *trial, struct cadv_level level);

/** As measure_value(), for measures of bytes. */
uint64_t measure_bytes(const struct measure *measure, uint32_t chunk_bytes,
                       const struct record_trial *trial, struct cadv_level level);

/** True when no chunk's value can exceed its size at this level, whatever the codec does. */
bool measure_is_capped(const struct measure *measure, struct cadv_level level);

#endif
