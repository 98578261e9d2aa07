/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * support/crowd.h - the same function on many threads at once. It must not assert: cmocka's
 * failures jump, and only the test's own thread may do that. Note results, judge them afterwards.
 */
#ifndef SUPPORT_CROWD_H
#define SUPPORT_CROWD_H

#include <stddef.h>

/** More threads than any test needs. */
#define CROWD_MAX 16

/** Calls body(0, ctx) to body(count - 1, ctx) on `count` threads; returns when all are done. */
void crowd_run(size_t count, void (*body)(size_t index, void *ctx), void *ctx);

#endif
