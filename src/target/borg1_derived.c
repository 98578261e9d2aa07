/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_derived.c - what Borg 1.x makes of the results of codecs: the choice of `auto`, and the
 * padding of `obfuscate`.
 *
 * With Z the padding of a result of c bytes and U uniform in [0, 1), Borg takes
 *
 *   spec 1..6      Z = floor(a / max(U, 0.0001)),  a = c * 0.001 * 10^spec
 *   spec 110..123  Z = floor(2^(spec-100) U)
 *
 * and no more than a limit. Z is a whole number, so E Z = sum P(Z >= k) and
 * E Z^2 = sum (2k-1) P(Z >= k) over k = 1, 2, ... limit; with P(Z >= k) = min(1, a/k) the sums are
 * harmonic numbers.
 */
#include <math.h>

#include "target/borg1.h"

/* Borg keeps lz4's result when it is not at least 3 % shorter, or the codec's not 1 % shorter. */
#define WORTH_TRYING 0.97
#define WORTH_KEEPING 0.99

/* The length of the inner result and the bytes that name the obfuscation's codec. */
enum { LENGTH_BYTES = 4, HEADER_BYTES = BORG1_CODEC_ID_BYTES + LENGTH_BYTES };

/* Borg's MAX_DATA_SIZE less its reserve: result and padding stay below it. */
#define RESULT_MAX_BYTES (20971479.0 - 1024.0)

/* The smallest U that counts, and specs. */
#define RANDOM_MIN 0.0001
enum { RELATIVE_HIGHEST = 6, PADDED_BASE = 100 };

enum record_choice borg1_choose(uint32_t chunk_bytes, uint64_t cheap_bytes, uint64_t dear_bytes)
{
    double plain = (double)chunk_bytes + BORG1_CODEC_ID_BYTES;
    double cheap = (double)cheap_bytes + BORG1_CODEC_ID_BYTES;
    double dear = (double)dear_bytes + BORG1_CODEC_ID_BYTES;

    if (cheap / plain >= WORTH_TRYING) {
        return RECORD_CHEAP;
    }
    return dear / cheap < WORTH_KEEPING ? RECORD_DEAR : RECORD_CHEAP_AFTER_BOTH;
}

/* The n-th harmonic number; Euler's asymptotic series is right to 1e-10 from n = 10 on. */
static double harmonic(double n)
{
    const double euler_gamma = 0.57721566490153286;

    if (n < 16.0) {
        double sum = 0.0;

        for (unsigned k = 1; k <= n; k++) {
            sum += 1.0 / k;
        }
        return sum;
    }
    return log(n) + euler_gamma + 1.0 / (2.0 * n) - 1.0 / (12.0 * n * n);
}

struct moments {
    double mean;
    double of_square;
};

/* Z = floor(a / max(U, RANDOM_MIN)), at most `limit`, which is whole. */
static struct moments relative_padding(double a, double limit)
{
    double certain = fmin(floor(a), limit);
    double most = fmax(fmin(floor(a / RANDOM_MIN), limit), certain);
    double harmonics = harmonic(most) - harmonic(certain);

    return (struct moments){.mean = certain + a * harmonics,
                            .of_square =
                                certain * certain + a * (2.0 * (most - certain) - harmonics)};
}

/* Z = floor(M U), at most `limit`: uniform over 0 .. M-1, with what exceeds the limit on it. */
static struct moments uniform_padding(double m, double limit)
{
    double below = fmin(m - 1.0, limit);
    double on_limit = m - 1.0 - below;

    return (struct moments){
        .mean = (below * (below + 1.0) / 2.0 + on_limit * limit) / m,
        .of_square =
            (below * (below + 1.0) * (2.0 * below + 1.0) / 6.0 + on_limit * limit * limit) / m};
}

static double relative_factor(int obfuscate)
{
    double factor = 0.001;

    for (int i = 0; i < obfuscate; i++) {
        factor *= 10.0;
    }
    return factor;
}

/*
 * Only two of Borg's compressors make data longer: zlib, which has no fallback, by what zlib's
 * compressBound() says, less the two bytes that other codecs' names take; and the padding.
 */
uint64_t borg1_growth_bytes(struct cadv_level level, uint64_t pieces, uint64_t bytes)
{
    const double most = 0x1p62;
    double count = (double)pieces;
    double grown = 0.0;

    if (level.codec == CADV_CODEC_ZLIB && !level.is_auto) {
        grown = (double)bytes * (0x1p-12 + 0x1p-14 + 0x1p-25) +
                count * (13.0 - BORG1_CODEC_ID_BYTES);
    }
    if (level.obfuscate != 0) {
        double results = (double)bytes + grown + count * BORG1_CODEC_ID_BYTES;
        double padding =
            level.obfuscate <= RELATIVE_HIGHEST
                ? results * relative_factor(level.obfuscate) / RANDOM_MIN
                : count * ((double)(UINT64_C(1) << (level.obfuscate - PADDED_BASE)) - 1.0);

        grown += count * HEADER_BYTES + fmin(padding, count * RESULT_MAX_BYTES);
    }
    return (uint64_t)ceil(fmin(grown, most));
}

struct record_padding borg1_padding(uint64_t stored_bytes, int obfuscate)
{
    double result = (double)stored_bytes + BORG1_CODEC_ID_BYTES;
    double limit = fmax(RESULT_MAX_BYTES - result, 0.0);
    struct record_padding padding = {.each = HEADER_BYTES};
    struct moments moments;

    if (obfuscate <= RELATIVE_HIGHEST) {
        moments = relative_padding(result * relative_factor(obfuscate), limit);
        padding.mean = moments.mean;
    } else {
        double m = (double)(UINT64_C(1) << (obfuscate - PADDED_BASE));

        moments = uniform_padding(m, limit);
        padding.each += (m - 1.0) / 2.0;
        padding.mean = moments.mean - (m - 1.0) / 2.0;
    }
    padding.variance = fmax(moments.of_square - moments.mean * moments.mean, 0.0);
    return padding;
}
