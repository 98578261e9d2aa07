/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of an archive: what libarchive says, made safe and simple. */
#include "source/archive.h"

#include <errno.h>
#include <string.h>

#include "source/archive_member.h"
#include "source/archive_state.h"

/* Headers in a row that libarchive wants to try again before the archive counts as broken. */
#define RETRIES_MAX 1000U

bool source_archive_is_format(const struct source_archive *archive, int format)
{
    int found = archive_format(source_layer_top(&archive->origin));
    return (found & ARCHIVE_FORMAT_BASE_MASK) == format;
}

bool source_archive_is_stopped(const struct source_archive *archive)
{
    return atomic_load_explicit(archive->origin.stop, memory_order_relaxed) != 0;
}

enum source_event source_archive_why_over(struct source_archive *archive)
{
    if (source_archive_is_stopped(archive)) {
        return SOURCE_STOPPED;
    }
    if (source_origin_is_beyond(&archive->origin)) {
        return SOURCE_LIMIT;
    }
    if (archive->origin.input.problem != 0) {
        return SOURCE_UNREADABLE;
    }
    struct archive *top = source_layer_top(&archive->origin);
    /* What a decompressor asks for is up to the archive, and libarchive bounds it. */
    if (archive_errno(top) == ENOMEM) {
        return SOURCE_LIMIT;
    }
    /* Only these formats can be asked; libarchive crashes when it has not found any. */
    bool can_tell = source_archive_is_format(archive, ARCHIVE_FORMAT_ZIP) ||
                    source_archive_is_format(archive, ARCHIVE_FORMAT_7ZIP);
    bool is_locked = can_tell && archive_read_has_encrypted_entries(top) > 0;
    return is_locked ? SOURCE_LOCKED : SOURCE_BROKEN;
}

int source_archive_header(struct source_archive *archive)
{
    struct archive *top = source_layer_top(&archive->origin);
    int code = ARCHIVE_RETRY;
    locale_t before = uselocale(archive->locale);
    for (unsigned i = 0; code == ARCHIVE_RETRY && i < RETRIES_MAX; i++) {
        code = archive_read_next_header2(top, archive->entry);
    }
    (void)uselocale(before);
    return code == ARCHIVE_RETRY ? ARCHIVE_FATAL : code;
}

static bool starts_with(const char *text, const char *start)
{
    return text != NULL && strncmp(text, start, strlen(start)) == 0;
}

/*
 * In a deb: true when the member at hand is packaging, or the data.tar that was now opened. The
 * first member tells a deb; *event is then the outcome of going on.
 */
static bool is_packaging(struct source_archive *archive, enum source_event *event)
{
    const char *path = archive_entry_pathname(archive->entry);
    if (archive->origin.depth > 1 || !source_archive_is_format(archive, ARCHIVE_FORMAT_AR)) {
        return false;
    }
    archive->is_package = archive->is_package || starts_with(path, "debian-binary");
    if (!archive->is_package) {
        return false;
    }
    *event = SOURCE_GOOD;
    if (starts_with(path, "data.tar")) {
        int code = source_layer_push(&archive->origin);
        if (code < ARCHIVE_WARN) {
            *event = source_archive_why_over(archive);
        }
    }
    return true;
}

/* One header, whatever it is. */
static enum source_event step(struct source_archive *archive)
{
    int code = archive->is_ahead ? archive->first_code : source_archive_header(archive);
    archive->is_ahead = false;
    if (code == ARCHIVE_EOF && archive->origin.depth > 1) {
        source_layer_pop(&archive->origin);
        return SOURCE_GOOD;
    }
    if (code == ARCHIVE_EOF) {
        return SOURCE_END;
    }
    if (code == ARCHIVE_FAILED) {
        return SOURCE_DAMAGED;
    }
    return code == ARCHIVE_OK || code == ARCHIVE_WARN ? SOURCE_GOOD
                                                      : source_archive_why_over(archive);
}

enum source_event source_archive_next(struct source_archive *archive,
                                      struct source_member *member)
{
    *member = (struct source_member){.path = ""};
    for (;;) {
        size_t depth = archive->origin.depth;
        if (source_archive_is_stopped(archive) || source_origin_is_beyond(&archive->origin)) {
            return source_archive_why_over(archive);
        }
        enum source_event event = step(archive);
        if (event != SOURCE_GOOD) {
            return event;
        }
        bool is_above = archive->origin.depth < depth;
        if (is_above || is_packaging(archive, &event)) {
            if (event != SOURCE_GOOD) {
                return event;
            }
            continue;
        }
        archive->is_tar =
            source_archive_is_format(archive, ARCHIVE_FORMAT_TAR) && archive->origin.depth == 1;
        archive->zeros = 0;
        archive->block_bytes = 0;
        archive->at = 0;
        archive->is_member_over = false;
        archive->is_member_damaged = false;
        source_member_describe(archive->entry,
                               archive_format(source_layer_top(&archive->origin)), member);
        return SOURCE_GOOD;
    }
}

/* Holes between blocks, and after the last one, are left out of archives: they are zeros. */
static enum source_event next_block(struct source_archive *archive)
{
    struct archive *top = source_layer_top(&archive->origin);
    const void *block = NULL;
    size_t bytes = 0;
    int64_t offset = archive->at;
    int code = archive_read_data_block(top, &block, &bytes, &offset);
    if (code == ARCHIVE_RETRY || code == ARCHIVE_FATAL) {
        return source_archive_why_over(archive);
    }
    if (code == ARCHIVE_FAILED) {
        return SOURCE_DAMAGED;
    }
    archive->is_member_over = code == ARCHIVE_EOF;
    archive->is_member_damaged = archive->is_member_damaged || code == ARCHIVE_WARN;
    if (code == ARCHIVE_EOF) {
        bytes = 0;
        /* Only a tar says there how long the file is. */
        offset = source_archive_is_format(archive, ARCHIVE_FORMAT_TAR) ? offset : archive->at;
    }
    if (offset < archive->at || (bytes > 0 && block == NULL) ||
        (uint64_t)bytes > (uint64_t)(INT64_MAX - offset)) {
        /* At the end, a shorter length than what came: nothing is left to give. */
        return code == ARCHIVE_EOF ? SOURCE_GOOD : SOURCE_DAMAGED;
    }
    archive->zeros = (uint64_t)(offset - archive->at);
    archive->block = block;
    archive->block_bytes = bytes;
    archive->at = offset + (int64_t)bytes;
    return SOURCE_GOOD;
}

/* Up to `bytes` of what is at hand; 0: a block is needed. */
static size_t take(struct source_archive *archive, uint8_t *buffer, size_t bytes)
{
    if (archive->zeros > 0) {
        size_t count = archive->zeros < bytes ? (size_t)archive->zeros : bytes;
        memset(buffer, 0, count);
        archive->zeros -= count;
        return count;
    }
    size_t count = archive->block_bytes < bytes ? archive->block_bytes : bytes;
    if (count > 0) {
        memcpy(buffer, archive->block, count);
        archive->block += count;
        archive->block_bytes -= count;
    }
    return count;
}

enum source_event source_archive_read(struct source_archive *archive, uint8_t *buffer,
                                      size_t bytes, size_t *got)
{
    *got = 0;
    while (*got < bytes) {
        size_t count = take(archive, buffer + *got, bytes - *got);
        *got += count;
        archive->origin.content_bytes += count;
        if (count > 0) {
            continue;
        }
        if (source_archive_is_stopped(archive) || source_origin_is_beyond(&archive->origin)) {
            return source_archive_why_over(archive);
        }
        if (archive->is_member_over) {
            return archive->is_member_damaged ? SOURCE_DAMAGED : SOURCE_GOOD;
        }
        enum source_event event = next_block(archive);
        if (event != SOURCE_GOOD) {
            return event;
        }
    }
    return source_origin_is_beyond(&archive->origin) ? SOURCE_LIMIT : SOURCE_GOOD;
}

int source_archive_errno(const struct source_archive *archive)
{
    return archive->origin.input.problem;
}

double source_archive_read_s(const struct source_archive *archive)
{
    return archive->origin.input.read_s;
}

bool source_archive_is_tar(const struct source_archive *archive)
{
    return archive->is_tar;
}

bool source_archive_is_package(const struct source_archive *archive)
{
    return archive->is_package;
}

const char *source_archive_filter(const struct source_archive *archive)
{
    static const struct {
        int code;
        const char *command;
    } commands[] = {
        {ARCHIVE_FILTER_GZIP, "gzip -d"}, {ARCHIVE_FILTER_BZIP2, "bzip2 -d"},
        {ARCHIVE_FILTER_XZ, "xz -d"},     {ARCHIVE_FILTER_LZMA, "xz -d"},
        {ARCHIVE_FILTER_LZIP, "lzip -d"}, {ARCHIVE_FILTER_ZSTD, "zstd -d"},
        {ARCHIVE_FILTER_LZ4, "lz4 -d"},   {ARCHIVE_FILTER_COMPRESS, "gzip -d"},
    };
    struct archive *lowest = archive->origin.layers[0];
    int count = archive_filter_count(lowest);
    /* The last one is the input itself. */
    int code = count > 1 ? archive_filter_code(lowest, count - 2) : ARCHIVE_FILTER_NONE;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (commands[i].code == code) {
            return commands[i].command;
        }
    }
    return NULL;
}
