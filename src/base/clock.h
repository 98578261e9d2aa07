/* SPDX-License-Identifier: BSD-2-Clause */
/* base/clock.h - seconds, for reporting only: no clock decides anything that touches a size. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/** Seconds since some fixed point; never goes back. */
double clock_wall_s(void);

/** CPU seconds of the calling thread so far. */
double clock_thread_cpu_s(void);

/** CPU seconds of all threads of this process, the system's work for them included. */
double clock_process_cpu_s(void);

#endif
