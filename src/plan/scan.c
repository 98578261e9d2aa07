/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "plan/plan.h"

/* The budget that the numbers below are meant for; others scale with it. */
#define REFERENCE_BUDGET_BYTES 600000000.0

/*
 * The head that lz4 is trialled on during the scan. A scan cannot know how many chunks will
 * come, so it trials about k (1 + ln(N/k)) of them to end with k: for 2,500 large chunks of N =
 * 100,000 (280 GB) that costs a third of the budget, of a million half of it. Everything else
 * is built on lz4's total, so fewer make every interval wider. Small chunks cost a tenth of
 * that. zstd,1 with its double price waits for the contents: the same CPU spent on more of lz4
 * narrows its own and every dearer level's interval more.
 */
static const double order_reference[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 2500.0, [RECORD_SMALL] = 16384.0};
#define ORDER_MIN 64.0

/*
 * Contents kept for the trials after the scan, 1 GiB together: some 240 large and 3,000 small
 * chunks. More would help levels 1 to 9 a little; level 19 takes 24 to 100 of the large ones.
 */
static const double content_reference[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 768.0 * 1024 * 1024, [RECORD_SMALL] = 256.0 * 1024 * 1024};

/* Enough for the fewest trials that a plan makes, with room. */
static const double content_min[RECORD_STRATUM_COUNT] = {
    [RECORD_LARGE] = 192.0 * 1024 * 1024, [RECORD_SMALL] = 32.0 * 1024 * 1024};

/* One part in so many: the metadata stream is a few tenths of a percent of a repository. */
#define METADATA_PARTS 20

static bool is_same(struct cadv_level a, struct cadv_level b)
{
    return a.codec == b.codec && a.level == b.level;
}

static bool is_before(struct cadv_level a, struct cadv_level b)
{
    return a.codec != b.codec ? a.codec < b.codec : a.level < b.level;
}

/* Inserts in table order, unless it is there. */
static void add_level(struct cadv_level_list *list, struct cadv_level level)
{
    size_t at = 0;
    while (at < list->count && is_before(list->items[at], level)) {
        at++;
    }
    if (at < list->count && is_same(list->items[at], level)) {
        return;
    }
    memmove(&list->items[at + 1], &list->items[at], (list->count - at) * sizeof list->items[0]);
    list->items[at] = level;
    list->count++;
}

struct helper {
    struct cadv_level level;
    /** Helps zstd levels from here on. */
    int from;
};

/* Each tells much about the levels above it and costs a fraction of them. */
static const struct helper helpers[] = {
    {{CADV_CODEC_LZ4, 0}, -1000},
    {{CADV_CODEC_ZSTD, 1}, 2},
    {{CADV_CODEC_ZSTD, 3}, 5},
    {{CADV_CODEC_ZSTD, 9}, 11},
};

static void add_helpers(const struct cadv_level_list *requested, struct cadv_level_list *list)
{
    for (size_t i = 0; i < requested->count; i++) {
        struct cadv_level level = requested->items[i];
        for (size_t h = 0; h < sizeof helpers / sizeof helpers[0]; h++) {
            if (level.codec == CADV_CODEC_ZSTD && level.level >= helpers[h].from) {
                add_level(list, helpers[h].level);
            }
        }
    }
}

static void plan_exact(struct plan_scan *out)
{
    for (size_t i = 0; i < out->levels.count; i++) {
        out->is_inline[i] = out->levels.items[i].codec != CADV_CODEC_NONE;
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
        out->is_inline[i] = out->levels.items[i].codec == CADV_CODEC_LZ4;
    }
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        double order = at_least(order_reference[s] * at_most(scale, 1e6), ORDER_MIN);
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
    if (is_exact) {
        plan_exact(out);
        return;
    }
    add_helpers(requested, &out->levels);
    plan_sampled((double)budget_bytes / REFERENCE_BUDGET_BYTES, out);
}

uint64_t plan_metadata_budget(uint64_t budget_bytes)
{
    return budget_bytes / METADATA_PARTS;
}
