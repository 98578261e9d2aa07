/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source/archive_member.h - what a member of an archive is, from libarchive's header. Inside source
 * only.
 */
#ifndef SOURCE_ARCHIVE_MEMBER_H
#define SOURCE_ARCHIVE_MEMBER_H

#include <archive_entry.h>

#include "source/archive.h"

/**
 * Fills *member; its texts are the entry's own. `format` is libarchive's code: in some a hard link
 * carries the file's content.
 */
void source_member_describe(struct archive_entry *entry, int format,
                            struct source_member *member);

#endif
