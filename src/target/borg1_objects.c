/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_objects.c - the two objects that Borg stores once for an archive: the archive object (a
 * map of 17 keys with the command, the ids of the item stream's chunks, and what Borg counted)
 * and the manifest (which archives there are, and what keys an item may have).
 *
 * Both hold random bytes: ids, and the salt and digest of their own proof. Here noise of the
 * right length stands for them, so that what is packed compresses as the real one does.
 */
#include "target/borg1.h"

#include <string.h>

#include "base/mix.h"
#include "target/msgpack.h"

/* Dates of three steps of one run. */
static const char time_start[] = "2026-03-04T05:06:07.182818";
static const char time_end[] = "2026-03-04T05:07:19.314159";
static const char time_manifest[] = "2026-03-04T05:07:19.341421";

/* Where the noise of each part begins. */
enum { SEED_MANIFEST = 1, SEED_ARCHIVE = 16, SEED_IDS = 32 };

static void pack_noise(struct msgpack *pack, size_t bytes, uint64_t seed)
{
    uint8_t noise[64];

    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (uint8_t)mix64(seed * sizeof noise + i);
    }
    msgpack_raw(pack, noise, bytes);
}

/* The proof that an object was made with this repository's key; without a key, with a known one.
 */
static void pack_tam(struct msgpack *pack, uint64_t seed)
{
    msgpack_text(pack, "tam");
    msgpack_map(pack, 3);
    msgpack_text(pack, "hmac");
    pack_noise(pack, 64, seed);
    msgpack_text(pack, "salt");
    pack_noise(pack, 64, seed + 1);
    msgpack_text(pack, "type");
    msgpack_text(pack, "HKDF_HMAC_SHA512");
}

/*
 * The word that starts at `*at` without its quotes, into `out` if there is one; its length. `*at`
 * is moved behind it. Inside quotes a space is nothing special; outside, a backslash keeps what
 * comes next.
 */
static size_t unquote(const char **at, uint8_t *out)
{
    const char *from = *at;
    size_t length = 0;
    bool is_quoted = false;

    for (; *from != '\0' && (is_quoted || *from != ' '); from++) {
        if (*from == '\'') {
            is_quoted = !is_quoted;
            continue;
        }
        if (*from == '\\' && !is_quoted && from[1] != '\0') {
            from++;
        }
        if (out != NULL) {
            out[length] = (uint8_t)*from;
        }
        length++;
    }
    *at = from;
    return length;
}

/*
 * The words of a shell's line as a list of byte strings. Borg is a script, so its own name comes to
 * it with the folder that it was found in.
 */
static void pack_command(struct msgpack *pack, const char *command)
{
    size_t count = 0;

    for (const char *at = command + strspn(command, " "); *at != '\0'; at += strspn(at, " ")) {
        (void)unquote(&at, NULL);
        count++;
    }
    msgpack_array(pack, count);
    for (const char *at = command + strspn(command, " "); *at != '\0'; at += strspn(at, " ")) {
        const char *word = at;
        size_t length = unquote(&at, NULL);

        if (word == command && length == strlen("borg") && strncmp(word, "borg", length) == 0) {
            msgpack_text(pack, "/usr/bin/borg");
            continue;
        }

        /* A word is no longer without its quotes, so there are bytes enough to copy. */
        msgpack_raw(pack, word, length);
        if (pack->out != NULL) {
            (void)unquote(&word, pack->out + pack->length - length);
        }
    }
}

static void pack_chunker(struct msgpack *pack, const struct cadv_chunker_params *chunker)
{
    if (chunker->kind == CADV_CHUNKER_BUZHASH) {
        msgpack_array(pack, 5);
        msgpack_text(pack, "buzhash");
        msgpack_uint(pack, chunker->min_exp);
        msgpack_uint(pack, chunker->max_exp);
        msgpack_uint(pack, chunker->mask_bits);
        msgpack_uint(pack, chunker->window_bytes);
    } else {
        msgpack_array(pack, 3);
        msgpack_text(pack, "fixed");
        msgpack_uint(pack, chunker->block_bytes);
        msgpack_uint(pack, chunker->header_bytes);
    }
}

static void pack_text(struct msgpack *pack, const char *key, const char *text)
{
    msgpack_text(pack, key);
    msgpack_text(pack, text);
}

static void pack_number(struct msgpack *pack, const char *key, uint64_t value)
{
    msgpack_text(pack, key);
    msgpack_uint(pack, value);
}

/* Keys in order. */
static void pack_archive(struct msgpack *pack, const struct target_load *load)
{
    uint64_t ids = load->items_unique_chunks + load->items_repeated_chunks;

    msgpack_map(pack, 17);
    msgpack_text(pack, "chunker_params");
    pack_chunker(pack, load->setup->chunker);
    msgpack_text(pack, "cmdline");
    pack_command(pack, load->command != NULL ? load->command : "");
    pack_text(pack, "comment", "");
    /* Of repeated chunks too: unknown, but the length hardly depends on it. */
    pack_number(pack, "csize", load->content_stored_bytes);
    pack_number(pack, "csize_parts", 0);
    pack_text(pack, "hostname", load->setup->hostname);
    msgpack_text(pack, "items");
    msgpack_array(pack, ids <= UINT32_MAX ? (size_t)ids : UINT32_MAX);
    /* Which of the chunks are there again is not noted; a stream that repeats itself has a period,
     * and to a codec one is like another. */
    for (uint64_t i = 0; i < ids; i++) {
        pack_noise(pack, BORG1_ID_BYTES, SEED_IDS + i % load->items_unique_chunks);
    }
    pack_text(pack, "name", load->setup->archive_name);
    pack_number(pack, "nfiles", load->file_count);
    pack_number(pack, "nfiles_parts", 0);
    pack_number(pack, "size", load->content_original_bytes);
    pack_number(pack, "size_parts", 0);
    pack_tam(pack, SEED_ARCHIVE);
    pack_text(pack, "time", time_start);
    pack_text(pack, "time_end", time_end);
    pack_text(pack, "username", load->setup->username);
    pack_number(pack, "version", 1);
}

static void pack_manifest(struct msgpack *pack, const struct target_load *load)
{
    static const char *const item_keys[] = {
        "acl_access",
        "acl_default",
        "acl_extended",
        "acl_nfs4",
        "atime",
        "birthtime",
        "bsdflags",
        "chunks",
        "chunks_healthy",
        "ctime",
        "gid",
        "group",
        "hardlink_master",
        "mode",
        "mtime",
        "part",
        "path",
        "rdev",
        "size",
        "source",
        "uid",
        "user",
        "xattrs",
    };
    const size_t key_count = sizeof item_keys / sizeof item_keys[0];

    msgpack_map(pack, 6);
    msgpack_text(pack, "archives");
    msgpack_map(pack, 1);
    msgpack_text(pack, load->setup->archive_name);
    msgpack_map(pack, 2);
    msgpack_text(pack, "id");
    pack_noise(pack, BORG1_ID_BYTES, SEED_MANIFEST);
    pack_text(pack, "time", time_start);

    msgpack_text(pack, "config");
    msgpack_map(pack, load->setup->encryption->is_keyed ? 1 : 0);
    if (load->setup->encryption->is_keyed) {
        msgpack_text(pack, "tam_required");
        msgpack_bool(pack, true);
    }
    msgpack_text(pack, "item_keys");
    msgpack_array(pack, key_count);
    for (size_t i = 0; i < key_count; i++) {
        msgpack_text(pack, item_keys[i]);
    }
    pack_tam(pack, SEED_MANIFEST + 1);
    pack_text(pack, "timestamp", time_manifest);
    pack_number(pack, "version", 1);
}

size_t borg1_pack_object(enum target_object object, const struct target_load *load,
                         uint8_t *out, size_t out_bytes)
{
    static void (*const packs[TARGET_OBJECT_COUNT])(struct msgpack * pack,
                                                    const struct target_load *load) = {
        [TARGET_ARCHIVE] = pack_archive,
        [TARGET_MANIFEST] = pack_manifest,
    };
    struct msgpack count = {0};
    struct msgpack pack = {.out = out};

    packs[object](&count, load);
    if (out != NULL && count.length <= out_bytes) {
        packs[object](&pack, load);
    }
    return count.length;
}
