/* SPDX-License-Identifier: BSD-2-Clause */
#include "chunk/buzhash_rule.h"

struct buzhash_rule buzhash_rule_of(const struct cadv_chunker_params *params)
{
    struct buzhash_rule rule = {
        .min_bytes = UINT64_C(1) << params->min_exp,
        .max_bytes = UINT64_C(1) << params->max_exp,
        .window_bytes = params->window_bytes,
    };
    return rule;
}

struct buzhash_limits buzhash_limits_of(struct buzhash_rule rule, uint64_t rest, bool is_last)
{
    uint64_t end = rest < rule.max_bytes ? rest : rule.max_bytes;
    struct buzhash_limits limits = {
        .from = rule.min_bytes,
        /* A match whose window ends exactly at the end is not a cut; Borg stops just before. */
        .to = end > rule.window_bytes ? end - rule.window_bytes : 0,
        .end = end,
        .is_end_known = is_last || rest >= rule.max_bytes,
    };
    return limits;
}

void buzhash_collect(const struct buzhash *hash, const uint8_t *data, size_t data_bytes,
                     uint64_t data_offset, struct buzhash_candidates *found)
{
    size_t window = hash->window_bytes;
    size_t to = data_bytes >= window ? data_bytes - window + 1 : 0;
    size_t next = 0;

    found->count = 0;
    found->from = data_offset;
    while (next < to && found->count < found->capacity) {
        size_t match = buzhash_find(hash, data, next, to);
        if (match == to) {
            next = to;
            break;
        }
        found->positions[found->count++] = data_offset + match;
        next = match + 1;
    }
    found->to = data_offset + next;
}

/* The first candidate that is not below `from`, or UINT64_MAX; the cursor moves onto it. */
static uint64_t candidate_from(struct buzhash_selector *selector,
                               const struct buzhash_candidates *lists, size_t list_count,
                               uint64_t from)
{
    while (selector->list < list_count) {
        const struct buzhash_candidates *list = &lists[selector->list];
        while (selector->item < list->count && list->positions[selector->item] < from) {
            selector->item++;
        }
        if (selector->item < list->count) {
            return list->positions[selector->item];
        }
        /* The list is used up, but stays the last one until another follows. */
        if (selector->list + 1 == list_count) {
            break;
        }
        selector->list++;
        selector->item = 0;
    }
    return UINT64_MAX;
}

uint64_t buzhash_select(struct buzhash_selector *selector,
                        const struct buzhash_candidates *lists, size_t list_count,
                        uint64_t file_bytes)
{
    uint64_t start = selector->start;
    bool is_last = file_bytes != BUZHASH_SIZE_UNKNOWN;
    uint64_t searched = list_count > 0 ? lists[list_count - 1].to : 0;
    /* With the end unknown, what has been searched vouches for as many bytes. */
    uint64_t rest_end = is_last ? file_bytes : searched + selector->rule.window_bytes - 1;
    if (rest_end <= start) {
        return 0;
    }

    struct buzhash_limits limits = buzhash_limits_of(selector->rule, rest_end - start, is_last);
    uint64_t length = 0;
    uint64_t cut = candidate_from(selector, lists, list_count, start + limits.from);
    if (cut != UINT64_MAX && cut - start < limits.to) {
        length = cut - start;
    } else if (limits.is_end_known &&
               (limits.from >= limits.to || start + limits.to <= searched)) {
        length = limits.end;
    }
    selector->start += length;
    return length;
}
