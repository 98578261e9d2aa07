/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target/msgpack.h - writing MessagePack in its old form: no `bin` type, and no `str8`, so a
 * byte string of 32 bytes already has a header of three. Borg 1.x packs everything in this
 * form, each value in its shortest spelling.
 *
 * A writer that has no buffer only counts. So the same code that packs a value also tells its
 * length, and the caller makes room between the two passes. Pure; no bounds are checked here.
 */
#ifndef TARGET_MSGPACK_H
#define TARGET_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct msgpack {
    /** Where the next value goes is out + length; NULL: count only. Borrowed. */
    uint8_t *out;
    /** Bytes packed so far. */
    size_t length;
};

void msgpack_nil(struct msgpack *pack);
void msgpack_bool(struct msgpack *pack, bool value);
void msgpack_uint(struct msgpack *pack, uint64_t value);
/** A byte string; at most UINT32_MAX bytes. */
void msgpack_raw(struct msgpack *pack, const void *data, size_t bytes);
/** A byte string ending before the first NUL; NULL is packed as nil. */
void msgpack_text(struct msgpack *pack, const char *text);
/** Heads of containers; the caller packs the members after it (twice as many for a map). */
void msgpack_array(struct msgpack *pack, size_t members);
void msgpack_map(struct msgpack *pack, size_t pairs);

/** Packed length of `value`: 1, 2, 3, 5 or 9. */
size_t msgpack_uint_bytes(uint64_t value);

#endif
