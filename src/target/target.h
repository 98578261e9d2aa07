/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target/target.h - the table of backup tools. To add one: a file target_NAME.c with one row
 * (and files beside it for its parts), its line in target.c.
 *
 * A target says what a tool stores for and around chunks, and how it runs. Everything here is
 * pure: numbers in, numbers out.
 *
 * May include: base, record.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compadvise/options.h"
#include "record/derived.h"
#include "record/record.h"

/** What names a chunk, and what proves a stored one. */
enum target_hash { TARGET_SHA256 = 0, TARGET_HMAC_SHA256, TARGET_BLAKE2B, TARGET_HASH_COUNT };

/** How a tool hides what it stores. One row per mode, in the target's own table. */
struct target_encryption {
    /** As the tool's command spells it. */
    const char *name;
    /** A secret decides cuts and ids, so a projection of both can only be as likely as theirs. */
    bool is_keyed;
    /** Every stored byte is encrypted, and authenticated with `mac`. */
    bool has_cipher;
    enum target_hash mac;
    enum target_hash id_hash;
    /** Before each compressed payload. */
    unsigned envelope_bytes;
    /** Files of the repository that depend on the mode; what `init` stores as its first object. */
    unsigned config_bytes;
    unsigned nonce_bytes;
    unsigned first_object_bytes;
};

/** What a person and a host choose, for one run. Borrowed by whoever is given it. */
struct target_setup {
    const struct target_encryption *encryption;
    const struct cadv_chunker_params *chunker;
    const char *archive_name;
    /** As the tool notes them in the archive. */
    const char *hostname;
    const char *username;
};

/** Objects that a target stores once for an archive. */
enum target_object { TARGET_ARCHIVE = 0, TARGET_MANIFEST, TARGET_OBJECT_COUNT };

/** What the repository is made of, for one level. All counts are exact. */
struct target_load {
    struct cadv_level level;
    const struct target_setup *setup;
    /** File content: bytes the codec left of unique chunks by the store rule; their number. */
    uint64_t content_stored_bytes;
    uint64_t content_unique_chunks;
    uint64_t content_unique_bytes;
    /** All chunks of the content, and its bytes, repeated ones counted each time. */
    uint64_t content_total_chunks;
    uint64_t content_original_bytes;
    /** Cuts within files, that is chunks that are not a file's last. */
    uint64_t content_cuts;
    /** What the codec left of chunks long enough to be cut, 0 to 1; 1 when none was tried. */
    double content_large_ratio;
    /**
     * Places within files where content begins or ends that was in the archive before, as a sum of
     * squares of their numbers by repeated chunk.
     */
    uint64_t content_seam_squares;
    /** The same of the stream of packed items. */
    uint64_t items_stored_bytes;
    uint64_t items_unique_chunks;
    /** Stored once, listed by the archive each time. */
    uint64_t items_repeated_chunks;
    uint64_t items_original_bytes;
    /** The stream is the one of this level, not one that stands for all of them. */
    bool is_items_exact;
    /** And it has the very ids that the tool will write. */
    bool are_ids_known;
    /** The same of the archive's own objects, each as pack_object() packs it. */
    uint64_t object_stored_bytes[TARGET_OBJECT_COUNT];
    /** Variance of the padding within them, bytes squared; 0 without obfuscation. */
    double object_padding_variance;
    /** Entries read by the tool: files and all items. */
    uint64_t file_count;
    uint64_t item_count;
    /** The command line as the archive records it, for its length. */
    const char *command;
    /** Compression and decompression of unique content and items: thread CPU seconds. */
    double compress_s;
    double decompress_s;
};

/** Sustained rates of this machine, bytes per second, and costs, seconds. All positive. */
struct target_machine {
    /** Reading the dataset, as the scan found it or as --read-rate says. */
    double read_rate;
    /** Writing the repository, --write-rate; includes waiting for the disk. */
    double write_rate;
    /** The link to the repository, --uplink; 0 when it is local. */
    double uplink_rate;
    /** Borg's scalar buzhash, the hashes and CRC-32, one thread. */
    double chunker_rate;
    double hash_rate[TARGET_HASH_COUNT];
    /** AES-256 in counter mode. */
    double cipher_rate;
    double crc_rate;
    /** Plain memory copy. */
    double copy_rate;
    /** Interpreter cost of an item without content, of opening a file, of a chunk; start-up. */
    double item_s;
    double file_s;
    double chunk_s;
    double startup_s;
    /** One flush to disk. */
    double fsync_s;
    /** Cores the tool may use. */
    unsigned cores;
};

struct target_time {
    double cpu_s;
    double wall_s;
    /** Mean cores busy: cpu_s / wall_s. */
    double cores;
    double restore_s;
    /** The slowest stage, static text: "compression", "reading", "uplink", ... */
    const char *bottleneck;
};

/** An archive, or standard input, for the line to paste. All borrowed. */
struct target_stream {
    /** "-": standard input. */
    const char *path;
    enum cadv_input input;
    const char *stdin_name;
    /** As record_archive has it. */
    bool is_tar;
    bool is_package;
    const char *filter;
};

struct target {
    /** As in --target. */
    const char *name;
    /** What a person calls it: "Borg 1.x". */
    const char *title;
    /** The mode called `name`, or NULL; and the names of all, for a message. */
    const struct target_encryption *(*encryption)(const char *name);
    const char *encryption_names;
    /** True when the tool's -C accepts the level; others are shown, never recommended. */
    bool (*accepts)(struct cadv_level level);
    /** The store rule; see estimate_stored_fn. */
    uint64_t (*stored_bytes)(uint32_t chunk_bytes, uint32_t raw_bytes, struct cadv_level level);
    /** How the tool's `auto` decides; see record/derived.h. */
    record_choose_fn choose;
    /** What the tool's obfuscation adds; see record/derived.h. */
    record_padding_fn padding;
    /** All files of a fresh repository with one archive, in bytes. */
    uint64_t (*repository_bytes)(const struct target_load *load);
    /**
     * How far repository_bytes() may be off though its inputs are exact: what the model leaves
     * out or takes for typical. Belongs into every interval of a repository.
     */
    uint64_t (*margin_bytes)(const struct target_load *load);
    /**
     * The repository if nothing were repeated or compressed, and if whatever the level adds were
     * the most it may add: never more than this.
     */
    uint64_t (*upper_bound_bytes)(const struct target_load *load);
    /** The run: create and extract. */
    struct target_time (*time)(const struct target_load *load,
                               const struct target_machine *machine);
    /** How often a run of `wall_s` saves a checkpoint, and what each leaves, in bytes. */
    uint64_t (*checkpoints)(const struct target_load *load, double wall_s,
                            uint64_t *each_bytes);
    /** The cutter of the item stream for data cut with `content`. */
    struct cadv_chunker_params (*items_chunker)(const struct cadv_chunker_params *content);
    /**
     * Packs one item at `path` (archive form) into `out`; `source` is the first link's path for
     * a further hard link, else NULL. Returns the packed length, which it also does when `out`
     * is NULL or `out_bytes` are too few (nothing is written then). `csize` (with its `ctx`)
     * names the stored size of a chunk as the tool records it. Chunks that the item does not list
     * are in all that it states of its chunks together; their own entries are left out.
     */
    size_t (*pack_item)(const struct record_item *item, const char *path, const char *source,
                        uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk),
                        void *ctx, uint8_t *out, size_t out_bytes);
    /** Packed length of the entry that pack_item() makes of one chunk, stored in `csize` bytes. */
    size_t (*pack_chunk)(uint32_t chunk_bytes, uint64_t csize);
    /** Stored size that the tool notes beside a chunk of `stored` bytes. */
    uint64_t (*noted_csize)(uint64_t stored_bytes, const struct target_setup *setup);
    /**
     * Packs one of the archive's own objects, random bytes for what is random in it, with the
     * same promise as pack_item().
     */
    size_t (*pack_object)(enum target_object object, const struct target_load *load,
                          uint8_t *out, size_t out_bytes);
    /** Writes the command to paste into `out` (always terminated) and returns it. */
    const char *(*command)(struct cadv_level level, const struct target_setup *setup,
                           const char *const *paths, size_t path_count, char *out,
                           size_t out_bytes);
    /** The same for an archive or for standard input. */
    const char *(*stream_command)(struct cadv_level level, const struct target_setup *setup,
                                  const struct target_stream *stream, char *out,
                                  size_t out_bytes);
};

/** The target called `name`, or NULL. */
const struct target *target_find(const char *name);

extern const struct target target_borg1;

#endif
