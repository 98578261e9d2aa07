/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk/acl.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in linux/posix_acl_xattr.h, which cannot be included from here together with others. */
#define ACL_VERSION 2U
#define HEAD_BYTES 4U
#define ENTRY_BYTES 8U

enum { TAG_USER = 0x02, TAG_GROUP = 0x08 };

static const struct {
    unsigned tag;
    const char *word;
} tags[] = {
    {0x01, "user"},       {TAG_USER, "user"}, {0x04, "group"},
    {TAG_GROUP, "group"}, {0x10, "mask"},     {0x20, "other"},
};

static unsigned read_16(const uint8_t *at)
{
    return (unsigned)at[0] | (unsigned)at[1] << 8;
}

static uint32_t read_32(const uint8_t *at)
{
    return read_16(at) | (uint32_t)read_16(at + 2) << 16;
}

static const char *word_of(unsigned tag)
{
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (tags[i].tag == tag) {
            return tags[i].word;
        }
    }
    return NULL;
}

/* Writes one entry; false when its tag is unknown or the stream failed. */
static bool write_entry(FILE *out, const uint8_t *entry, bool is_first,
                        struct walk_owners *owners)
{
    unsigned tag = read_16(entry);
    unsigned bits = read_16(entry + 2);
    uint32_t id = read_32(entry + 4);
    const char *word = word_of(tag);
    if (word == NULL) {
        return false;
    }
    int written = fprintf(out, "%s%s:", is_first ? "" : "\n", word);
    bool is_named = tag == TAG_USER || tag == TAG_GROUP;
    const char *name = NULL;
    if (is_named) {
        name = tag == TAG_USER ? walk_owners_user(owners, id) : walk_owners_group(owners, id);
        written = name != NULL ? fprintf(out, "%s", name) : fprintf(out, "%u", id);
    }
    if (written >= 0) {
        written = fprintf(out, ":%c%c%c", (bits & 4) != 0 ? 'r' : '-',
                          (bits & 2) != 0 ? 'w' : '-', (bits & 1) != 0 ? 'x' : '-');
    }
    if (written >= 0 && is_named) {
        written = fprintf(out, ":%u", id);
    }
    return written >= 0;
}

char *walk_acl_text(const uint8_t *acl, size_t bytes, struct walk_owners *owners)
{
    if (bytes < HEAD_BYTES || (bytes - HEAD_BYTES) % ENTRY_BYTES != 0 ||
        read_32(acl) != ACL_VERSION) {
        errno = EINVAL;
        return NULL;
    }
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *out = open_memstream(&text, &text_bytes);
    if (out == NULL) {
        return NULL;
    }
    bool is_good = true;
    for (size_t at = HEAD_BYTES; at < bytes && is_good; at += ENTRY_BYTES) {
        is_good = write_entry(out, acl + at, at == HEAD_BYTES, owners);
    }
    bool is_short = ferror(out) != 0;
    is_short = fclose(out) != 0 || is_short;
    if (is_short || !is_good) {
        free(text);
        errno = is_short ? ENOMEM : EINVAL;
        return NULL;
    }
    return text;
}

char *walk_acl_of_mode(mode_t mode)
{
    static const char bits[] = "rwx";
    char *text = strdup("user::---\ngroup::---\nother::---");
    static const size_t places[] = {6, 17, 28};
    for (size_t who = 0; text != NULL && who < 3; who++) {
        for (size_t bit = 0; bit < 3; bit++) {
            if ((mode & (0400U >> (3 * who + bit))) != 0) {
                text[places[who] + bit] = bits[bit];
            }
        }
    }
    return text;
}
