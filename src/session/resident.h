/* SPDX-License-Identifier: BSD-2-Clause */
/* session/resident.h - how much memory this process has, as the system counts it. */
#ifndef SESSION_RESIDENT_H
#define SESSION_RESIDENT_H

#include <stdint.h>

/** Bytes in memory now; 0 when the system does not say. */
uint64_t resident_bytes(void);

/**
 * The most there ever was. Not getrusage()'s, which begins with what the program had that started
 * this one.
 */
uint64_t resident_peak_bytes(void);

#endif
