/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial/machine.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/clock.h"
#include "base/mix.h"

/* Larger: steadier, slower. 16 MiB is beyond most caches and takes 10 to 30 ms a pass. */
#define SAMPLE_MAX_BYTES ((size_t)16 * 1024 * 1024)
/* Long against the clock's steps, and two chunks of the usual least size. */
#define SAMPLE_MIN_BYTES ((size_t)1024 * 1024)
/* All passes over a sample cost less than scanning this many times its bytes. */
#define DATA_PER_SAMPLE 16
/* The best of a few passes is the one least disturbed by others. */
#define PASSES 3

struct bench {
    /** `bytes` of noise, and room for as many. */
    uint8_t *data;
    uint8_t *copy;
    size_t bytes;
    struct cadv_cutter *cutter;
    /** Keeps the compiler from dropping the work. */
    uint64_t sink;
};

static void pass_cutter(struct bench *bench)
{
    cadv_cutter_start(bench->cutter);
    for (size_t at = 0; at < bench->bytes;) {
        size_t length =
            cadv_cutter_next(bench->cutter, bench->data + at, bench->bytes - at, true);
        at += length;
        bench->sink += length;
    }
}

static void pass_sha256(struct bench *bench)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_Digest(bench->data, bench->bytes, digest, &length, EVP_sha256(), NULL) == 1) {
        bench->sink += digest[0];
    }
}

static void pass_hmac(struct bench *bench)
{
    static const unsigned char key[32] = {1};
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (HMAC(EVP_sha256(), key, sizeof key, bench->data, bench->bytes, digest, &length) !=
        NULL) {
        bench->sink += digest[0];
    }
}

/* Keyed by 128 bytes before the data, which cost nothing that could be seen here. */
static void pass_blake2b(struct bench *bench)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_Digest(bench->data, bench->bytes, digest, &length, EVP_blake2b512(), NULL) == 1) {
        bench->sink += digest[0];
    }
}

static void pass_aes(struct bench *bench)
{
    static const unsigned char key[32] = {1};
    static const unsigned char start[16] = {0};
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int length = 0;
    if (context != NULL &&
        EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), NULL, key, start) == 1 &&
        EVP_EncryptUpdate(context, bench->copy, &length, bench->data, (int)bench->bytes) == 1) {
        bench->sink += bench->copy[bench->bytes / 2];
    }
    EVP_CIPHER_CTX_free(context);
}

static void pass_crc32(struct bench *bench)
{
    bench->sink += crc32(0, bench->data, (uInt)bench->bytes);
}

static void pass_copy(struct bench *bench)
{
    memcpy(bench->copy, bench->data, bench->bytes);
    bench->sink += bench->copy[bench->bytes / 2];
}

/* Bytes per CPU second of the fastest pass. */
static double rate_of(struct bench *bench, void (*pass)(struct bench *bench))
{
    double best_s = 0.0;
    for (int i = 0; i < PASSES; i++) {
        double start = clock_thread_cpu_s();
        pass(bench);
        double seconds = clock_thread_cpu_s() - start;
        if (seconds > 0.0 && (best_s <= 0.0 || seconds < best_s)) {
            best_s = seconds;
        }
    }
    return best_s > 0.0 ? (double)bench->bytes / best_s : 0.0;
}

static bool write_out(int fd, const uint8_t *data, size_t bytes)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t count = write(fd, data + done, bytes - done);
        if (count <= 0) {
            return false;
        }
        done += (size_t)count;
    }
    return fdatasync(fd) == 0;
}

static void measure_disk(const struct bench *bench, const char *directory,
                         struct machine_rates *rates)
{
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        return;
    }
    double start = clock_wall_s();
    bool is_written = write_out(fd, bench->data, bench->bytes);
    double middle = clock_wall_s();
    bool is_flushed = is_written && write_out(fd, bench->data, 4096);
    double end = clock_wall_s();
    (void)close(fd);
    if (is_flushed && middle > start) {
        rates->write = (double)bench->bytes / (middle - start);
        rates->fsync_s = end - middle;
    }
}

size_t machine_sample_bytes(uint64_t data_bytes)
{
    uint64_t wanted = data_bytes / DATA_PER_SAMPLE / sizeof(uint64_t) * sizeof(uint64_t);
    if (wanted <= SAMPLE_MIN_BYTES) {
        return SAMPLE_MIN_BYTES;
    }
    return wanted < SAMPLE_MAX_BYTES ? (size_t)wanted : SAMPLE_MAX_BYTES;
}

enum cadv_status machine_measure(const struct cadv_chunker_params *chunker,
                                 const char *directory, size_t sample_bytes,
                                 struct machine_rates *rates, struct cadv_error *err)
{
    *rates = (struct machine_rates){0};
    struct bench bench = {.data = malloc(sample_bytes),
                          .copy = malloc(sample_bytes),
                          .bytes = sample_bytes,
                          .cutter = cadv_cutter_new(chunker)};
    enum cadv_status status = CADV_OK;
    if (bench.data == NULL || bench.copy == NULL || bench.cutter == NULL) {
        status = error_nomem(err, "calibrating this machine");
    } else {
        for (size_t at = 0; at < sample_bytes; at += sizeof(uint64_t)) {
            uint64_t noise = mix64(at);
            memcpy(bench.data + at, &noise, sizeof noise);
        }
        rates->sample_bytes = sample_bytes;
        rates->cutter = rate_of(&bench, pass_cutter);
        rates->sha256 = rate_of(&bench, pass_sha256);
        rates->hmac_sha256 = rate_of(&bench, pass_hmac);
        rates->blake2b = rate_of(&bench, pass_blake2b);
        rates->aes = rate_of(&bench, pass_aes);
        rates->crc32 = rate_of(&bench, pass_crc32);
        rates->copy = rate_of(&bench, pass_copy);
        measure_disk(&bench, directory, rates);
    }
    free(bench.data);
    free(bench.copy);
    cadv_cutter_free(bench.cutter);
    return status;
}
