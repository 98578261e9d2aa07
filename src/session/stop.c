/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/stop.h"

#include <math.h>

#include "base/clock.h"
#include "session/resident.h"
#include "session/run.h"

/*
 * What of a limit is kept back for trials when the scan would use all of it: a tenth, but enough for
 * some trials of the cheap levels, and no more than gives the dear ones a few.
 */
#define RESERVE_PART 0.1
#define RESERVE_MIN_S 1.0
#define RESERVE_MAX_S 5.0
/* And never more than this part, however short the limit. */
#define RESERVE_PART_MAX 0.5

static atomic_int word;
static atomic_int interim_wanted;

atomic_int *stop_word(void)
{
    return &word;
}

atomic_int *stop_interim_wanted(void)
{
    return &interim_wanted;
}

void stop_reset(void)
{
    atomic_store(&word, 0);
    atomic_store(&interim_wanted, 0);
}

static bool is_limit(int reason)
{
    return reason < STOP_CALLER;
}

void cadv_session_stop(int signal_number)
{
    int reason = signal_number == 0 ? STOP_CALLER : signal_number;
    int before = atomic_load(&word);
    while ((before == 0 || is_limit(before)) &&
           !atomic_compare_exchange_strong(&word, &before, reason)) {
    }
}

void cadv_session_report_now(void)
{
    atomic_store(&interim_wanted, 1);
}

static double reserve_s(double limit_s)
{
    double part = fmax(RESERVE_PART * limit_s, RESERVE_MIN_S);
    return fmin(fmin(part, RESERVE_MAX_S), RESERVE_PART_MAX * limit_s);
}

static void raise_limit(int limit)
{
    int none = 0;
    (void)atomic_compare_exchange_strong(&word, &none, limit);
}

/*
 * True when `used_s` has come to the limit, or during a scan to what the reserve leaves of it. A
 * scan that ends late, for a read that was slow, takes nothing from the reserve.
 */
static bool is_used_up(double used_s, double limit_s, const struct run *run, double scan_end_s)
{
    if (limit_s <= 0.0) {
        return false;
    }
    double scan_limit_s = limit_s - reserve_s(limit_s);
    if (run->is_scanning) {
        return used_s >= scan_limit_s;
    }
    return used_s >= fmax(limit_s, scan_end_s + reserve_s(limit_s));
}

void stop_check_limits(const struct run *run)
{
    const struct cadv_options *options = &run->options;
    if (is_used_up(clock_wall_s() - run->start_s, options->max_time_s, run, run->scan_end_s)) {
        raise_limit(STOP_TIME);
    }
    if (is_used_up(clock_process_cpu_s() - run->start_cpu_s, options->max_cpu_s, run,
                   run->scan_end_cpu_s)) {
        raise_limit(STOP_CPU);
    }
    /* After the scan nothing grows any more but what the plan has counted. */
    if (run->is_scanning && options->max_memory_bytes > 0 &&
        resident_bytes() >= run->memory.scan_max_bytes) {
        raise_limit(STOP_MEMORY);
    }
}

static enum cadv_stop_reason reason_of(int asked)
{
    switch (asked) {
    case STOP_TIME:
        return CADV_STOP_TIME;
    case STOP_CPU:
        return CADV_STOP_CPU;
    case STOP_MEMORY:
        return CADV_STOP_MEMORY;
    default:
        return asked > 0 ? CADV_STOP_SIGNAL : CADV_STOP_CALLER;
    }
}

void stop_note(struct run *run, bool is_scan)
{
    int asked = atomic_load(&word);
    if (asked == 0) {
        return;
    }
    if (run->result->stop_reason == CADV_STOP_NONE || !is_limit(asked)) {
        run->result->stop_reason = reason_of(asked);
        run->result->stop_signal = asked > 0 ? asked : 0;
    }
    if (is_scan && is_limit(asked)) {
        run->scan_end_s = clock_wall_s() - run->start_s;
        run->scan_end_cpu_s = clock_process_cpu_s() - run->start_cpu_s;
        (void)atomic_compare_exchange_strong(&word, &asked, 0);
    }
}
