/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_archive.c - how long the archive object is: a map of 17 keys with the command, the ids
 * of the item stream's chunks, and what Borg counted.
 */
#include "target/borg1.h"

#include <string.h>

#include "target/msgpack.h"

/*
 * The end of the word that starts at `at`, and how long it is without quotes. Inside quotes a
 * space is nothing special; outside, a backslash keeps what follows it.
 */
static const char *word_end(const char *at, size_t *length)
{
    bool is_quoted = false;

    *length = 0;
    for (; *at != '\0' && (is_quoted || *at != ' '); at++) {
        if (*at == '\'') {
            is_quoted = !is_quoted;
            continue;
        }
        if (*at == '\\' && !is_quoted && at[1] != '\0') {
            at++;
        }
        (*length)++;
    }
    return at;
}

/* The words of a shell's line as a list of byte strings. */
static uint64_t command_bytes(const char *command)
{
    struct msgpack words = {0};
    size_t count = 0;
    const char *at = command + strspn(command, " ");

    while (*at != '\0') {
        size_t length = 0;

        at = word_end(at, &length);
        at += strspn(at, " ");
        msgpack_raw(&words, NULL, length);
        count++;
    }
    msgpack_array(&words, count);
    return words.length;
}

/* Keys whose values are packed by pack_archive_numbers() or have a constant length. */
static void pack_archive_texts(struct msgpack *pack, size_t hostname_bytes,
                               size_t username_bytes)
{
    static const char time_text[] = "2000-01-01T00:00:00.000000";

    msgpack_text(pack, "comment");
    msgpack_text(pack, "");
    msgpack_text(pack, "hostname");
    msgpack_raw(pack, NULL, hostname_bytes);
    msgpack_text(pack, "name");
    msgpack_text(pack, "a");
    msgpack_text(pack, "time");
    msgpack_text(pack, time_text);
    msgpack_text(pack, "time_end");
    msgpack_text(pack, time_text);
    msgpack_text(pack, "username");
    msgpack_raw(pack, NULL, username_bytes);

    msgpack_text(pack, "tam");
    msgpack_map(pack, 3);
    msgpack_text(pack, "hmac");
    msgpack_raw(pack, NULL, 64);
    msgpack_text(pack, "salt");
    msgpack_raw(pack, NULL, 64);
    msgpack_text(pack, "type");
    msgpack_text(pack, "HKDF_HMAC_SHA512");
}

static void pack_archive_numbers(struct msgpack *pack, const struct target_load *load)
{
    /* Compressed sizes of repeated chunks too: unknown, but the length hardly depends on it. */
    msgpack_text(pack, "csize");
    msgpack_uint(pack, load->content_stored_bytes);
    msgpack_text(pack, "csize_parts");
    msgpack_uint(pack, 0);
    msgpack_text(pack, "nfiles");
    msgpack_uint(pack, load->file_count);
    msgpack_text(pack, "nfiles_parts");
    msgpack_uint(pack, 0);
    msgpack_text(pack, "size");
    msgpack_uint(pack, load->content_original_bytes);
    msgpack_text(pack, "size_parts");
    msgpack_uint(pack, 0);
    msgpack_text(pack, "version");
    msgpack_uint(pack, 1);

    /* The default; others are two or three bytes off. */
    msgpack_text(pack, "chunker_params");
    msgpack_array(pack, 5);
    msgpack_text(pack, "buzhash");
    msgpack_uint(pack, 19);
    msgpack_uint(pack, 23);
    msgpack_uint(pack, 21);
    msgpack_uint(pack, 4095);
}

/* Only the length matters here, so the order of the keys does not. */
uint64_t borg1_archive_bytes(const struct target_load *load, size_t hostname_bytes,
                             size_t username_bytes)
{
    struct msgpack pack = {0};
    uint64_t ids = load->items_unique_chunks;

    msgpack_map(&pack, 17);
    pack_archive_texts(&pack, hostname_bytes, username_bytes);
    pack_archive_numbers(&pack, load);

    msgpack_text(&pack, "items");
    msgpack_array(&pack, ids <= UINT32_MAX ? (size_t)ids : UINT32_MAX);

    struct msgpack id = {0};
    msgpack_raw(&id, NULL, BORG1_ID_BYTES);

    msgpack_text(&pack, "cmdline");
    return pack.length + ids * id.length +
           command_bytes(load->command != NULL ? load->command : "");
}
