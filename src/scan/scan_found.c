/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What there is to read, as far as it is known: one set of counters, from which progress is shown
 * and what a stopped run has left unread is told.
 */
#include "scan/pipeline.h"

/* Neither end of the range is ever passed: holes make files of 8 EiB each. */
static void add(atomic_uint_fast64_t *counter, uint64_t more)
{
    uint_fast64_t before = atomic_load_explicit(counter, memory_order_relaxed);
    uint_fast64_t after = 0;
    do {
        after = more > UINT64_MAX - before ? UINT64_MAX : before + more;
    } while (!atomic_compare_exchange_weak_explicit(
        counter, &before, after, memory_order_relaxed, memory_order_relaxed));
}

static void take(atomic_uint_fast64_t *counter, uint64_t less)
{
    uint_fast64_t before = atomic_load_explicit(counter, memory_order_relaxed);
    uint_fast64_t after = 0;
    do {
        after = less > before ? 0 : before - less;
    } while (!atomic_compare_exchange_weak_explicit(
        counter, &before, after, memory_order_relaxed, memory_order_relaxed));
}

void scan_find(const struct scan *scan, uint64_t files, uint64_t bytes)
{
    add(&scan->config->progress->files_found, files);
    add(&scan->config->progress->bytes_found, bytes);
}

void scan_lose(const struct scan *scan, uint64_t files, uint64_t bytes)
{
    take(&scan->config->progress->files_found, files);
    take(&scan->config->progress->bytes_found, bytes);
}

void scan_correct_size(const struct scan *scan, uint64_t stated_bytes, uint64_t true_bytes)
{
    if (true_bytes > stated_bytes) {
        scan_find(scan, 0, true_bytes - stated_bytes);
    } else {
        scan_lose(scan, 0, stated_bytes - true_bytes);
    }
}

void scan_begin_finding(const struct scan *scan)
{
    atomic_fetch_add(&scan->config->progress->finders_left, 1);
}

void scan_end_finding(const struct scan *scan)
{
    atomic_fetch_sub(&scan->config->progress->finders_left, 1);
}

void scan_count_unread(const struct scan *scan, const struct record_population *content,
                       struct record *record)
{
    const struct scan_progress *progress = scan->config->progress;
    uint64_t found = atomic_load(&progress->bytes_found);
    uint64_t done = content->original_bytes;
    record->unread_bytes = found > done ? found - done : 0;
    record->is_walk_complete = atomic_load(&progress->finders_left) == 0;
}
