/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial/probe.h - what a few slices promise for a whole chunk: a trial for a twentieth of its price.
 *
 * Every unique chunk of the large stratum is probed, so the sum of all probes is known exactly, and
 * levels are fitted on it as on the size (docs/method.md, section 3). A probe is never summed up
 * itself as an estimate: a slice is not a chunk.
 *
 * May include: base, codec, trial.
 */
#ifndef TRIAL_PROBE_H
#define TRIAL_PROBE_H

#include "trial/trial.h"

/** Many small slices say more than few large ones: what chunks are made of changes within them. */
#define PROBE_SLICES 16U
#define PROBE_SLICE_BYTES 4096U

/**
 * Compresses slices from the middles of equal parts of `content`, put together, at zstd,1, and sets
 * *probe_bytes to the result in proportion to the chunk: 1 to `bytes`. A chunk no longer than all
 * slices is taken whole. Fails when memory runs out.
 */
enum cadv_status probe_run(struct trial_workspace *workspace, const uint8_t *content,
                           uint32_t bytes, uint32_t *probe_bytes, struct cadv_error *err);

#endif
