/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This machine as the target's time model wants it: rates from the options where given, from the
 * scan (reading), from calibrations (cutting, hashing, copying, writing), and stated constants for
 * what an interpreter costs.
 */
#include "session/run.h"

/*
 * Borg 1.2's cutter runs at this share of our reference loop on the same data: both are scalar, but
 * it refills a sliding buffer and drops what it read from the page cache.
 */
#define BORG_CUTTER_SHARE 0.55

/* Borg 1.2.4 under Python 3.11: start-up 0.6 s, an item 0.15 ms, content of a file and a chunk 0.05
 * ms each beyond its bytes. Measured on a 2-core virtual machine; see docs/method.md. */
#define STARTUP_S 0.6
#define ITEM_S 150e-6
#define FILE_S 50e-6
#define CHUNK_S 50e-6

/* When nothing could be measured (a clock that reports zero, a directory that cannot be written). */
#define FALLBACK_RATE 200e6
#define FALLBACK_FSYNC_S 0.005

static double first_positive(double a, double b, double c)
{
    if (a > 0.0) {
        return a;
    }
    return b > 0.0 ? b : c;
}

enum cadv_status run_machine(struct run *run, struct cadv_error *err)
{
    const struct cadv_options *options = &run->options;
    /* A report in between may have measured when there was less to measure for. */
    size_t sample_bytes = machine_sample_bytes(run->record.populations[0].original_bytes);
    if (run->rates.sample_bytes < sample_bytes) {
        enum cadv_status status = machine_measure(&options->chunker, run->spool_directory,
                                                  sample_bytes, &run->rates, err);
        if (status != CADV_OK) {
            return status;
        }
    }
    const struct machine_rates *rates = &run->rates;
    double read_rate =
        run->record.read_s > 0.0
            ? (double)run->record.populations[RUN_CONTENT].original_bytes / run->record.read_s
            : 0.0;
    run->machine = (struct target_machine){
        .read_rate = first_positive(options->read_rate, read_rate, FALLBACK_RATE),
        .write_rate = first_positive(options->write_rate, rates->write, FALLBACK_RATE),
        .uplink_rate = options->uplink_rate,
        .chunker_rate = first_positive(rates->cutter * BORG_CUTTER_SHARE, 0.0, FALLBACK_RATE),
        .hash_rate = {[TARGET_SHA256] = first_positive(rates->sha256, 0.0, FALLBACK_RATE),
                      [TARGET_HMAC_SHA256] =
                          first_positive(rates->hmac_sha256, 0.0, FALLBACK_RATE),
                      [TARGET_BLAKE2B] = first_positive(rates->blake2b, 0.0, FALLBACK_RATE)},
        .cipher_rate = first_positive(rates->aes, 0.0, FALLBACK_RATE),
        .crc_rate = first_positive(rates->crc32, 0.0, FALLBACK_RATE),
        .copy_rate = first_positive(rates->copy, 0.0, FALLBACK_RATE),
        .item_s = ITEM_S,
        .file_s = FILE_S,
        .chunk_s = CHUNK_S,
        .startup_s = STARTUP_S,
        .fsync_s = first_positive(rates->fsync_s, 0.0, FALLBACK_FSYNC_S),
        .cores = options->jobs};
    return CADV_OK;
}
