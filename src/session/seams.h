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
 * Counts, over all files in the archive's order, neighbours of which one chunk was in the archive
 * before and the other was not. Needs whole items; of others, what was kept. Sorts the blocks of
 * items at its first call. CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status seams_count(struct record *record, uint64_t *count, struct cadv_error *err);

#endif
