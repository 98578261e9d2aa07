/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk/owners.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "par/sync.h"

/* Owners beyond this many go without a name; real trees have a handful. */
#define REMEMBERED_MAX 4096U

/* Room for what the system knows of an owner, at first and at last. */
#define ROOM_BYTES ((size_t)16 * 1024)
#define ROOM_MAX_BYTES ((size_t)16 * 1024 * 1024)

struct owner {
    uint32_t id;
    char *name;
};

struct owner_list {
    struct owner *owners;
    size_t count;
    size_t capacity;
};

struct walk_owners {
    pthread_mutex_t lock;
    /** Guarded by lock; names never move once made. */
    struct owner_list users;
    struct owner_list groups;
    bool ran_short;
};

struct walk_owners *walk_owners_new(void)
{
    struct walk_owners *owners = calloc(1, sizeof *owners);
    if (owners != NULL) {
        par_mutex_init(&owners->lock);
    }
    return owners;
}

static void list_fini(struct owner_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->owners[i].name);
    }
    free(list->owners);
}

void walk_owners_free(struct walk_owners *owners)
{
    if (owners != NULL) {
        list_fini(&owners->users);
        list_fini(&owners->groups);
        par_mutex_fini(&owners->lock);
        free(owners);
    }
}

/* Finds the name, in new memory, with some room for the entry; ERANGE: that was too little. */
typedef int look_up_fn(uint32_t id, char *room, size_t bytes, char **name);

static int look_up_user(uint32_t uid, char *room, size_t bytes, char **name)
{
    struct passwd entry;
    struct passwd *found = NULL;
    int rc = getpwuid_r((uid_t)uid, &entry, room, bytes, &found);
    if (rc != 0 || found == NULL) {
        return rc;
    }
    *name = strdup(found->pw_name);
    return *name == NULL ? ENOMEM : 0;
}

static int look_up_group(uint32_t gid, char *room, size_t bytes, char **name)
{
    struct group entry;
    struct group *found = NULL;
    int rc = getgrgid_r((gid_t)gid, &entry, room, bytes, &found);
    if (rc != 0 || found == NULL) {
        return rc;
    }
    *name = strdup(found->gr_name);
    return *name == NULL ? ENOMEM : 0;
}

/* A group comes with the names of its members, of which there may be thousands. */
static int look_up(look_up_fn *with_room, uint32_t id, char **name)
{
    int rc = ERANGE;
    for (size_t bytes = ROOM_BYTES; rc == ERANGE && bytes <= ROOM_MAX_BYTES; bytes *= 4) {
        char *room = malloc(bytes);
        rc = room == NULL ? ENOMEM : with_room(id, room, bytes, name);
        free(room);
    }
    return rc;
}

/* A name that is not found has many numbers; these alone say that it might have been. */
static bool is_shortage(int problem)
{
    return problem == ENOMEM || problem == EMFILE || problem == ENFILE;
}

/* Call with the lock held. */
static const char *find(struct walk_owners *owners, struct owner_list *list, uint32_t id,
                        look_up_fn *with_room)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->owners[i].id == id) {
            return list->owners[i].name;
        }
    }
    if (list->count == REMEMBERED_MAX) {
        return NULL;
    }
    struct owner *longer =
        array_reserve(list->owners, &list->capacity, list->count + 1, sizeof *longer);
    if (longer == NULL) {
        owners->ran_short = true;
        return NULL;
    }
    list->owners = longer;
    struct owner *owner = &longer[list->count++];
    *owner = (struct owner){.id = id};
    owners->ran_short = is_shortage(look_up(with_room, id, &owner->name)) || owners->ran_short;
    return owner->name;
}

const char *walk_owners_user(struct walk_owners *owners, uint32_t uid)
{
    par_lock(&owners->lock);
    const char *name = find(owners, &owners->users, uid, look_up_user);
    par_unlock(&owners->lock);
    return name;
}

const char *walk_owners_group(struct walk_owners *owners, uint32_t gid)
{
    par_lock(&owners->lock);
    const char *name = find(owners, &owners->groups, gid, look_up_group);
    par_unlock(&owners->lock);
    return name;
}

bool walk_owners_ran_short(struct walk_owners *owners)
{
    par_lock(&owners->lock);
    bool ran_short = owners->ran_short;
    par_unlock(&owners->lock);
    return ran_short;
}
