/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/stop.h - what ends a run before its time, and what asks for a report in between.
 *
 * Workers look at one word, stop_word(): 0, or why they are to end. A signal writes its number there
 * from its handler; the limits are looked at about ten times a second by the thread that waits for
 * the workers, and write codes below 0. A signal takes the place of a limit, never the reverse.
 */
#ifndef SESSION_STOP_H
#define SESSION_STOP_H

#include <stdatomic.h>

#include "compadvise/result.h"

struct run;

/** Why workers are to end: 0, the number of a signal, or one of these. */
enum { STOP_CALLER = -1, STOP_TIME = -2, STOP_CPU = -3, STOP_MEMORY = -4 };

/** The word. Set by any thread or handler; reset by stop_reset() and stop_note(). */
atomic_int *stop_word(void);

/** Not 0: a report is wanted. Set by any thread or handler, reset where it is made. */
atomic_int *stop_interim_wanted(void);

/** After a run: nothing is asked for. */
void stop_reset(void);

/** Sets the word when a limit is reached: during the scan, what the reserve leaves of it. */
void stop_check_limits(const struct run *run);

/**
 * Notes in `run` why the step that has just ended was ended, if it was. After the scan the word is
 * then reset if it was a limit, and the trials have the reserve, counted from now.
 */
void stop_note(struct run *run, bool is_scan);

#endif
