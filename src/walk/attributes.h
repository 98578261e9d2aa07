/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk/attributes.h - what an entry has beyond its status: flags, extended attributes, ACLs. Most
 * entries have none, and cost two system calls then.
 */
#ifndef WALK_ATTRIBUTES_H
#define WALK_ATTRIBUTES_H

#include "walk/owners.h"
#include "walk/walk.h"

/** Bytes of attributes kept of one entry; what is beyond it is left out. */
#define WALK_ATTRIBUTES_MAX_BYTES ((size_t)256 * 1024)

/** Names under which ACLs are kept; no attribute is called so, for all have a dot in them. */
#define WALK_ACL_ACCESS "acl_access"
#define WALK_ACL_DEFAULT "acl_default"

struct walk_attributes {
    /** Of chattr(1), in BSD's numbers as Borg notes them: 1 nodump, 2 immutable, 4 append-only,
     * 32 compressed. */
    uint32_t flags;
    /** As base/pairs.h has it: attributes by name, then ACLs as text with numeric ids. */
    size_t bytes;
    uint8_t pairs[];
};

/**
 * Reads what belongs to the open file or directory `fd`, or with `fd` < 0 to `path`, a link at
 * whose end is not followed. *attributes is in new memory, or NULL when there are none. What cannot
 * be read is left out, as Borg leaves it out. Returns 0 or ENOMEM.
 */
int walk_attributes_read(int fd, const char *path, const struct walk_entry *entry,
                         struct walk_owners *owners, struct walk_attributes **attributes);

/**
 * The same for what is not open, `entry` in the directory `directory_fd` (AT_FDCWD: a root).
 * Directories are opened, as Borg does: *is_refused says that this failed, so that Borg lists none.
 */
int walk_attributes_examine(int directory_fd, const struct walk_entry *entry,
                            struct walk_owners *owners, struct walk_attributes **attributes,
                            bool *is_refused);

#endif
