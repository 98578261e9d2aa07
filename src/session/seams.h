/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/seams.h - where repeated content begins or ends within a file. Only there does it matter
 * to what is unique where the cuts fall: a repeated chunk is found again from the next cut on.
 */
#ifndef SESSION_SEAMS_H
#define SESSION_SEAMS_H

#include "base/error.h"
#include "record/record.h"

/**
 * Looks, in all files in the archive's order, for seams: neighbours of which one chunk was in the
 * archive before and the other was not. Seams at the same repeated chunk move together when cuts
 * move, so *squares is the sum of the squares of the numbers of seams by chunk: what a variance is
 * proportional to. Needs whole items; of others, what was kept. Sorts the blocks of
 * items at its first call. CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status seams_count(struct record *record, uint64_t *squares, struct cadv_error *err);

#endif
