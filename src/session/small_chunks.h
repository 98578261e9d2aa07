/* SPDX-License-Identifier: BSD-2-Clause */
/* session/small_chunks.h - what is known of the chunks below each of the small limits. */
#ifndef SESSION_SMALL_CHUNKS_H
#define SESSION_SMALL_CHUNKS_H

#include "session/run.h"

/** Counts them, into the dataset. */
void small_chunks_count(struct run *run);

/** Estimates their size and speed at every level, into the rows. Needs the rows. */
enum cadv_status small_chunks_estimate(struct run *run, struct cadv_error *err);

#endif
