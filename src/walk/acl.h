/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk/acl.h - POSIX access control lists as text, from the kernel's form of them (an extended
 * attribute: a version, then tag, permissions and id of each entry, little endian).
 */
#ifndef WALK_ACL_H
#define WALK_ACL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "walk/owners.h"

/** An entry of the text is no longer than this beside the name in it. */
#define WALK_ACL_ENTRY_BYTES 32

/**
 * One entry a line, no newline at the end: "user:NAME:rwx:ID" for named users and groups (the
 * number again when the name is unknown), "mask::r-x" for the rest. In new memory, terminated;
 * NULL with errno ENOMEM when memory ran out, EINVAL when the bytes are no such list.
 */
char *walk_acl_text(const uint8_t *acl, size_t bytes, struct walk_owners *owners);

/** What a list says that holds no more than the mode. In new memory, or NULL. */
char *walk_acl_of_mode(mode_t mode);

#endif
