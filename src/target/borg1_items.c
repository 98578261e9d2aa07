/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_items.c - an item as Borg 1.2 packs it: a map with sorted keys.
 *
 * Which keys an item has depends on its type and on whether it is a further hard link; the
 * table of fields below is that rule. Left out is atime, which Borg notes only when asked to.
 *
 * Ids are SHA-256 of the chunks where the scan computed it. Else, and where a key that nobody has
 * goes into them, they are made from our own digest: as random, as long, and equal for equal
 * chunks, so the stream deduplicates and compresses as Borg's does.
 */
#include "target/borg1.h"

#include <string.h>

#include "base/pairs.h"
#include "record/ids.h"
#include "target/msgpack.h"

/* Borg keeps times on platforms with 32-bit time_t: 2^31 - 1 less two days, in whole seconds.
 */
#define TIME_MAX_NS (INT64_C(2147310847) * 1000000000)

/* All that one call works on. */
struct job {
    const struct record_item *item;
    const char *path;
    /* Path of the first link, or NULL when this is it. */
    const char *source;
    uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk);
    void *ctx;
};

/* The finalizer of splitmix64: every bit of the input moves every bit of the output. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void make_id(struct record_digest digest, uint8_t id[BORG1_ID_BYTES])
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t high = mix(digest.high + golden);
    uint64_t low = mix(digest.low + golden);
    uint64_t words[4];

    /* Each word depends on all of the digest, and the first two give it back: none collide. */
    words[0] = mix(high + (low << 32 | low >> 32));
    words[1] = mix(low + words[0]);
    words[2] = mix(high + words[1]);
    words[3] = mix(low + words[2]);
    for (size_t i = 0; i < BORG1_ID_BYTES; i++) {
        id[i] = (uint8_t)(words[i / 8] >> (8 * (i % 8)));
    }
}

static bool is_symlink(const struct job *job)
{
    return job->item->type == RECORD_ITEM_SYMLINK;
}

/* A regular file whose content is listed here. */
static bool has_content(const struct job *job)
{
    return job->item->type == RECORD_ITEM_FILE && job->source == NULL;
}

/* The first, or only, name of something that may have several. */
static bool has_master(const struct job *job)
{
    enum record_item_type type = job->item->type;

    return job->source == NULL && !job->item->is_member &&
           (type == RECORD_ITEM_FILE || type == RECORD_ITEM_FIFO || type == RECORD_ITEM_DEVICE);
}

/* A tar has no change times, and import-tar makes none up. */
static bool has_ctime(const struct job *job)
{
    return !job->item->is_member;
}

static bool has_rdev(const struct job *job)
{
    return job->item->type == RECORD_ITEM_DEVICE;
}

static bool has_source(const struct job *job)
{
    return is_symlink(job) || job->source != NULL;
}

/* ACLs have no dot in their names, attributes have. */
static bool find_acl(const struct job *job, const char *name, struct pair *pair)
{
    const uint8_t *at = job->item->attributes;
    const uint8_t *end = at == NULL ? NULL : at + job->item->attributes_bytes;

    while (pairs_next(&at, end, pair)) {
        if (strcmp(pair->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static size_t xattr_count(const struct job *job)
{
    const uint8_t *at = job->item->attributes;
    const uint8_t *end = at == NULL ? NULL : at + job->item->attributes_bytes;
    struct pair pair;
    size_t count = 0;

    while (pairs_next(&at, end, &pair)) {
        count += strchr(pair.name, '.') != NULL ? 1 : 0;
    }
    return count;
}

static bool has_acl_access(const struct job *job)
{
    struct pair pair;

    return find_acl(job, "acl_access", &pair);
}

static bool has_acl_default(const struct job *job)
{
    struct pair pair;

    return find_acl(job, "acl_default", &pair);
}

static bool has_flags(const struct job *job)
{
    return job->item->flags != 0;
}

static bool has_xattrs(const struct job *job)
{
    return xattr_count(job) > 0;
}

static void pack_time(struct msgpack *pack, int64_t time_ns)
{
    int64_t kept = time_ns < 0 ? 0 : time_ns > TIME_MAX_NS ? TIME_MAX_NS : time_ns;

    msgpack_uint(pack, (uint64_t)kept);
}

static void pack_acl(struct msgpack *pack, const struct job *job, const char *name)
{
    struct pair pair;

    if (find_acl(job, name, &pair)) {
        msgpack_raw(pack, pair.value, pair.value_bytes);
    }
}

static void pack_acl_access(struct msgpack *pack, const struct job *job)
{
    pack_acl(pack, job, "acl_access");
}

static void pack_acl_default(struct msgpack *pack, const struct job *job)
{
    pack_acl(pack, job, "acl_default");
}

static void pack_flags(struct msgpack *pack, const struct job *job)
{
    msgpack_uint(pack, job->item->flags);
}

/* An empty value is none to Borg. */
static void pack_xattrs(struct msgpack *pack, const struct job *job)
{
    const uint8_t *at = job->item->attributes;
    const uint8_t *end = at + job->item->attributes_bytes;
    struct pair pair;

    msgpack_map(pack, xattr_count(job));
    while (pairs_next(&at, end, &pair)) {
        if (strchr(pair.name, '.') == NULL) {
            continue;
        }
        msgpack_text(pack, pair.name);
        if (pair.value_bytes == 0) {
            msgpack_nil(pack);
        } else {
            msgpack_raw(pack, pair.value, pair.value_bytes);
        }
    }
}

static void pack_entry(struct msgpack *pack, const uint8_t id[BORG1_ID_BYTES],
                       uint32_t chunk_bytes, uint64_t csize)
{
    msgpack_array(pack, 3);
    msgpack_raw(pack, id, BORG1_ID_BYTES);
    msgpack_uint(pack, chunk_bytes);
    msgpack_uint(pack, csize);
}

size_t borg1_pack_chunk(uint32_t chunk_bytes, uint64_t csize)
{
    static const uint8_t any_id[BORG1_ID_BYTES];
    struct msgpack count = {0};

    pack_entry(&count, any_id, chunk_bytes, csize);
    return count.length;
}

/* Entries that are not listed are missing; the head counts them. */
static void pack_chunks(struct msgpack *pack, const struct job *job)
{
    const struct record_item *item = job->item;

    msgpack_array(pack, item->chunk_count + item->unlisted.chunks);
    for (size_t i = 0; i < item->chunk_count; i++) {
        const struct record_chunk_ref *chunk = &item->chunks[i];
        uint8_t made[BORG1_ID_BYTES];
        const uint8_t *id = record_ids_find(item->ids, chunk->digest);

        if (id == NULL) {
            make_id(chunk->digest, made);
            id = made;
        }
        pack_entry(pack, id, chunk->bytes, job->csize(job->ctx, chunk));
    }
}

static void pack_ctime(struct msgpack *pack, const struct job *job)
{
    pack_time(pack, job->item->ctime_ns);
}

static void pack_gid(struct msgpack *pack, const struct job *job)
{
    msgpack_uint(pack, job->item->gid);
}

static void pack_group(struct msgpack *pack, const struct job *job)
{
    msgpack_text(pack, job->item->group);
}

static void pack_master(struct msgpack *pack, const struct job *job)
{
    msgpack_bool(pack, job->item->nlink > 1);
}

static void pack_mode(struct msgpack *pack, const struct job *job)
{
    msgpack_uint(pack, job->item->mode);
}

static void pack_mtime(struct msgpack *pack, const struct job *job)
{
    pack_time(pack, job->item->mtime_ns);
}

static void pack_path(struct msgpack *pack, const struct job *job)
{
    msgpack_text(pack, job->path);
}

static void pack_rdev(struct msgpack *pack, const struct job *job)
{
    msgpack_uint(pack, job->item->rdev);
}

/* What was read, which is what Borg notes, and not what the directory entry promised. */
static void pack_size(struct msgpack *pack, const struct job *job)
{
    uint64_t bytes = job->item->unlisted.bytes;

    for (size_t i = 0; i < job->item->chunk_count; i++) {
        bytes += job->item->chunks[i].bytes;
    }
    msgpack_uint(pack, bytes);
}

static void pack_source(struct msgpack *pack, const struct job *job)
{
    msgpack_text(pack, is_symlink(job) ? job->item->link_target : job->source);
}

static void pack_uid(struct msgpack *pack, const struct job *job)
{
    msgpack_uint(pack, job->item->uid);
}

static void pack_user(struct msgpack *pack, const struct job *job)
{
    msgpack_text(pack, job->item->user);
}

/* In the order of the keys. */
static const struct {
    const char *key;
    /* NULL: every item has it. */
    bool (*is_present)(const struct job *job);
    void (*pack)(struct msgpack *pack, const struct job *job);
} fields[] = {
    {"acl_access", has_acl_access, pack_acl_access},
    {"acl_default", has_acl_default, pack_acl_default},
    {"bsdflags", has_flags, pack_flags},
    {"chunks", has_content, pack_chunks},
    {"ctime", has_ctime, pack_ctime},
    {"gid", NULL, pack_gid},
    {"group", NULL, pack_group},
    {"hardlink_master", has_master, pack_master},
    {"mode", NULL, pack_mode},
    {"mtime", NULL, pack_mtime},
    {"path", NULL, pack_path},
    {"rdev", has_rdev, pack_rdev},
    {"size", has_content, pack_size},
    {"source", has_source, pack_source},
    {"uid", NULL, pack_uid},
    {"user", NULL, pack_user},
    {"xattrs", has_xattrs, pack_xattrs},
};

#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static size_t pack_job(const struct job *job, uint8_t *out)
{
    struct msgpack pack = {.out = out};
    size_t present = 0;

    for (size_t i = 0; i < FIELD_COUNT; i++) {
        present += fields[i].is_present == NULL || fields[i].is_present(job) ? 1 : 0;
    }

    msgpack_map(&pack, present);
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].is_present == NULL || fields[i].is_present(job)) {
            msgpack_text(&pack, fields[i].key);
            fields[i].pack(&pack, job);
        }
    }
    return pack.length;
}

size_t borg1_pack_item(const struct record_item *item, const char *path, const char *source,
                       uint64_t (*csize)(void *ctx, const struct record_chunk_ref *chunk),
                       void *ctx, uint8_t *out, size_t out_bytes)
{
    const struct job job = {
        .item = item, .path = path, .source = source, .csize = csize, .ctx = ctx};
    size_t length = pack_job(&job, NULL);

    if (out != NULL && length <= out_bytes) {
        pack_job(&job, out);
    }
    return length;
}
