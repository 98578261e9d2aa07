/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_time.c - how long Borg 1.x runs.
 *
 * Borg 1.x is one thread that does one thing after the other: read a piece, cut, hash, look up,
 * and, if the chunk is new, compress, checksum and write it. Nothing overlaps but the kernel's
 * own read-ahead and write-back, so times add:
 *
 *   wall = start-up + items + files + chunks      interpreter, a constant cost each
 *        + content / read rate
 *        + (content + items) / chunker rate       every byte is cut,
 *        + (content + items) / id hash's rate     and every chunk hashed, to know if it is new
 *        + compression                            of new chunks only
 *        + stored / AES rate + stored / MAC rate  of modes that encrypt
 *        + stored / CRC-32 rate
 *        + 3 stored / copy rate                   codec's name, envelope and head each copy
 *        + stored / write rate + flushes
 *
 * A remote repository is written by another machine while this one goes on, so the slower of
 * the two counts. CPU is everything but the waits for reading and writing.
 *
 * A restore is the first of a whole archive: each reference to a chunk fetches, checks, expands
 * and hashes it again, also repeated ones. Fetching is at the read rate, for the repository's
 * disk is not known; writing at the write rate. A remote one is fetched ahead.
 *
 * The rates and interpreter costs come with struct target_machine. Measured for orientation on
 * a virtual machine of two cores with Borg 1.2.4: start-up 0.6 s, 0.15 ms an item without
 * content, 0.2 ms a small file with content.
 */
#include "target/borg1.h"

/* Flushes of one run: two for each of four segments, hints, index, caches and settings. */
#define FLUSHES 25
/* And of each further segment: the file and its directory. */
#define FLUSHES_PER_SEGMENT 2
/* Copies of a stored chunk between the codec and the kernel. */
#define COPIES 3

struct stage {
    const char *name;
    double cpu_s;
    double wait_s;
};

enum {
    STAGE_STARTUP = 0,
    STAGE_FILES,
    STAGE_READ,
    STAGE_CUT,
    STAGE_HASH,
    STAGE_COMPRESS,
    STAGE_ENCRYPT,
    STAGE_WRITE,
    STAGE_COUNT
};

static double flush_count(const struct target_load *load)
{
    uint64_t objects = load->content_unique_chunks + load->items_unique_chunks;
    uint64_t bytes = load->content_stored_bytes + load->items_stored_bytes;
    uint64_t further =
        borg1_segments(objects, bytes + objects * borg1_object_bytes(load->setup)) - 1;

    return FLUSHES + FLUSHES_PER_SEGMENT * (double)further;
}

static double interpreter_s(const struct target_load *load,
                            const struct target_machine *machine)
{
    return (double)load->item_count * machine->item_s +
           (double)load->file_count * machine->file_s +
           (double)load->content_total_chunks * machine->chunk_s;
}

static double stored_bytes(const struct target_load *load)
{
    return (double)load->content_stored_bytes + (double)load->items_stored_bytes;
}

static double hashed_bytes(const struct target_load *load)
{
    return (double)load->content_original_bytes + (double)load->items_original_bytes;
}

static double id_hash_s(const struct target_load *load, const struct target_machine *machine)
{
    return hashed_bytes(load) / machine->hash_rate[load->setup->encryption->id_hash];
}

/* Encrypting and proving stored bytes, or checking the proof and decrypting: the same work. */
static double cipher_s(const struct target_load *load, const struct target_machine *machine,
                       double stored)
{
    const struct target_encryption *mode = load->setup->encryption;

    return mode->has_cipher
               ? stored / machine->cipher_rate + stored / machine->hash_rate[mode->mac]
               : 0;
}

static void create_stages(const struct target_load *load, const struct target_machine *machine,
                          struct stage stages[STAGE_COUNT])
{
    double stored = stored_bytes(load);
    double write_s = machine->uplink_rate > 0 ? 0 : stored / machine->write_rate;

    stages[STAGE_STARTUP] = (struct stage){"start-up", machine->startup_s, 0};
    stages[STAGE_FILES] = (struct stage){"per-file work", interpreter_s(load, machine), 0};
    stages[STAGE_READ] =
        (struct stage){"reading", 0, (double)load->content_original_bytes / machine->read_rate};
    stages[STAGE_CUT] =
        (struct stage){"chunking", hashed_bytes(load) / machine->chunker_rate, 0};
    stages[STAGE_HASH] = (struct stage){"id hash", id_hash_s(load, machine), 0};
    stages[STAGE_COMPRESS] = (struct stage){"compression", load->compress_s, 0};
    stages[STAGE_ENCRYPT] = (struct stage){"encryption", cipher_s(load, machine, stored), 0};
    stages[STAGE_WRITE] = (struct stage){
        "writing", stored / machine->crc_rate + COPIES * stored / machine->copy_rate,
        write_s + flush_count(load) * machine->fsync_s};
}

/* Content is fetched once for each reference, so what unique chunks cost is scaled up. */
static double repeat_factor(const struct target_load *load)
{
    if (load->content_unique_bytes == 0) {
        return 1;
    }
    return (double)load->content_original_bytes / (double)load->content_unique_bytes;
}

static double restore_s(const struct target_load *load, const struct target_machine *machine)
{
    double repeats = repeat_factor(load);
    double fetched =
        (double)load->content_stored_bytes * repeats + (double)load->items_stored_bytes;
    double work = interpreter_s(load, machine) + fetched / machine->crc_rate +
                  load->decompress_s * repeats + id_hash_s(load, machine) +
                  cipher_s(load, machine, fetched) +
                  (double)load->content_original_bytes / machine->write_rate;

    if (machine->uplink_rate > 0) {
        double transfer = fetched / machine->uplink_rate;

        return machine->startup_s + (transfer > work ? transfer : work);
    }
    return machine->startup_s + fetched / machine->read_rate + work;
}

struct target_time borg1_time(const struct target_load *load,
                              const struct target_machine *machine)
{
    struct stage stages[STAGE_COUNT];
    struct target_time time = {.bottleneck = "start-up"};
    double slowest = 0;

    create_stages(load, machine, stages);
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        double stage_s = stages[i].cpu_s + stages[i].wait_s;

        time.cpu_s += stages[i].cpu_s;
        time.wall_s += stage_s;
        if (stage_s > slowest) {
            slowest = stage_s;
            time.bottleneck = stages[i].name;
        }
    }

    if (machine->uplink_rate > 0) {
        double sent_s = machine->startup_s + stored_bytes(load) / machine->uplink_rate;

        if (sent_s > time.wall_s) {
            time.wall_s = sent_s;
            time.bottleneck = "uplink";
        }
    }
    time.cores = time.wall_s > 0 ? time.cpu_s / time.wall_s : 0;
    time.restore_s = restore_s(load, machine);
    return time;
}
