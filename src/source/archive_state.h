/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source/archive_state.h - an archive that is being read, for the files that open it and read it.
 */
#ifndef SOURCE_ARCHIVE_STATE_H
#define SOURCE_ARCHIVE_STATE_H

#include <locale.h>

#include "source/archive.h"
#include "source/archive_layer.h"

struct source_archive {
    struct source_origin origin;
    /** libarchive makes names from UTF-8 by the thread's locale; in C's, bytes would be lost. */
    locale_t locale;
    struct archive_entry *entry;
    /** Code of the header that was read already, by the open; is_ahead: not handed out yet. */
    int first_code;
    bool is_ahead;
    /** The top layer is the ar archive of a deb: only its data.tar counts. */
    bool is_package;
    bool is_tar;
    /** Within a member: zeros, then bytes of the block, then the next block. */
    uint64_t zeros;
    const uint8_t *block;
    size_t block_bytes;
    int64_t at;
    bool is_member_over;
    bool is_member_damaged;
};

/** True when the layer on top has this format (ARCHIVE_FORMAT_*). */
bool source_archive_is_format(const struct source_archive *archive, int format);

/** True when the caller wants no more. */
bool source_archive_is_stopped(const struct source_archive *archive);

/** Why nothing more can be read. */
enum source_event source_archive_why_over(struct source_archive *archive);

/** Reads the next header of the layer on top: libarchive's code. */
int source_archive_header(struct source_archive *archive);

#endif
