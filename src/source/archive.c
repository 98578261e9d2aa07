/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of an archive: what libarchive says, made safe and simple. */
#include "source/archive.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/archive_layer.h"
#include "source/archive_member.h"

/* Headers in a row that libarchive wants to try again before the archive counts as broken. */
#define RETRIES_MAX 1000U

struct source_archive {
    struct source_origin origin;
    /* libarchive makes names from UTF-8 by the thread's locale; in C's, bytes would be lost. */
    locale_t locale;
    struct archive_entry *entry;
    /* Code of the header that was read already, by the open; is_ahead: not handed out yet. */
    int first_code;
    bool is_ahead;
    /* The top layer is the ar archive of a deb: only its data.tar counts. */
    bool is_package;
    bool is_tar;
    /* Within a member: zeros, then bytes of the block, then the next block. */
    uint64_t zeros;
    const uint8_t *block;
    size_t block_bytes;
    int64_t at;
    bool is_member_over;
    bool is_member_damaged;
};

static bool is_format(const struct source_archive *archive, int format)
{
    int found = archive_format(source_layer_top(&archive->origin));
    return (found & ARCHIVE_FORMAT_BASE_MASK) == format;
}

static bool is_stopped(const struct source_archive *archive)
{
    return atomic_load_explicit(archive->origin.stop, memory_order_relaxed) != 0;
}

/* Why nothing more can be read. */
static enum source_event why_over(struct source_archive *archive)
{
    if (is_stopped(archive)) {
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
    bool can_tell =
        is_format(archive, ARCHIVE_FORMAT_ZIP) || is_format(archive, ARCHIVE_FORMAT_7ZIP);
    bool is_locked = can_tell && archive_read_has_encrypted_entries(top) > 0;
    return is_locked ? SOURCE_LOCKED : SOURCE_BROKEN;
}

static int read_header(struct source_archive *archive)
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

/* "standard input", or the path in quotes; a long path is cut. */
enum { CALLED_MAX = 256 };

static const char *call(const char *path, char out[CALLED_MAX])
{
    bool is_stdin = strcmp(path, "-") == 0;
    (void)snprintf(out, CALLED_MAX, is_stdin ? "%s" : "'%s'",
                   is_stdin ? "standard input" : path);
    return out;
}

/* The one line for what is no archive, or none that can be read this way. */
static enum cadv_status refuse(const struct source_archive *archive, const char *path,
                               struct cadv_error *err)
{
    struct archive *top = source_layer_top(&archive->origin);
    bool is_stdin = strcmp(path, "-") == 0;
    char name[CALLED_MAX];
    call(path, name);
    if (source_origin_read_bytes(&archive->origin) == 0) {
        return error_set(err, CADV_ERR_INPUT,
                         "%s is empty: no archive arrived; check what makes it", name);
    }
    if (archive_filter_count(top) > SOURCE_FILTERS_MAX + 1) {
        return error_set(err, CADV_ERR_INPUT,
                         "%s is compressed more than %d times over; unpack it first", name,
                         SOURCE_FILTERS_MAX);
    }
    bool is_compressed = archive_filter_count(top) > 1;
    return error_set(err, CADV_ERR_INPUT, "%s %s (tar, cpio, zip, 7z, iso, rpm, deb); %s", name,
                     is_compressed ? "is compressed, but what is in it is no archive"
                                   : "is no archive",
                     is_stdin ? "to take it as one file, give --stdin-name NAME"
                              : "to take it as one file, give it as a PATH");
}

/* Finds out what the input is, and reads the first header. */
static enum cadv_status begin(struct source_archive *archive, const char *path,
                              struct cadv_error *err)
{
    struct source_origin *origin = &archive->origin;
    int code = source_layer_push(origin);
    if (origin->depth == 0) {
        return error_nomem(err, "opening an archive");
    }
    archive->is_ahead = true;
    archive->first_code = ARCHIVE_FATAL;
    /* What cannot be positioned would be read another way, which tells less of the members. */
    if (code < ARCHIVE_WARN || origin->input.problem != 0) {
        enum source_event why = why_over(archive);
        if (why == SOURCE_UNREADABLE) {
            return cadv_error_set(err, CADV_ERR_INPUT, origin->input.problem,
                                  "cannot read '%s'", path);
        }
        return why == SOURCE_STOPPED || why == SOURCE_LIMIT ? CADV_OK
                                                            : refuse(archive, path, err);
    }
    archive->first_code = read_header(archive);
    if (archive->first_code == ARCHIVE_FATAL && is_format(archive, ARCHIVE_FORMAT_7ZIP) &&
        origin->memory == NULL && !origin->input.is_seekable && !is_stopped(archive)) {
        char name[CALLED_MAX];
        return error_set(err, CADV_ERR_INPUT,
                         "%s is a 7z archive, which is read from its end; save it to a file "
                         "and give that with --tar FILE",
                         call(path, name));
    }
    return CADV_OK;
}

static struct source_archive *make(uint64_t max_bytes, const atomic_int *stop)
{
    struct source_archive *archive = calloc(1, sizeof *archive);
    if (archive == NULL) {
        return NULL;
    }
    archive->origin.input.fd = -1;
    archive->origin.max_bytes = max_bytes;
    archive->origin.stop = stop;
    archive->origin.block = malloc(SOURCE_BLOCK_BYTES);
    archive->entry = archive_entry_new();
    archive->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (archive->origin.block == NULL || archive->entry == NULL) {
        source_archive_close(archive);
        return NULL;
    }
    return archive;
}

static enum cadv_status finish_open(struct source_archive *made, const char *path,
                                    struct source_archive **archive, struct cadv_error *err)
{
    enum cadv_status status = begin(made, path, err);
    if (status == CADV_OK) {
        *archive = made;
    } else {
        source_archive_close(made);
    }
    return status;
}

enum cadv_status source_archive_open(const char *path, uint64_t max_bytes,
                                     const atomic_int *stop, struct source_archive **archive,
                                     struct cadv_error *err)
{
    struct source_archive *made = make(max_bytes, stop);
    if (made == NULL) {
        return error_nomem(err, "opening an archive");
    }
    int problem = source_input_open(&made->origin.input, path, stop);
    if (problem != 0) {
        source_archive_close(made);
        return cadv_error_set(err, CADV_ERR_INPUT, problem, "cannot open the archive '%s'",
                              path);
    }
    return finish_open(made, path, archive, err);
}

enum cadv_status source_archive_open_memory(const uint8_t *data, size_t bytes,
                                            uint64_t max_bytes, const atomic_int *stop,
                                            struct source_archive **archive,
                                            struct cadv_error *err)
{
    struct source_archive *made = make(max_bytes, stop);
    if (made == NULL) {
        return error_nomem(err, "opening an archive");
    }
    made->origin.memory = data;
    made->origin.memory_bytes = bytes;
    return finish_open(made, "memory", archive, err);
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
    if (archive->origin.depth > 1 || !is_format(archive, ARCHIVE_FORMAT_AR)) {
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
            *event = why_over(archive);
        }
    }
    return true;
}

/* One header, whatever it is. */
static enum source_event step(struct source_archive *archive)
{
    int code = archive->is_ahead ? archive->first_code : read_header(archive);
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
    return code == ARCHIVE_OK || code == ARCHIVE_WARN ? SOURCE_GOOD : why_over(archive);
}

enum source_event source_archive_next(struct source_archive *archive,
                                      struct source_member *member)
{
    *member = (struct source_member){.path = ""};
    for (;;) {
        size_t depth = archive->origin.depth;
        if (is_stopped(archive) || source_origin_is_beyond(&archive->origin)) {
            return why_over(archive);
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
        archive->is_tar = is_format(archive, ARCHIVE_FORMAT_TAR) && archive->origin.depth == 1;
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
        return why_over(archive);
    }
    if (code == ARCHIVE_FAILED) {
        return SOURCE_DAMAGED;
    }
    archive->is_member_over = code == ARCHIVE_EOF;
    archive->is_member_damaged = archive->is_member_damaged || code == ARCHIVE_WARN;
    if (code == ARCHIVE_EOF) {
        bytes = 0;
        /* Only a tar says there how long the file is. */
        offset = is_format(archive, ARCHIVE_FORMAT_TAR) ? offset : archive->at;
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
        if (is_stopped(archive) || source_origin_is_beyond(&archive->origin)) {
            return why_over(archive);
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

void source_archive_close(struct source_archive *archive)
{
    if (archive == NULL) {
        return;
    }
    while (archive->origin.depth > 0) {
        source_layer_pop(&archive->origin);
    }
    archive_entry_free(archive->entry);
    source_input_close(&archive->origin.input);
    if (archive->locale != (locale_t)0) {
        freelocale(archive->locale);
    }
    free(archive->origin.block);
    free(archive);
}
