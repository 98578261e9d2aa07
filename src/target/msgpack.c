/* SPDX-License-Identifier: BSD-2-Clause */
/* msgpack.c - see https://github.com/msgpack/msgpack/blob/master/spec-old.md */
#include "target/msgpack.h"

#include <string.h>

/* Leading bytes of the types in use. */
enum {
    TAG_FIXMAP = 0x80,
    TAG_FIXARRAY = 0x90,
    TAG_FIXRAW = 0xa0,
    TAG_NIL = 0xc0,
    TAG_FALSE = 0xc2,
    TAG_TRUE = 0xc3,
    TAG_UINT8 = 0xcc,
    TAG_UINT16 = 0xcd,
    TAG_UINT32 = 0xce,
    TAG_UINT64 = 0xcf,
    TAG_RAW16 = 0xda,
    TAG_RAW32 = 0xdb,
    TAG_ARRAY16 = 0xdc,
    TAG_ARRAY32 = 0xdd,
    TAG_MAP16 = 0xde,
    TAG_MAP32 = 0xdf
};

static void put_bytes(struct msgpack *pack, const void *data, size_t bytes)
{
    if (pack->out != NULL && bytes > 0) {
        memcpy(pack->out + pack->length, data, bytes);
    }
    pack->length += bytes;
}

/* A leading byte, then `value` in `bytes` bytes, most significant first. */
static void put_tagged(struct msgpack *pack, int tag, uint64_t value, size_t bytes)
{
    uint8_t buffer[9];

    buffer[0] = (uint8_t)tag;
    for (size_t i = 0; i < bytes; i++) {
        buffer[1 + i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
    }
    put_bytes(pack, buffer, 1 + bytes);
}

/* The head of a byte string or container: the count rides in the tag below `fix_limit`. */
static void put_head(struct msgpack *pack, size_t count, size_t fix_limit, int fix_tag,
                     int tag16, int tag32)
{
    if (count < fix_limit) {
        put_tagged(pack, fix_tag | (int)count, 0, 0);
    } else if (count <= UINT16_MAX) {
        put_tagged(pack, tag16, count, 2);
    } else {
        put_tagged(pack, tag32, count, 4);
    }
}

void msgpack_nil(struct msgpack *pack)
{
    put_tagged(pack, TAG_NIL, 0, 0);
}

void msgpack_bool(struct msgpack *pack, bool value)
{
    put_tagged(pack, value ? TAG_TRUE : TAG_FALSE, 0, 0);
}

void msgpack_uint(struct msgpack *pack, uint64_t value)
{
    if (value < 128) {
        put_tagged(pack, (int)value, 0, 0);
    } else if (value <= UINT8_MAX) {
        put_tagged(pack, TAG_UINT8, value, 1);
    } else if (value <= UINT16_MAX) {
        put_tagged(pack, TAG_UINT16, value, 2);
    } else if (value <= UINT32_MAX) {
        put_tagged(pack, TAG_UINT32, value, 4);
    } else {
        put_tagged(pack, TAG_UINT64, value, 8);
    }
}

void msgpack_raw(struct msgpack *pack, const void *data, size_t bytes)
{
    put_head(pack, bytes, 32, TAG_FIXRAW, TAG_RAW16, TAG_RAW32);
    put_bytes(pack, data, bytes);
}

void msgpack_text(struct msgpack *pack, const char *text)
{
    if (text == NULL) {
        msgpack_nil(pack);
    } else {
        msgpack_raw(pack, text, strlen(text));
    }
}

void msgpack_array(struct msgpack *pack, size_t members)
{
    put_head(pack, members, 16, TAG_FIXARRAY, TAG_ARRAY16, TAG_ARRAY32);
}

void msgpack_map(struct msgpack *pack, size_t pairs)
{
    put_head(pack, pairs, 16, TAG_FIXMAP, TAG_MAP16, TAG_MAP32);
}

size_t msgpack_uint_bytes(uint64_t value)
{
    struct msgpack count = {0};

    msgpack_uint(&count, value);
    return count.length;
}
