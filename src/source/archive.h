/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source/archive.h - the members of an archive (tar of every kind, cpio, zip, 7z, iso, rpm, deb,
 * each also compressed), in their order, read once. libarchive does the formats.
 *
 *   source_archive_open      what is it?
 *   source_archive_next      the next member ...
 *   source_archive_read      ... and its content, holes as zeros
 *   source_archive_close
 *
 * Everything in an archive may lie. Names never reach the file system; formats and filters are
 * those that libarchive reads in this process (it would start programs for others); what reading
 * may expand to is bounded by source_archive_limits. A deb is an ar archive whose data.tar holds
 * the files: its members are those of that tar, which is the only nesting there is.
 *
 * One thread uses an archive.
 */
#ifndef SOURCE_ARCHIVE_H
#define SOURCE_ARCHIVE_H

#include <stdatomic.h>

#include "base/error.h"
#include "source/input.h"

/** Without a limit of the user's: from this many bytes on, more than so many times the input. */
#define SOURCE_EXPANSION_FREE_BYTES (64ULL * 1024 * 1024 * 1024)
#define SOURCE_EXPANSION_RATIO 100U

enum source_member_type {
    SOURCE_FILE = 0,
    SOURCE_DIRECTORY,
    SOURCE_SYMLINK,
    /** A further link to a file that came before; `target` is its path. */
    SOURCE_HARDLINK,
    SOURCE_FIFO,
    SOURCE_DEVICE,
    /** A socket and what else no backup holds. */
    SOURCE_OTHER
};

/** One member; strings are borrowed until the next call on the archive. */
struct source_member {
    enum source_member_type type;
    /** As the archive has it: any byte but NUL, perhaps absolute or with "..". Never NULL. */
    const char *path;
    /** Where a symbolic or hard link points; else NULL. */
    const char *target;
    /** Names of the owner and the group; NULL: the archive has none. */
    const char *user;
    const char *group;
    /** Type and permissions as in struct stat. */
    uint32_t mode;
    uint32_t uid;
    uint32_t gid;
    uint64_t rdev;
    int64_t mtime_ns;
    /** As stated; what is read may differ. */
    uint64_t size_bytes;
    bool is_encrypted;
};

enum source_event {
    /** A member; or, of a read, what was asked for. */
    SOURCE_GOOD = 0,
    /** No more members. */
    SOURCE_END,
    /** This member cannot be read (to its end); the next one may. */
    SOURCE_DAMAGED,
    /** Nothing more can be read. Why: damaged, ... */
    SOURCE_BROKEN,
    /** ... encrypted, names and all; ... */
    SOURCE_LOCKED,
    /** ... it expanded beyond the limit, or wanted too much memory; ... */
    SOURCE_LIMIT,
    /** ... the system refused a read, see source_archive_errno(); ... */
    SOURCE_UNREADABLE,
    /** ... asked to stop. */
    SOURCE_STOPPED
};

struct source_archive;

/**
 * Opens the archive at `path` ("-": standard input). `max_bytes` bounds what it may expand to; 0:
 * the rule above. CADV_ERR_INPUT says what is no archive, and what to do. When `stop` ended it, the
 * status is CADV_OK and the archive holds nothing.
 */
enum cadv_status source_archive_open(const char *path, uint64_t max_bytes,
                                     const atomic_int *stop, struct source_archive **archive,
                                     struct cadv_error *err);

/** As source_archive_open(), of `bytes` bytes of memory, borrowed until it is closed. */
enum cadv_status source_archive_open_memory(const uint8_t *data, size_t bytes,
                                            uint64_t max_bytes, const atomic_int *stop,
                                            struct source_archive **archive,
                                            struct cadv_error *err);

/** Goes to the next member; what was not read of the last one is passed over. */
enum source_event source_archive_next(struct source_archive *archive,
                                      struct source_member *member);

/** Fills `buffer` unless the member ends or something is wrong; *got says how far, always. */
enum source_event source_archive_read(struct source_archive *archive, uint8_t *buffer,
                                      size_t bytes, size_t *got);

/** errno behind SOURCE_UNREADABLE. */
int source_archive_errno(const struct source_archive *archive);

/** Seconds inside read(). */
double source_archive_read_s(const struct source_archive *archive);

/** True when the archive is a tar, which Borg's import-tar reads. Known after the first member. */
bool source_archive_is_tar(const struct source_archive *archive);

/** True when it is a Debian package. Known after the first member. */
bool source_archive_is_package(const struct source_archive *archive);

/** The command that undoes the outermost compression, "zstd -d"; NULL: there is none. */
const char *source_archive_filter(const struct source_archive *archive);

/** NULL is fine. */
void source_archive_close(struct source_archive *archive);

#endif
