/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Setting libarchive up. Formats and filters are named one by one: its "all" would start programs
 * found in PATH for some, and take any text for an archive.
 */
#include "source/archive_layer.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/archive.h"

typedef int support_fn(struct archive *reader);

static support_fn *const formats[] = {
    archive_read_support_format_tar,  archive_read_support_format_cpio,
    archive_read_support_format_ar,   archive_read_support_format_zip,
    archive_read_support_format_7zip, archive_read_support_format_iso9660,
};

static support_fn *const filters[] = {
    archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
    archive_read_support_filter_xz,   archive_read_support_filter_lzma,
    archive_read_support_filter_lzip, archive_read_support_filter_zstd,
    archive_read_support_filter_lz4,  archive_read_support_filter_compress,
    archive_read_support_filter_rpm,
};

/* False when this libarchive lacks the library and would start a program instead. */
static bool is_built_in(support_fn *filter)
{
    struct archive *trial = archive_read_new();
    bool is_ok = trial != NULL && filter(trial) == ARCHIVE_OK;
    (void)archive_read_free(trial);
    return is_ok;
}

uint64_t source_origin_read_bytes(const struct source_origin *origin)
{
    return origin->memory != NULL ? origin->memory_at : origin->input.read_bytes;
}

/* Filter 0 is the last one: what it made is what the format sees, headers included. */
static uint64_t expanded_bytes(const struct source_origin *origin)
{
    uint64_t most = origin->content_bytes;
    for (size_t i = 0; i < origin->depth; i++) {
        int count = archive_filter_count(origin->layers[i]);
        for (int f = 0; f < count; f++) {
            int64_t made = archive_filter_bytes(origin->layers[i], f);
            most = made > 0 && (uint64_t)made > most ? (uint64_t)made : most;
        }
    }
    return most;
}

bool source_expands_beyond(uint64_t made_bytes, uint64_t read_bytes, uint64_t max_bytes)
{
    if (max_bytes > 0) {
        return made_bytes > max_bytes;
    }
    return made_bytes > SOURCE_EXPANSION_FREE_BYTES &&
           made_bytes / SOURCE_EXPANSION_RATIO > read_bytes;
}

bool source_origin_is_beyond(struct source_origin *origin)
{
    origin->is_beyond =
        origin->is_beyond ||
        source_expands_beyond(expanded_bytes(origin), source_origin_read_bytes(origin),
                              origin->max_bytes);
    return origin->is_beyond;
}

static ssize_t memory_some(struct source_origin *origin, const void **block)
{
    size_t left = origin->memory_bytes - origin->memory_at;
    size_t bytes = left < SOURCE_BLOCK_BYTES ? left : SOURCE_BLOCK_BYTES;
    *block = origin->memory + origin->memory_at;
    origin->memory_at += bytes;
    return (ssize_t)bytes;
}

static ssize_t read_origin(struct archive *reader, void *ctx, const void **block)
{
    struct source_origin *origin = ctx;
    *block = origin->block;
    if (atomic_load_explicit(origin->stop, memory_order_relaxed) != 0 ||
        source_origin_is_beyond(origin)) {
        archive_set_error(reader, ECANCELED, "given up");
        return ARCHIVE_FATAL;
    }
    if (origin->memory != NULL) {
        return memory_some(origin, block);
    }
    ssize_t got = source_input_some(&origin->input, origin->block, SOURCE_BLOCK_BYTES);
    if (got < 0) {
        archive_set_error(reader, origin->input.problem, "the input cannot be read");
        return ARCHIVE_FATAL;
    }
    return got;
}

/* Only files are asked to; a zip's directory and all of a 7z lie at the end. */
static int64_t seek_origin(struct archive *reader, void *ctx, int64_t offset, int whence)
{
    struct source_origin *origin = ctx;
    off_t at = lseek(origin->input.fd, offset, whence);
    if (at < 0) {
        /* An offset that cannot be is the archive's fault, anything else the input's. */
        bool is_input = errno != EINVAL && errno != EOVERFLOW;
        origin->input.problem =
            is_input && origin->input.problem == 0 ? errno : origin->input.problem;
        archive_set_error(reader, errno, "the input cannot be positioned");
        return ARCHIVE_FATAL;
    }
    return at;
}

/* The bytes of the member that the layer below stands at. */
static ssize_t read_member(struct archive *reader, void *ctx, const void **block)
{
    const struct source_origin *origin = ctx;
    size_t bytes = 0;
    int64_t offset = 0;
    int code = archive_read_data_block(origin->layers[0], block, &bytes, &offset);
    if (code == ARCHIVE_EOF) {
        return 0;
    }
    if (code != ARCHIVE_OK) {
        archive_set_error(reader, archive_errno(origin->layers[0]), "damaged");
        return ARCHIVE_FATAL;
    }
    return (ssize_t)bytes;
}

static void enable(struct archive *reader)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        (void)formats[i](reader);
    }
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (is_built_in(filters[i])) {
            (void)filters[i](reader);
        }
    }
}

int source_layer_push(struct source_origin *origin)
{
    struct archive *reader = archive_read_new();
    if (reader == NULL) {
        return ARCHIVE_FATAL;
    }
    bool is_first = origin->depth == 0;
    origin->layers[origin->depth++] = reader;
    enable(reader);
    (void)archive_read_set_read_callback(reader, is_first ? read_origin : read_member);
    (void)archive_read_set_callback_data(reader, origin);
    if (is_first && origin->memory == NULL && origin->input.is_seekable) {
        (void)archive_read_set_seek_callback(reader, seek_origin);
    }
    int code = archive_read_open1(reader);
    if (code == ARCHIVE_OK && archive_filter_count(reader) > SOURCE_FILTERS_MAX + 1) {
        archive_set_error(reader, EINVAL, "too many compressions, one on top of another");
        code = ARCHIVE_FATAL;
    }
    return code;
}

void source_layer_pop(struct source_origin *origin)
{
    (void)archive_read_free(origin->layers[--origin->depth]);
}

struct archive *source_layer_top(const struct source_origin *origin)
{
    return origin->layers[origin->depth - 1];
}
