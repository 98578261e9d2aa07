/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial/task_order.h"

/* Ranks of the early rounds. At all of zstd's levels a large chunk costs about as much as eight such
 * chunks at zstd,19. The last round is what a plan makes at least of any level. */
#define ROUNDS 3
static const size_t round_end[ROUNDS][RECORD_STRATUM_COUNT] = {
    {[RECORD_LARGE] = 1, [RECORD_SMALL] = 2},
    {[RECORD_LARGE] = 3, [RECORD_SMALL] = 8},
    {[RECORD_LARGE] = 8, [RECORD_SMALL] = 25}};

static size_t round_of(const struct trial_place *place)
{
    size_t round = 0;
    while (round < ROUNDS && place->rank >= round_end[round][place->stratum]) {
        round++;
    }
    return round;
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* In the early rounds a level after the other, so that as many as possible are known; later a
 * chunk after the other. The cheap levels come first in each. */
int trial_place_compare(const struct trial_place *a, const struct trial_place *b)
{
    size_t round = round_of(a);
    if (round != round_of(b)) {
        return round < round_of(b) ? -1 : 1;
    }
    bool is_dear = a->level != TRIAL_CHEAP_LEVELS;
    if (is_dear != (b->level != TRIAL_CHEAP_LEVELS)) {
        return is_dear ? 1 : -1;
    }
    int order = compare_numbers(a->cost, b->cost);
    int rank_order = (a->rank > b->rank) - (a->rank < b->rank);
    if (order != 0 && (round < ROUNDS || rank_order == 0)) {
        return order;
    }
    if (rank_order != 0) {
        return rank_order;
    }
    return a->stratum != b->stratum ? (int)a->stratum - (int)b->stratum
                                    : (a->level > b->level) - (a->level < b->level);
}
