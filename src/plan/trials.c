/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rule: n(level, stratum) = factor * X * r * sqrt(d / (c * m)), X the stratum's bytes, r the
 * scatter of the level about what its anchor predicts, d how many levels its error is in (its own
 * and those built on it), c the cost per byte, m the mean bytes of a sampled chunk. It is Neyman's
 * allocation with costs (Cochran, Sampling Techniques, section 5.5), for samples drawn by size and
 * the sum of all levels' variances. One factor for all, found by bisection.
 */
#include <math.h>
#include <string.h>

#include "estimate/prior.h"
#include "plan/plan.h"

/*
 * The least trials of a level, where there are so many chunks. With 24 large ones a t interval
 * is honest on skewed data; with ten and a step to predict it is not. Small chunks are cheap,
 * and more of a rare kind hides among them.
 */
struct floors {
    size_t count[RECORD_STRATUM_COUNT];
};

/* The levels that others are predicted from. The cheap ones carry all the rest and cost little.
 */
struct anchor {
    struct cadv_level level;
    struct floors floors;
};
static const struct anchor anchors[] = {{{.codec = CADV_CODEC_LZ4, .level = 0}, {{96, 320}}},
                                        {{.codec = CADV_CODEC_ZSTD, .level = 1}, {{96, 320}}},
                                        {{.codec = CADV_CODEC_ZSTD, .level = 3}, {{96, 320}}},
                                        {{.codec = CADV_CODEC_ZSTD, .level = 9}, {{40, 120}}},
                                        {{.codec = CADV_CODEC_ZSTD, .level = 19}, {{24, 80}}}};
#define ANCHORS (sizeof anchors / sizeof anchors[0])

/* The others: a step away from their anchor, or so near that it says nearly all. */
static const struct floors far_floors = {{16, 50}};
static const struct floors near_floors = {{8, 25}};

/* (2 %)^2: above it a level counts as far from its anchor. */
#define FAR_GAP 4e-4

/* The dear anchor also predicts the levels just below it. */
#define DEAR_ANCHOR 19
#define DEAR_ANCHOR_FROM 16

/* After so many halvings of [f, 2f] a double has no bits left. */
#define HALVINGS 60
#define FACTOR_MIN 1e-12
#define FACTOR_MAX 1e300

/* The best anchor that will be trialled more often, ANCHORS when there is none, and the scatter about
 * it. */
static size_t find_anchor(const struct cadv_level_list *levels, struct cadv_level level,
                          double *scatter)
{
    size_t found = ANCHORS;
    *scatter = PRIOR_ALONE;
    for (size_t i = 0; i < ANCHORS; i++) {
        struct cadv_level anchor = anchors[i].level;
        double gap = prior_gap(level, anchor);
        bool is_useful = plan_cost(anchor) < plan_cost(level) ||
                         (anchor.level == DEAR_ANCHOR && level.codec == CADV_CODEC_ZSTD &&
                          level.level >= DEAR_ANCHOR_FROM);
        if (is_useful && gap > 0.0 && gap < *scatter && cadv_levels_contain(levels, anchor)) {
            *scatter = gap;
            found = i;
        }
    }
    return found;
}

/* How many levels the error of `level` is in: its own, and those that lead to it from anchor to
 * anchor. Each anchor is cheaper than what is built on it, or the dear one, so every way ends. */
static double carried(const struct cadv_level_list *levels, struct cadv_level level)
{
    double count = 1.0;
    double scatter;
    for (size_t i = 0; i < levels->count; i++) {
        size_t at = plan_cost(levels->items[i]) > 0.0
                        ? find_anchor(levels, levels->items[i], &scatter)
                        : ANCHORS;
        while (at < ANCHORS && cadv_level_compare(anchors[at].level, level) != 0) {
            at = find_anchor(levels, anchors[at].level, &scatter);
        }
        count += at < ANCHORS ? 1.0 : 0.0;
    }
    return count;
}

static double mean_bytes(const struct record_stratum *stratum)
{
    double sum = 0.0;
    for (size_t rank = 0; rank < stratum->chunk_count; rank++) {
        sum += (double)stratum->chunks[rank].bytes;
    }
    return stratum->chunk_count > 0 ? sum / (double)stratum->chunk_count : 1.0;
}

/* ln(ratio) for ratio >= 1 to five digits, without libm: the same on every machine. */
static double natural_log(double ratio)
{
    const double log_2 = 0.6931471805599453;
    double sum = 0.0;
    while (ratio > 1.5) {
        ratio /= 2.0;
        sum += log_2;
    }
    double y = (ratio - 1.0) / (ratio + 1.0);
    double square = y * y;
    return sum + 2.0 * y * (1.0 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7)));
}

/* Chunks that enter the first k of N in random order at some time: k (1 + ln(N/k)). */
static double admissions(const struct record_stratum *stratum)
{
    double kept = (double)stratum->chunk_count;
    double all = (double)stratum->unique_chunks;
    return kept > 0.0 && all > kept ? kept * (1.0 + natural_log(all / kept)) : kept;
}

static double spent_by_scan(const struct plan_request *request)
{
    double spent = 0.0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &request->population->strata[s];
        double bytes = admissions(stratum) * mean_bytes(stratum);
        for (size_t i = 0; i < request->levels->count; i++) {
            if (stratum->trialled[i] > 0) {
                spent += bytes * plan_cost(request->levels->items[i]);
            }
        }
    }
    return spent;
}

/* The rule without its factor: counts are factor * rate, within [least, most]. */
struct rule {
    const struct plan_request *request;
    double rate[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX];
    size_t least[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX];
    size_t most[RECORD_STRATUM_COUNT][CADV_LEVELS_MAX];
};

static const struct floors *find_floors(struct cadv_level level, double gap)
{
    for (size_t i = 0; i < ANCHORS; i++) {
        if (cadv_level_compare(level, anchors[i].level) == 0) {
            return &anchors[i].floors;
        }
    }
    return gap >= FAR_GAP ? &far_floors : &near_floors;
}

static void rule_set(struct rule *rule, size_t s, size_t index, double mean)
{
    const struct record_stratum *stratum = &rule->request->population->strata[s];
    struct cadv_level level = rule->request->levels->items[index];
    if (plan_cost(level) <= 0.0) {
        return;
    }

    size_t done = stratum->trialled[index];
    size_t available = rule->request->contents_available[s];
    double gap;
    (void)find_anchor(rule->request->levels, level, &gap);
    size_t floor = find_floors(level, gap)->count[s];
    floor = floor < available ? floor : available;
    rule->rate[s][index] =
        (double)stratum->unique_bytes *
        sqrt(gap * carried(rule->request->levels, level) / (plan_cost(level) * mean));
    rule->least[s][index] = done > floor ? done : floor;
    rule->most[s][index] = done > available ? done : available;
}

static void rule_init(struct rule *rule, const struct plan_request *request)
{
    memset(rule, 0, sizeof *rule);
    rule->request = request;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        double mean = mean_bytes(&request->population->strata[s]);
        for (size_t i = 0; i < request->levels->count; i++) {
            rule_set(rule, s, i, mean);
        }
    }
}

static void rule_apply(const struct rule *rule, double factor, struct plan_trials *out)
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        for (size_t i = 0; i < rule->request->levels->count; i++) {
            size_t least = rule->least[s][i];
            size_t most = rule->most[s][i];
            double wanted = factor * rule->rate[s][i];
            size_t count = wanted < (double)most ? (size_t)wanted : most;
            out->counts[s][i] = count > least ? count : least;
        }
    }
}

/* The cost of trials that are planned and not done yet. */
static double cost_of(const struct plan_request *request, const struct plan_trials *trials)
{
    double cost = 0.0;
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        const struct record_stratum *stratum = &request->population->strata[s];
        for (size_t i = 0; i < request->levels->count; i++) {
            uint64_t bytes = 0;
            for (size_t rank = stratum->trialled[i]; rank < trials->counts[s][i]; rank++) {
                bytes += stratum->chunks[rank].bytes;
            }
            cost += (double)bytes * plan_cost(request->levels->items[i]);
        }
    }
    return cost;
}

static bool is_all_of_it(const struct plan_request *request, const struct plan_trials *trials)
{
    for (size_t s = 0; s < RECORD_STRATUM_COUNT; s++) {
        for (size_t i = 0; i < request->levels->count; i++) {
            if (plan_cost(request->levels->items[i]) > 0.0 &&
                trials->counts[s][i] < request->population->strata[s].unique_chunks) {
                return false;
            }
        }
    }
    return true;
}

static bool fits(const struct rule *rule, double factor, double left, struct plan_trials *out)
{
    rule_apply(rule, factor, out);
    out->cost = cost_of(rule->request, out);
    return out->cost <= left;
}

/* The largest factor that fits leaves its trials in `out`; the floors, when none does. */
static void bisect(const struct rule *rule, double left, struct plan_trials *out)
{
    double low = 0.0, high = FACTOR_MIN;
    while (high < FACTOR_MAX && fits(rule, high, left, out)) {
        low = high;
        high *= 2.0;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2.0;
        if (fits(rule, middle, left, out)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (void)fits(rule, low, left, out);
}

void plan_trials(const struct plan_request *request, struct plan_trials *out)
{
    struct rule rule;
    rule_init(&rule, request);
    memset(out, 0, sizeof *out);
    out->spent = spent_by_scan(request);
    double left = (double)request->budget_bytes - out->spent;

    if (!fits(&rule, FACTOR_MAX, left, out)) {
        bisect(&rule, left, out);
    }
    out->is_everything = is_all_of_it(request, out);
}

double plan_minimum(const struct plan_request *request)
{
    struct rule rule;
    struct plan_trials least = {0};
    rule_init(&rule, request);
    rule_apply(&rule, 0.0, &least);
    return spent_by_scan(request) + cost_of(request, &least);
}
