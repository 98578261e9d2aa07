/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session/memory.h - how much memory a run may take, from its options alone: the formula of
 * docs/architecture.md. Pure.
 */
#ifndef SESSION_MEMORY_H
#define SESSION_MEMORY_H

#include "base/error.h"
#include "compadvise/options.h"

struct memory_plan {
    /** Whatever the dataset: the program, its calibration, and the buffers of all jobs. */
    uint64_t fixed_bytes;
    /** Kept contents of file chunks; those of the items' stream. Beyond: the temporary file. */
    uint64_t contents_bytes;
    uint64_t items_contents_bytes;
    /** Chunks that wait for a worker. */
    uint64_t lane_bytes;
    /** Items kept to rebuild the metadata stream. */
    uint64_t items_bytes;
    /** The scan ends when the process has grown to this; UINT64_MAX: never. */
    uint64_t scan_max_bytes;
};

/**
 * Shares out options->max_memory_bytes (0: no limit, the usual caps) for `levels`, everything that
 * will be trialled, and options->jobs, which is set. CADV_ERR_USAGE names the least that will do.
 */
enum cadv_status memory_plan(const struct cadv_options *options,
                             const struct cadv_level_list *levels, struct memory_plan *plan,
                             struct cadv_error *err);

#endif
