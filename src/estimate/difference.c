/* SPDX-License-Identifier: BSD-2-Clause */
#include "estimate/difference.h"

#include "estimate/parent.h"
#include "estimate/prior.h"

/*
 * A few chunks may make most of a difference although they are little of either total: level 19
 * finds in one chunk of eight what the others lack. A sample with few of those sees a small
 * difference and a small scatter. A floor of so many times that of totals kept the coverage of
 * such shapes (property.estimate_coverage) above 93 %; that of totals left it at 90 %.
 */
#define FLOOR_FACTOR 6.0

/* The stages that both levels' errors come from, with their shares in the difference. */
struct shares {
    struct stage_part parts[CADV_LEVELS_MAX];
    size_t count;
};

/*
 * An estimate is off by its own stage's error, by beta_p times its parent's, and so on up the
 * chain. Adds `sign` times these shares to the stages they come from.
 */
static void add_shares(const struct chain_level *levels, size_t level, double sign,
                       struct shares *shares)
{
    double share = sign;
    while (parent_is_level(level) && !levels[level].is_exact) {
        const struct stage *stage = &levels[level].stage;
        size_t at = 0;
        while (at < shares->count && shares->parts[at].stage != stage) {
            at++;
        }
        if (at == shares->count) {
            shares->parts[shares->count++] =
                (struct stage_part){.stage = stage, .prior = stage->prior};
        }
        shares->parts[at].share += share;
        share *= stage->fit.beta_p;
        level = levels[level].parent;
    }
}

/* Moves the parts with as many trials as the first to the front; returns how many. */
static size_t gather_alike(struct stage_part *parts, size_t count)
{
    size_t alike = 1;
    for (size_t i = 1; i < count; i++) {
        if (parts[i].stage->count == parts[0].stage->count) {
            struct stage_part part = parts[i];
            parts[i] = parts[alike];
            parts[alike++] = part;
        }
    }
    return alike;
}

/* Of two levels tried on the same chunks less is uncertain than of each: what the gap between them
 * leaves open. */
static void join_priors(struct shares *shares)
{
    struct stage_part *from = &shares->parts[0];
    for (size_t i = 1; i < shares->count; i++) {
        struct stage_part *to = &shares->parts[i];
        double gap = prior_gap(from->stage->level, to->stage->level);
        if (from->share == 1.0 && to->share == -1.0 && from->stage->count == to->stage->count &&
            gap < to->prior + from->prior) {
            from->prior = 0.0;
            to->prior = gap;
        }
    }
}

static struct stage_variance vary(struct shares *shares)
{
    struct stage_variance out = {0};
    for (size_t done = 0; done < shares->count;) {
        size_t alike = gather_alike(shares->parts + done, shares->count - done);
        struct stage_variance own = stage_vary(shares->parts + done, alike);
        out.variance += own.variance + (FLOOR_FACTOR - 1.0) * own.floor;
        out.variance_sq_per_df += own.variance_sq_per_df;
        out.floor += FLOOR_FACTOR * own.floor;
        done += alike;
    }
    return out;
}

struct chain_level difference_of(const struct chain_level *levels, size_t from, size_t to)
{
    struct chain_level out = {.is_known = levels[from].is_known && levels[to].is_known,
                              .is_exact = levels[from].is_exact && levels[to].is_exact,
                              .total = levels[from].total - levels[to].total,
                              .parent = PARENT_NONE};
    if (!out.is_known) {
        return out;
    }
    for (size_t group = 0; group < CHAIN_GROUPS; group++) {
        out.without_group[group] =
            levels[from].without_group[group] - levels[to].without_group[group];
    }
    if (from != to) {
        struct shares shares = {.count = 0};
        add_shares(levels, from, 1.0, &shares);
        add_shares(levels, to, -1.0, &shares);
        join_priors(&shares);
        out.own = vary(&shares);
        out.chain = out.own;
    }
    return out;
}
