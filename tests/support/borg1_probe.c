/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_probe.c - the target for Borg 1.x behind a pipe, for tests that hold its answers
 * against a real Borg.
 *
 *   borg1_probe items   one line per item on stdin -> the packed items, one after the other
 *   borg1_probe size    lines NAME VALUE, fields of struct target_load and struct
 *                       target_setup -> two numbers: the repository's size and its upper bound
 *
 * A line of an item is made of words: type (0: file ... as enum record_item_type), mode, uid,
 * gid, nlink, rdev, mtime, ctime, then path, source, link target, user, group in hexadecimal
 * with a "=" before them or "-" for none, then SIZE:CSIZE:DIGEST for each chunk, DIGEST being
 * 32 hexadecimal digits. Any malformed line ends the program with status 2.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/run.h"
#include "support/borg1_setup.h"

#define MAX_CHUNKS 4096
#define MAX_ITEM_BYTES (1024 * 1024)

struct chunks {
    struct record_chunk_ref refs[MAX_CHUNKS];
    uint64_t csizes[MAX_CHUNKS];
};

static struct chunks chunks;

static _Noreturn void fail(const char *what)
{
    (void)fprintf(stderr, "borg1_probe: bad %s\n", what);
    exit(2);
}

static const char *next_word(char **rest)
{
    const char *word = strtok_r(NULL, " \n", rest);

    if (word == NULL) {
        fail("line: too few words");
    }
    return word;
}

static uint64_t next_number(char **rest)
{
    const char *word = next_word(rest);
    char *end = NULL;
    uint64_t value = strtoull(word, &end, 10);

    if (*end != '\0') {
        fail(word);
    }
    return value;
}

/* Allocated, or NULL for "-". */
static char *next_text(char **rest)
{
    const char *word = next_word(rest);
    size_t length = strlen(word);
    char *text;

    if (strcmp(word, "-") == 0) {
        return NULL;
    }
    text = calloc(length / 2 + 1, 1);
    if (text == NULL || word[0] != '=' || length % 2 != 1) {
        fail("text");
    }
    for (size_t i = 0; i < length / 2; i++) {
        unsigned byte = 0;

        if (sscanf(word + 1 + 2 * i, "%2x", &byte) != 1) {
            fail("hexadecimal");
        }
        text[i] = (char)byte;
    }
    return text;
}

static size_t read_chunks(char **rest)
{
    size_t count = 0;
    const char *word;

    while ((word = strtok_r(NULL, " \n", rest)) != NULL) {
        struct record_chunk_ref *chunk = &chunks.refs[count];

        if (count >= MAX_CHUNKS ||
            sscanf(word, "%" SCNu32 ":%" SCNu64 ":%16" SCNx64 "%16" SCNx64, &chunk->bytes,
                   &chunks.csizes[count], &chunk->digest.high, &chunk->digest.low) != 4) {
            fail("chunk");
        }
        count++;
    }
    return count;
}

static uint64_t csize_of(void *ctx, const struct record_chunk_ref *chunk)
{
    const struct chunks *all = ctx;

    return all->csizes[chunk - all->refs];
}

static void pack_line(char *line)
{
    static uint8_t out[MAX_ITEM_BYTES];
    struct record_item item = {0};
    char *rest = NULL;
    char *end = NULL;
    const char *type = strtok_r(line, " \n", &rest);

    if (type == NULL) {
        fail("line: empty");
    }
    item.type = (enum record_item_type)strtoul(type, &end, 10);
    item.mode = (uint32_t)next_number(&rest);
    item.uid = (uint32_t)next_number(&rest);
    item.gid = (uint32_t)next_number(&rest);
    item.nlink = next_number(&rest);
    item.rdev = next_number(&rest);
    item.mtime_ns = (int64_t)next_number(&rest);
    item.ctime_ns = (int64_t)next_number(&rest);

    char *path = next_text(&rest);
    char *source = next_text(&rest);
    char *link_target = next_text(&rest);
    char *user = next_text(&rest);
    char *group = next_text(&rest);

    item.link_target = link_target;
    item.user = user;
    item.group = group;
    item.chunks = chunks.refs;
    item.chunk_count = read_chunks(&rest);

    size_t bytes =
        target_borg1.pack_item(&item, path, source, csize_of, &chunks, out, sizeof out);
    if (bytes > sizeof out || fwrite(out, 1, bytes, stdout) != bytes) {
        fail("item: too long, or stdout closed");
    }
    free(path);
    free(source);
    free(link_target);
    free(user);
    free(group);
}

/* In the order of struct target_load, as far as sizes need it. */
static const struct {
    const char *name;
    size_t offset;
} load_fields[] = {
    {"content_stored_bytes", offsetof(struct target_load, content_stored_bytes)},
    {"content_unique_chunks", offsetof(struct target_load, content_unique_chunks)},
    {"content_unique_bytes", offsetof(struct target_load, content_unique_bytes)},
    {"content_total_chunks", offsetof(struct target_load, content_total_chunks)},
    {"content_original_bytes", offsetof(struct target_load, content_original_bytes)},
    {"items_stored_bytes", offsetof(struct target_load, items_stored_bytes)},
    {"items_unique_chunks", offsetof(struct target_load, items_unique_chunks)},
    {"items_original_bytes", offsetof(struct target_load, items_original_bytes)},
    {"file_count", offsetof(struct target_load, file_count)},
    {"item_count", offsetof(struct target_load, item_count)},
};

static void set_number(struct target_load *load, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof load_fields / sizeof load_fields[0]; i++) {
        if (strcmp(load_fields[i].name, name) == 0) {
            uint64_t number = strtoull(value, NULL, 10);

            memcpy((char *)load + load_fields[i].offset, &number, sizeof number);
            return;
        }
    }
    fail(name);
}

static void set_level(struct cadv_level *level, const char *value)
{
    if (strcmp(value, "none") == 0) {
        level->codec = CADV_CODEC_NONE;
    } else if (strcmp(value, "lz4") == 0) {
        level->codec = CADV_CODEC_LZ4;
    } else if (strncmp(value, "zstd,", 5) == 0) {
        level->codec = CADV_CODEC_ZSTD;
        level->level = (int)strtol(value + 5, NULL, 10);
    } else {
        fail(value);
    }
}

/* True when `name` is one of the texts of the setup. */
static bool set_text(struct target_setup *setup, const char *name, const char *value)
{
    static char hostname[256];
    static char username[256];

    if (strcmp(name, "encryption") == 0) {
        setup->encryption = target_borg1.encryption(value);
        return setup->encryption != NULL;
    }
    if (strcmp(name, "hostname") == 0) {
        (void)snprintf(hostname, sizeof hostname, "%s", value);
        setup->hostname = hostname;
        return true;
    }
    if (strcmp(name, "username") == 0) {
        (void)snprintf(username, sizeof username, "%s", value);
        setup->username = username;
        return true;
    }
    return false;
}

static void answer_size(FILE *in)
{
    struct target_setup setup = borg1_setup_of("none", NULL);
    struct target_load load = {.setup = &setup};
    char *line = NULL;
    char *command = NULL;
    size_t room = 0;

    while (getline(&line, &room, in) > 0) {
        char *value = strchr(line, ' ');

        if (value == NULL) {
            fail(line);
        }
        *value++ = '\0';
        value[strcspn(value, "\n")] = '\0';
        if (strcmp(line, "level") == 0) {
            set_level(&load.level, value);
        } else if (strcmp(line, "command") == 0) {
            free(command);
            command = strdup(value);
            load.command = command;
        } else if (!set_text(&setup, line, value)) {
            set_number(&load, line, value);
        }
    }
    if (run_objects(&load, &target_borg1, NULL) != CADV_OK) {
        fail("level");
    }
    printf("%" PRIu64 " %" PRIu64 "\n", target_borg1.repository_bytes(&load),
           target_borg1.upper_bound_bytes(&load));
    free(command);
    free(line);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t room = 0;

    if (argc == 2 && strcmp(argv[1], "size") == 0) {
        answer_size(stdin);
    } else if (argc == 2 && strcmp(argv[1], "items") == 0) {
        while (getline(&line, &room, stdin) > 0) {
            pack_line(line);
        }
        free(line);
    } else {
        fail("usage: borg1_probe items|size");
    }
    return 0;
}
