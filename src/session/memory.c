/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/memory.h"

#include "base/units.h"

#define MIB (1024ULL * 1024ULL)

/* The program with its libraries, tables, stacks, and what the allocator keeps to itself; measured
 * 12 to 20 MiB of it. */
#define PROGRAM_BYTES (32 * MIB)
/* Entries that are listed ahead; see scan. */
#define AHEAD_BYTES (8 * MIB)
/* Two buffers of 16 MiB, to measure this machine by. */
#define CALIBRATION_BYTES (32 * MIB)
/* A reader's buffer is at least this; see scan. */
#define READ_MIN_BYTES (4 * MIB)
/* The least that can be shared out: a small sample, and a set of some 400,000 chunks. */
#define SHARED_MIN_BYTES (32 * MIB)

/* At most so much of the limit is kept free when the scan ends there. */
#define KEPT_FREE_BYTES (64 * MIB)

/* Without a limit. More contents: less disk traffic; more items: larger trees whose stream of
 * metadata is rebuilt whole; a longer lane: less waiting for the slowest trial of the scan. */
#define CONTENTS_MAX_BYTES (192 * MIB)
#define LANE_MAX_BYTES (64 * MIB)
#define ITEMS_MAX_BYTES (96 * MIB)

/*
 * What the libraries take beside input and output, for chunks of 8 MiB: ZSTD_estimateCCtxSize() for
 * zstd, lzma_easy_encoder_memusage() for lzma, rounded up. A row holds up to its level; what no row
 * is for (lz4, zlib) takes little.
 */
static const struct {
    enum cadv_codec codec;
    int level;
    uint64_t bytes;
} works[] = {{CADV_CODEC_ZSTD, 3, 2 * MIB},    {CADV_CODEC_ZSTD, 9, 13 * MIB},
             {CADV_CODEC_ZSTD, 12, 49 * MIB},  {CADV_CODEC_ZSTD, 19, 82 * MIB},
             {CADV_CODEC_ZSTD, 22, 130 * MIB}, {CADV_CODEC_LZMA, 2, 18 * MIB},
             {CADV_CODEC_LZMA, 4, 49 * MIB},   {CADV_CODEC_LZMA, 6, 95 * MIB},
             {CADV_CODEC_LZMA, 7, 187 * MIB},  {CADV_CODEC_LZMA, 8, 371 * MIB},
             {CADV_CODEC_LZMA, 9, 675 * MIB}};

static uint64_t work_bytes(struct cadv_level level)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        if (works[i].codec == level.codec && level.level <= works[i].level) {
            return works[i].bytes;
        }
    }
    return MIB;
}

/* The longest chunk that a cutter makes. */
static uint64_t chunk_bytes(const struct cadv_chunker_params *chunker)
{
    uint64_t block = chunker->block_bytes > chunker->header_bytes ? chunker->block_bytes
                                                                  : chunker->header_bytes;
    return chunker->kind == CADV_CHUNKER_BUZHASH ? 1ULL << chunker->max_exp : block;
}

/* Read buffer or kept content, result, restored chunk, and the codec's own: the larger of what a
 * worker needs during the scan and after it. */
static uint64_t worker_bytes(const struct cadv_options *options,
                             const struct cadv_level_list *levels)
{
    uint64_t chunk = chunk_bytes(&options->chunker);
    uint64_t read = 2 * chunk > READ_MIN_BYTES ? 2 * chunk : READ_MIN_BYTES;
    uint64_t work = 0;
    for (size_t i = 0; i < levels->count; i++) {
        uint64_t bytes = work_bytes(levels->items[i]);
        work = bytes > work ? bytes : work;
    }
    uint64_t results = 2 * chunk + chunk / 128 + MIB;
    uint64_t scanning = read + results + (options->is_exact ? work : MIB);
    uint64_t trying = chunk + results + work;
    return scanning > trying ? scanning : trying;
}

static uint64_t at_most(uint64_t bytes, uint64_t most)
{
    return bytes < most ? bytes : most;
}

enum cadv_status memory_plan(const struct cadv_options *options,
                             const struct cadv_level_list *levels, struct memory_plan *plan,
                             struct cadv_error *err)
{
    *plan =
        (struct memory_plan){.fixed_bytes = PROGRAM_BYTES + AHEAD_BYTES + CALIBRATION_BYTES +
                                            options->jobs * worker_bytes(options, levels),
                             .contents_bytes = CONTENTS_MAX_BYTES,
                             .items_contents_bytes = CONTENTS_MAX_BYTES,
                             .lane_bytes = LANE_MAX_BYTES,
                             .items_bytes = ITEMS_MAX_BYTES,
                             .scan_max_bytes = UINT64_MAX};
    uint64_t limit = options->max_memory_bytes;
    if (limit == 0) {
        return CADV_OK;
    }
    uint64_t least = plan->fixed_bytes + SHARED_MIN_BYTES;
    if (limit < least) {
        char text[UNITS_TEXT_MAX];
        return error_set(err, CADV_ERR_USAGE,
                         "%u jobs at these levels need a --max-memory of at least %s; ask for "
                         "fewer --jobs or less dear levels",
                         options->jobs, units_format_bytes(least + least / 1000, 4, text));
    }
    uint64_t shared = limit - plan->fixed_bytes;
    plan->contents_bytes = at_most(shared / 4, CONTENTS_MAX_BYTES);
    plan->items_contents_bytes = at_most(shared / 8, CONTENTS_MAX_BYTES);
    plan->lane_bytes = at_most(shared / 8, LANE_MAX_BYTES);
    plan->items_bytes = at_most(shared / 8, ITEMS_MAX_BYTES);
    /* Room for what grows between two looks, and for the items' stream and contents, which come
     * when the allocator has given back only a part of what the scan took. */
    plan->scan_max_bytes = limit - at_most(shared / 2, KEPT_FREE_BYTES);
    return CADV_OK;
}
