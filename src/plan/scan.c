/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "base/error.h"
#include "plan/plan.h"

/* The budget that the numbers below are meant for; others scale with it. */
#define REFERENCE_BUDGET_BYTES 600000000.0

/*
 * The head that lz4 is trialled on during the scan. A scan cannot know how many chunks will
 * come, so it trials about k (1 + ln(N/k)) of them to end with k: for 1,400 large chunks that
 * costs 85 MB of zstd,19 at N = 10,000 (30 GB), 155 at 100,000 and 220 at a million. Small chunks
 * cost a tenth of that. Probes, which are exact in total, carry lz4 beyond these chunks; so what
 * more of them would cost narrows intervals more when it is spent on dearer levels.
 */
static const double order_reference[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 1400.0, [RECORD_SMALL] = 16384.0};
/* As many as the plan wants at least of lz4 and zstd 1 and 3. */
static const double order_min[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 96.0, [RECORD_SMALL] = 320.0};

/*
 * Contents kept for the trials after the scan, 1.5 GiB together: some 500 large and 3,000 small
 * chunks. Levels 1 and 3 take all of them, since everything dearer is built on these; level 19 takes
 * 24 to 100 of the large ones.
 */
static const double content_reference[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 1280.0 * 1024 * 1024, [RECORD_SMALL] = 256.0 * 1024 * 1024};

/* Enough for the fewest trials that a plan makes, with room. */
static const double content_min[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 320.0 * 1024 * 1024, [RECORD_SMALL] = 64.0 * 1024 * 1024};

/* One part in so many: the metadata stream is a few tenths of a percent of a repository. */
#define METADATA_PARTS 20

struct helper {
    struct cadv_level level;
    /** Helps levels of this codec from this one on. */
    enum cadv_codec codec;
    int from;
};

/* Each tells much about the levels above it and costs a fraction of them. */
static const struct helper helpers[] = {
    {{.codec = CADV_CODEC_LZ4}, CADV_CODEC_ZSTD, -1000},
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, CADV_CODEC_ZSTD, 2},
    {{.codec = CADV_CODEC_ZSTD, .level = 3}, CADV_CODEC_ZSTD, 5},
    {{.codec = CADV_CODEC_ZSTD, .level = 9}, CADV_CODEC_ZSTD, 11},
    {{.codec = CADV_CODEC_LZ4}, CADV_CODEC_ZLIB, 0},
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, CADV_CODEC_ZLIB, 1},
    {{.codec = CADV_CODEC_ZSTD, .level = 3}, CADV_CODEC_ZLIB, 3},
    {{.codec = CADV_CODEC_LZ4}, CADV_CODEC_LZMA, 0},
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, CADV_CODEC_LZMA, 0},
    {{.codec = CADV_CODEC_ZSTD, .level = 3}, CADV_CODEC_LZMA, 0},
    {{.codec = CADV_CODEC_ZSTD, .level = 9}, CADV_CODEC_LZMA, 0},
};

/* A user's list leaves room for all of this; see level.h. */
static void add_level(struct cadv_level_list *list, struct cadv_level level)
{
    bool is_added = cadv_levels_insert(list, level);
    CADV_ASSERT(is_added);
}

/* What derived levels are derived from. */
static void add_bases(const struct cadv_level_list *requested, struct cadv_level_list *list)
{
    for (size_t i = 0; i < requested->count; i++) {
        struct cadv_level level = requested->items[i];
        if (level.obfuscate != 0) {
            level.obfuscate = 0;
            add_level(list, level);
        }
        if (level.is_auto) {
            add_level(list, cadv_level_plain(level));
            add_level(list, (struct cadv_level){.codec = CADV_CODEC_LZ4});
        }
    }
}

static void add_helpers(struct cadv_level_list *list)
{
    const struct cadv_level_list helped = *list;
    for (size_t i = 0; i < helped.count; i++) {
        struct cadv_level level = helped.items[i];
        for (size_t h = 0; h < sizeof helpers / sizeof helpers[0]; h++) {
            if (level.codec == helpers[h].codec && level.level >= helpers[h].from) {
                add_level(list, helpers[h].level);
            }
        }
    }
}

static void plan_exact(struct plan_scan *out)
{
    for (size_t i = 0; i < out->levels.count; i++) {
        out->is_inline[i] = plan_cost(out->levels.items[i]) > 0.0;
    }
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        out->order_max[s] = SIZE_MAX;
    }
}

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

static double at_most(double value, double most)
{
    return value < most ? value : most;
}

static void plan_sampled(double scale, struct plan_scan *out)
{
    for (size_t i = 0; i < out->levels.count; i++) {
        struct cadv_level level = out->levels.items[i];
        out->is_inline[i] = level.codec == CADV_CODEC_LZ4 && plan_cost(level) > 0.0;
    }
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        double order = at_least(order_reference[s] * at_most(scale, 1e6), order_min[s]);
        double bytes = at_least(content_reference[s] * at_most(scale, 1.0), content_min[s]);
        out->order_max[s] = (size_t)order;
        out->content_max[s] = out->order_max[s];
        out->content_max_bytes[s] = (uint64_t)bytes;
    }
}

void plan_scan(const struct cadv_level_list *requested, bool is_exact, uint64_t budget_bytes,
               struct plan_scan *out)
{
    memset(out, 0, sizeof *out);
    out->levels = *requested;
    add_bases(requested, &out->levels);
    if (is_exact) {
        plan_exact(out);
        return;
    }
    add_helpers(&out->levels);
    plan_sampled((double)budget_bytes / REFERENCE_BUDGET_BYTES, out);
}

uint64_t plan_metadata_budget(uint64_t budget_bytes)
{
    return budget_bytes / METADATA_PARTS;
}
