/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target/borg1.h - the parts of the row for Borg 1.x, and what they share. The functions are
 * those of struct target; target.h says what they promise. Facts are those of Borg 1.2.4; 1.1
 * and 1.4 differ by a few bytes per archive.
 *
 * May include: base, record, target.
 */
#ifndef TARGET_BORG1_H
#define TARGET_BORG1_H

#include "target/target.h"

/** Head of each object in a segment file: CRC-32, size, tag, 32-byte id. */
#define BORG1_PUT_BYTES 41U
/** Before each result of a codec: two bytes that name it. */
#define BORG1_CODEC_ID_BYTES 2U
/** Bytes of an object's id, a SHA-256. */
#define BORG1_ID_BYTES 32U
/** Borg's `max_segment_size`, 500 MiB. A segment is closed once it is longer. */
#define BORG1_SEGMENT_MAX_BYTES 524288000U

uint64_t borg1_repository_bytes(const struct target_load *load);
uint64_t borg1_margin_bytes(const struct target_load *load);
uint64_t borg1_upper_bound_bytes(const struct target_load *load);

enum record_choice borg1_choose(uint32_t chunk_bytes, uint64_t cheap_bytes,
                                uint64_t dear_bytes);
struct record_padding borg1_padding(uint64_t stored_bytes, int obfuscate);

/** The most that `pieces` of `bytes` in all can grow by at `level`; saturates at 2^62. */
uint64_t borg1_growth_bytes(struct cadv_level level, uint64_t pieces, uint64_t bytes);

uint64_t borg1_checkpoints(const struct target_load *load, double wall_s, uint64_t *each_bytes);

struct target_time borg1_time(const struct target_load *load,
                              const struct target_machine *machine);

size_t borg1_pack_item(const struct record_item *item, const char *path, const char *source,
                       uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk),
                       void *ctx, uint8_t *out, size_t out_bytes);

size_t borg1_pack_chunk(uint32_t chunk_bytes, uint64_t csize);

const char *borg1_command(struct cadv_level level, const struct target_setup *setup,
                          const char *const *paths, size_t path_count, char *out,
                          size_t out_bytes);

size_t borg1_pack_object(enum target_object object, const struct target_load *load,
                         uint8_t *out, size_t out_bytes);

const struct target_encryption *borg1_encryption(const char *name);
extern const char borg1_encryption_names[];

/** What an object occupies beyond the bytes its codec left. */
uint64_t borg1_object_bytes(const struct target_setup *setup);

const char *borg1_stream_command(struct cadv_level level, const struct target_setup *setup,
                                 const struct target_stream *stream, char *out,
                                 size_t out_bytes);

/** Buckets of a repository index that got `inserted` entries after the manifest's. */
uint64_t borg1_index_buckets(uint64_t inserted);

/** Segments that `objects` of `object_bytes` in all (heads included) fill, at least 1. */
uint64_t borg1_segments(uint64_t objects, uint64_t object_bytes);

#endif
