/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial/gate.h - few compressions at once where one takes hundreds of MB. All threads of the
 * process share one allowance, GATE_MAX_BYTES; one compression that alone takes more still runs,
 * by itself. Who waits holds nothing that others wait for, so all get through.
 */
#ifndef TRIAL_GATE_H
#define TRIAL_GATE_H

#include <stdint.h>

/** Memory of all contexts together. Raising it runs more of lzma,7 to 9 at once. */
#define GATE_MAX_BYTES ((uint64_t)1024 * 1024 * 1024)

/** Waits until `bytes` are free, and takes them. Thread-safe; 0 passes at once. */
void gate_enter(uint64_t bytes);

/** Gives back what gate_enter() took. */
void gate_leave(uint64_t bytes);

#endif
