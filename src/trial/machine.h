/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial/machine.h - short calibrations of this machine, for projected times only. They take about
 * half a second together, less for little data, and decide nothing that touches a size.
 */
#ifndef TRIAL_MACHINE_H
#define TRIAL_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compadvise/chunker.h"

/** Rates in bytes per second of one thread; seconds. 0 where something could not be measured. */
struct machine_rates {
    /** On how many bytes they were measured; 0 before. */
    size_t sample_bytes;
    /** The reference cutter with the given parameters, on noise. */
    double cutter;
    /** Hashes as Borg 1.x calls them, of chunks of a usual size: plain, keyed, and BLAKE2b. */
    double sha256;
    double hmac_sha256;
    double blake2b;
    /** AES-256 in counter mode. */
    double aes;
    double crc32;
    double copy;
    /** Writing a file and waiting for the disk, in the temporary directory. */
    double write;
    /** One flush of a small file to disk, there. */
    double fsync_s;
};

/**
 * How many bytes to measure with for a dataset of `data_bytes`: what is measured then takes no
 * longer than reading the data did, and is as steady as its projected seconds need. 1 to 16 MiB.
 */
size_t machine_sample_bytes(uint64_t data_bytes);

/**
 * Measures on `sample_bytes` (machine_sample_bytes()); CADV_ERR_NOMEM is the only failure.
 * `directory` is where temporary files go.
 */
enum cadv_status machine_measure(const struct cadv_chunker_params *chunker,
                                 const char *directory, size_t sample_bytes,
                                 struct machine_rates *rates, struct cadv_error *err);

#endif
