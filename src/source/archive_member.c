/* SPDX-License-Identifier: BSD-2-Clause */
#include "source/archive_member.h"

#include <archive.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static int64_t to_ns(time_t seconds, long ns)
{
    int64_t sum = 0;
    if (__builtin_mul_overflow((int64_t)seconds, INT64_C(1000000000), &sum) ||
        __builtin_add_overflow(sum, (int64_t)ns, &sum)) {
        return seconds < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

static enum source_member_type type_of(struct archive_entry *entry)
{
    static const struct {
        mode_t format;
        enum source_member_type type;
    } types[] = {
        {AE_IFREG, SOURCE_FILE}, {AE_IFDIR, SOURCE_DIRECTORY}, {AE_IFLNK, SOURCE_SYMLINK},
        {AE_IFIFO, SOURCE_FIFO}, {AE_IFCHR, SOURCE_DEVICE},    {AE_IFBLK, SOURCE_DEVICE},
    };
    if (archive_entry_hardlink(entry) != NULL) {
        return SOURCE_HARDLINK;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (archive_entry_filetype(entry) == types[i].format) {
            return types[i].type;
        }
    }
    return SOURCE_OTHER;
}

static const char *or_null(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : NULL;
}

void source_member_describe(struct archive_entry *entry, int format,
                            struct source_member *member)
{
    const char *path = archive_entry_pathname(entry);
    enum source_member_type type = type_of(entry);
    int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
    /* The new cpio formats give a file's content with its last link, the others to the first. */
    if (type == SOURCE_HARDLINK && size > 0 &&
        (format == ARCHIVE_FORMAT_CPIO_SVR4_NOCRC || format == ARCHIVE_FORMAT_CPIO_SVR4_CRC)) {
        type = SOURCE_FILE;
    }
    *member = (struct source_member){
        .type = type,
        .path = path != NULL ? path : "",
        .user = or_null(archive_entry_uname(entry)),
        .group = or_null(archive_entry_gname(entry)),
        .mode = (uint32_t)archive_entry_mode(entry),
        .uid = (uint32_t)archive_entry_uid(entry),
        .gid = (uint32_t)archive_entry_gid(entry),
        .mtime_ns = to_ns(archive_entry_mtime(entry), archive_entry_mtime_nsec(entry)),
        .size_bytes = size > 0 ? (uint64_t)size : 0,
        .is_encrypted = archive_entry_is_encrypted(entry) > 0,
    };
    if (type == SOURCE_HARDLINK) {
        member->target = archive_entry_hardlink(entry);
        member->mode = S_IFREG | (member->mode & 07777U);
    } else if (type == SOURCE_SYMLINK) {
        const char *target = archive_entry_symlink(entry);
        member->target = target != NULL ? target : "";
    } else if (type == SOURCE_DEVICE) {
        member->rdev = makedev((unsigned)archive_entry_rdevmajor(entry),
                               (unsigned)archive_entry_rdevminor(entry));
    }
}
