/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/metadata.h - the metadata population: the kept items packed as the target packs them, in
 * archive order, cut as the target cuts its item stream, and sampled like any population.
 */
#ifndef SESSION_METADATA_H
#define SESSION_METADATA_H

#include "base/error.h"
#include "record/record.h"
#include "sample/sample.h"
#include "target/target.h"

/**
 * Adds the population to `record`, whose content is trialled at lz4 as far as planned: the stored
 * sizes that the items mention are those of lz4, or `lz4_ratio` of a chunk that was not trialled.
 * *sample keeps the stream's chunks and is the caller's to free.
 */
enum cadv_status metadata_build(struct record *record, const struct target *target,
                                const struct record_population *content, double lz4_ratio,
                                const struct sample_config *config, struct sample **sample,
                                struct cadv_error *err);

#endif
