/* SPDX-License-Identifier: BSD-2-Clause */
/* walk/owners.h - names of users and groups as this machine knows them, remembered. Thread-safe. */
#ifndef WALK_OWNERS_H
#define WALK_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

struct walk_owners;

struct walk_owners *walk_owners_new(void);
void walk_owners_free(struct walk_owners *owners);

/** The name, or NULL when there is none (or no room to know). Valid as long as `owners`. */
const char *walk_owners_user(struct walk_owners *owners, uint32_t uid);
const char *walk_owners_group(struct walk_owners *owners, uint32_t gid);

/** True when a name is missing only because memory or descriptors ran out. */
bool walk_owners_ran_short(struct walk_owners *owners);

#endif
