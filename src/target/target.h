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

#include "record/derived.h"
#include "record/record.h"

/** What the repository is made of, for one level. All counts are exact. */
struct target_load {
    struct cadv_level level;
    /** File content: bytes the codec left of unique chunks by the store rule; their number. */
    uint64_t content_stored_bytes;
    uint64_t content_unique_chunks;
    uint64_t content_unique_bytes;
    /** All chunks of the content, and its bytes, repeated ones counted each time. */
    uint64_t content_total_chunks;
    uint64_t content_original_bytes;
    /** The same of the stream of packed items. */
    uint64_t items_stored_bytes;
    uint64_t items_unique_chunks;
    uint64_t items_original_bytes;
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
    /** Borg's scalar buzhash, SHA-256 and CRC-32, one thread. */
    double chunker_rate;
    double id_hash_rate;
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

struct target {
    /** As in --target. */
    const char *name;
    /** What a person calls it: "Borg 1.x". */
    const char *title;
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
    /** The repository if nothing were repeated or compressed: never more than this. */
    uint64_t (*upper_bound_bytes)(const struct target_load *load);
    /** The run: create and extract. */
    struct target_time (*time)(const struct target_load *load,
                               const struct target_machine *machine);
    /** The cutter of the item stream for data cut with `content`. */
    struct cadv_chunker_params (*items_chunker)(const struct cadv_chunker_params *content);
    /**
     * Packs one item at `path` (archive form) into `out`; `source` is the first link's path for
     * a further hard link, else NULL. Returns the packed length, which it also does when `out`
     * is NULL or `out_bytes` are too few (nothing is written then). `csize` (with its `ctx`)
     * names the stored size of a chunk as the tool records it.
     */
    size_t (*pack_item)(const struct record_item *item, const char *path, const char *source,
                        uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk),
                        void *ctx, uint8_t *out, size_t out_bytes);
    /** Stored size that the tool notes beside a chunk of `stored` bytes. */
    uint64_t (*noted_csize)(uint64_t stored_bytes, struct cadv_level level);
    /** Writes the command to paste into `out` (always terminated) and returns it. */
    const char *(*command)(struct cadv_level level, const struct cadv_chunker_params *chunker,
                           const char *const *paths, size_t path_count, char *out,
                           size_t out_bytes);
};

/** The target called `name`, or NULL. */
const struct target *target_find(const char *name);

extern const struct target target_borg1;

#endif
