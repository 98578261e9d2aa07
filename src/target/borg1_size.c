/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_size.c - every file of a repository after `borg init` and one `borg create`:
 *
 *   README, integrity.N              constant
 *   config, nonce                    by encryption mode; the key is in config or not
 *   hints.N                          a map of the segments and of what could be freed in them
 *   index.N                          an open-addressed table of all objects
 *   data/0/0, data/0/1               the first manifest; its commit
 *   data/0/2 ... data/0/k            the archive: content, item stream, archive object
 *   data/0/k+1, k+2, k+3             deletion of the old manifest; the new one; the commit
 *
 * Segments begin with eight bytes; objects have a head (see borg1.h), the encryption's envelope
 * and the codec's name before what their codec left. Everything is counted; what compression
 * makes of the archive object and the manifest comes with the load.
 */
#include "target/borg1.h"

#include <math.h>

#include "target/msgpack.h"

/* Files that are always alike. */
enum { README_BYTES = 73, INTEGRITY_BYTES = 190 };

/* Segments: magic at the start, and entries without content. */
enum { MAGIC_BYTES = 8, COMMIT_BYTES = 9, DELETE_BYTES = BORG1_PUT_BYTES };

/* Segments that precede the data, and those that follow it. */
enum { SEGMENTS_BEFORE = 2, SEGMENTS_AFTER = 3 };

/* Primes of Borg's hash index, as far as 32 bits go. */
static const uint32_t bucket_counts[] = {
    1031,       2053,       4099,       8209,       16411,      32771,      65537,
    131101,     262147,     445649,     757607,     1287917,    2189459,    3065243,
    4291319,    6007867,    8410991,    11775359,   16485527,   23079703,   27695653,
    33234787,   39881729,   47858071,   57429683,   68915617,   82698751,   99238507,
    119086189,  144378011,  157223263,  173476439,  190253911,  209915011,  230493629,
    253169431,  278728861,  306647623,  337318939,  370742809,  408229973,  449387209,
    493428073,  543105119,  596976533,  657794869,  722676499,  795815791,  874066969,
    962279771,  1057701643, 1164002657, 1280003147, 1407800297, 1548442699, 1703765389,
    1873768367, 2062383853,
};

enum { INDEX_HEAD_BYTES = 18, INDEX_BUCKET_BYTES = 40 };

/* What one archive's data comes to. */
struct data {
    uint64_t objects;
    /* Heads included, magic not. */
    uint64_t object_bytes;
    uint64_t segments;
};

uint64_t borg1_index_buckets(uint64_t inserted)
{
    size_t last = sizeof bucket_counts / sizeof bucket_counts[0] - 1;
    size_t at = 0;

    /* Looked at before each insertion: the entries already there may fill three quarters. */
    while (at < last && inserted > (uint64_t)bucket_counts[at] * 3 / 4) {
        at++;
    }
    return bucket_counts[at];
}

uint64_t borg1_segments(uint64_t objects, uint64_t object_bytes)
{
    if (objects == 0) {
        return 1;
    }

    /*
     * As if all objects were of mean size: the rule is per object, but only the sum is known. A
     * segment more or less is about twenty bytes.
     */
    uint64_t mean_bytes = object_bytes / objects;
    uint64_t per_segment =
        (BORG1_SEGMENT_MAX_BYTES - MAGIC_BYTES) / (mean_bytes > 0 ? mean_bytes : 1) + 1;

    return (objects - 1) / per_segment + 1;
}

static struct data data_of(const struct target_load *load)
{
    struct data data;

    data.objects = load->content_unique_chunks + load->items_unique_chunks + 1;
    data.object_bytes = load->content_stored_bytes + load->items_stored_bytes +
                        load->object_stored_bytes[TARGET_ARCHIVE] +
                        data.objects * borg1_object_bytes(load->setup);
    data.segments = borg1_segments(data.objects, data.object_bytes);
    return data;
}

/* Packed lengths of all integers of first, first + 1, ... below `end`. */
static uint64_t range_bytes(uint64_t first, uint64_t end)
{
    static const uint64_t limits[] = {UINT64_C(1) << 7, UINT64_C(1) << 8, UINT64_C(1) << 16,
                                      UINT64_C(1) << 32, UINT64_MAX};
    uint64_t bytes = 0;

    for (size_t i = 0; i < sizeof limits / sizeof limits[0] && first < end; i++) {
        uint64_t stop = end < limits[i] ? end : limits[i];

        if (first < stop) {
            bytes += (stop - first) * msgpack_uint_bytes(first);
            first = stop;
        }
    }
    return bytes;
}

/*
 * The map of hints: objects alive by segment, bytes to be freed by segment, bytes ever put, and
 * an empty map of deleted objects.
 */
static uint64_t hints_bytes(const struct data *data, uint64_t first_put_bytes,
                            uint64_t manifest_put_bytes)
{
    struct msgpack pack = {0};
    uint64_t all_segments = SEGMENTS_BEFORE + data->segments + SEGMENTS_AFTER;
    uint64_t deletion = SEGMENTS_BEFORE + data->segments;
    uint64_t commit = all_segments - 1;
    /* All but the data's own hold no object or one, which is a byte either way. */
    uint64_t alive_bytes = all_segments - data->segments +
                           data->segments * msgpack_uint_bytes(data->objects / data->segments);

    msgpack_map(&pack, 5);
    msgpack_text(&pack, "version");
    msgpack_uint(&pack, 2);
    msgpack_text(&pack, "segments");
    msgpack_map(&pack, all_segments <= UINT32_MAX ? (size_t)all_segments : UINT32_MAX);

    msgpack_text(&pack, "compact");
    msgpack_map(&pack, 4);
    msgpack_uint(&pack, 0);
    msgpack_uint(&pack, first_put_bytes);
    msgpack_uint(&pack, 1);
    msgpack_uint(&pack, COMMIT_BYTES);
    msgpack_uint(&pack, deletion);
    msgpack_uint(&pack, DELETE_BYTES);
    msgpack_uint(&pack, commit);
    msgpack_uint(&pack, COMMIT_BYTES);

    msgpack_text(&pack, "storage_quota_use");
    msgpack_uint(&pack, first_put_bytes + data->object_bytes + manifest_put_bytes);
    msgpack_text(&pack, "shadow_index");
    msgpack_map(&pack, 0);
    return pack.length + range_bytes(0, all_segments) + alive_bytes;
}

uint64_t borg1_repository_bytes(const struct target_load *load)
{
    const struct target_encryption *mode = load->setup->encryption;
    struct data data = data_of(load);
    uint64_t manifest_put_bytes =
        borg1_object_bytes(load->setup) + load->object_stored_bytes[TARGET_MANIFEST];
    uint64_t segments = SEGMENTS_BEFORE + data.segments + SEGMENTS_AFTER;
    uint64_t log_bytes = segments * MAGIC_BYTES + mode->first_object_bytes + COMMIT_BYTES +
                         data.object_bytes + DELETE_BYTES + manifest_put_bytes + COMMIT_BYTES;
    uint64_t index_bytes =
        INDEX_HEAD_BYTES + INDEX_BUCKET_BYTES * borg1_index_buckets(data.objects);

    return README_BYTES + mode->config_bytes + mode->nonce_bytes + INTEGRITY_BYTES +
           hints_bytes(&data, mode->first_object_bytes, manifest_put_bytes) + index_bytes +
           log_bytes;
}

/* For each share of the data that the codec takes off, what it forgets at a cut. Measured over seeds,
 * with programs and text of many chunks: zstd,3 26 to 42 KB, zstd,9 42, zstd,19 and lzma,6 51, lz4
 * and zlib,6, whose windows are short, 5. */
static double restart_bytes(struct cadv_level level)
{
    static const double bytes[CADV_CODEC_COUNT] = {[CADV_CODEC_LZ4] = 8192,
                                                   [CADV_CODEC_ZSTD] = 65536,
                                                   [CADV_CODEC_ZLIB] = 8192,
                                                   [CADV_CODEC_LZMA] = 65536};

    return bytes[level.codec];
}

/*
 * What the model leaves out:
 *
 * - dates, salts and the command's first word in the two small objects: some tens of bytes;
 * - one item stream stands for those of all levels, though items note the stored size of each
 *   chunk in one to five bytes: two bytes a chunk is more than was ever seen;
 * - unless SHA-256 was computed, ids in the stream are noise in place of hashes, so it is cut
 *   elsewhere. Chunks of a stream of n come in lengths of a standard deviation of 0.7 of their mean,
 *   so their number varies by 0.7 sqrt(n); each more costs an object, its id and a fresh start of
 *   the codec, about 2 KiB;
 * - what obfuscation adds to the two small objects is random, and only theirs is: the projection
 *   has its mean;
 * - with a key whose seed was not given, so is content. Where files have n cuts, their number
 *   varies by 0.8 sqrt(n), and each costs an object, its entry in the items, and what the codec
 *   gains from the bytes before the cut: restart_bytes() for each share that it takes off;
 * - and content that is repeated within a file is found from the next cut on. How far that is
 *   varies by about the mean of a content cut, 1.2 2^mask_bits, at each seam, and by the same at all
 *   seams of the same repeated chunk; what lies before it is stored as the rest of the content is.
 *
 * The projection and the repository are two draws of all this, so deviations are those of a
 * difference: sqrt(2) of one. Two of them on each side are 95 %.
 */
static double keyed_deviation(const struct target_load *load, double object_bytes)
{
    const struct cadv_chunker_params *chunker = load->setup->chunker;
    double restart = restart_bytes(load->level) * (1.0 - load->content_large_ratio);
    double cuts = 0.8 * sqrt((double)load->content_cuts) * (restart + object_bytes);

    if (!load->setup->encryption->is_keyed || chunker->kind != CADV_CHUNKER_BUZHASH ||
        chunker->seed != 0) {
        return 0;
    }
    double ratio = load->content_unique_bytes == 0 ? 0
                                                   : (double)load->content_stored_bytes /
                                                         (double)load->content_unique_bytes;
    double seams = 1.2 * sqrt((double)load->content_seam_squares) * ratio *
                   (double)(UINT64_C(1) << chunker->mask_bits);
    return hypot(cuts, seams);
}

uint64_t borg1_margin_bytes(const struct target_load *load)
{
    const double deviations = 2 * sqrt(2.0);
    double restart = load->level.codec == CADV_CODEC_NONE ? 0 : 2048;
    double object_bytes = (double)borg1_object_bytes(load->setup) + BORG1_ID_BYTES + 16;
    bool is_known = load->are_ids_known && !load->setup->encryption->is_keyed;
    double stream =
        is_known ? 0.0
                 : 0.7 * sqrt((double)load->items_unique_chunks) * (restart + object_bytes);

    return 256 + (load->is_items_exact ? 0 : 2 * load->content_total_chunks) +
           (uint64_t)(deviations * hypot(stream, keyed_deviation(load, object_bytes))) +
           (uint64_t)(2 * sqrt(load->object_padding_variance));
}

/* Borg's `--checkpoint-interval`, and about what the item of a file's part takes in the stream. */
#define CHECKPOINT_S 1800.0
enum { PART_ITEM_BYTES = 256 };

/*
 * A checkpoint ends the item stream's chunk early, so that a chunk of the usual length is put once
 * more; it puts an archive object with half of the ids on average, and a manifest; later the object
 * and the manifest are deleted.
 */
uint64_t borg1_checkpoints(const struct target_load *load, double wall_s, uint64_t *each_bytes)
{
    uint64_t object_bytes = borg1_object_bytes(load->setup);
    uint64_t ids_bytes =
        (load->items_unique_chunks + load->items_repeated_chunks) * (BORG1_ID_BYTES + 3);
    uint64_t archive_bytes = load->object_stored_bytes[TARGET_ARCHIVE];
    uint64_t item_chunk_bytes = load->items_unique_chunks == 0
                                    ? 0
                                    : load->items_stored_bytes / load->items_unique_chunks;

    archive_bytes -= ids_bytes / 2 < archive_bytes ? ids_bytes / 2 : archive_bytes;
    *each_bytes = PART_ITEM_BYTES + object_bytes + item_chunk_bytes + object_bytes +
                  archive_bytes + MAGIC_BYTES + DELETE_BYTES + MAGIC_BYTES + object_bytes +
                  load->object_stored_bytes[TARGET_MANIFEST] + MAGIC_BYTES + COMMIT_BYTES +
                  DELETE_BYTES;
    return wall_s > 0 && wall_s < 1e12 ? (uint64_t)(wall_s / CHECKPOINT_S) : 0;
}

uint64_t borg1_upper_bound_bytes(const struct target_load *load)
{
    struct target_load most = *load;

    most.content_stored_bytes = load->content_original_bytes +
                                borg1_growth_bytes(load->level, load->content_total_chunks,
                                                   load->content_original_bytes);
    most.content_unique_chunks = load->content_total_chunks;
    most.items_unique_chunks += load->items_repeated_chunks;
    most.items_repeated_chunks = 0;
    /* Items note the stored size of each chunk; at another level it may be packed longer. */
    most.items_stored_bytes = load->items_original_bytes;
    if (load->level.codec != CADV_CODEC_NONE) {
        most.items_stored_bytes +=
            load->content_total_chunks * (msgpack_uint_bytes(UINT32_MAX) - 1);
    }
    most.items_stored_bytes +=
        borg1_growth_bytes(load->level, most.items_unique_chunks, most.items_stored_bytes);
    for (size_t i = 0; i < TARGET_OBJECT_COUNT; i++) {
        uint64_t packed = borg1_pack_object((enum target_object)i, &most, NULL, 0);
        most.object_stored_bytes[i] = packed + borg1_growth_bytes(load->level, 1, packed);
    }
    return borg1_repository_bytes(&most);
}
