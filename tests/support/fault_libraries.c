/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of libraries that faults.so stands before; see faults.c. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <jansson.h>
#include <libsmartcols/libsmartcols.h>
#include <lzma.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdarg.h>
#include <stdio.h>
#include <zlib.h>

#include "support/faults.h"

/* --- what the machine is measured by, only made shorter --- */

static size_t shortened(const void *caller, size_t bytes)
{
    bool is_measured = fault_is_program(caller) && bytes > FAULT_MEASURED_MAX_BYTES;
    return is_measured ? FAULT_MEASURED_MAX_BYTES : bytes;
}

int EVP_Digest(const void *data, size_t bytes, unsigned char *digest, unsigned *digest_bytes,
               const EVP_MD *type, ENGINE *engine)
{
    return NEXT(EVP_Digest)(data, shortened(CALLER, bytes), digest, digest_bytes, type, engine);
}

unsigned char *HMAC(const EVP_MD *type, const void *key, int key_bytes,
                    const unsigned char *data, size_t bytes, unsigned char *digest,
                    unsigned *digest_bytes)
{
    return NEXT(HMAC)(type, key, key_bytes, data, shortened(CALLER, bytes), digest,
                      digest_bytes);
}

int EVP_EncryptUpdate(EVP_CIPHER_CTX *context, unsigned char *out, int *out_bytes,
                      const unsigned char *data, int bytes)
{
    return NEXT(EVP_EncryptUpdate)(context, out, out_bytes, data,
                                   (int)shortened(CALLER, (size_t)bytes));
}

uLong crc32(uLong before, const Bytef *data, uInt bytes)
{
    return NEXT(crc32)(before, data, (uInt)shortened(CALLER, bytes));
}

/* --- what runs out of memory --- */

FORWARD(EVP_CIPHER_CTX *, NULL, EVP_CIPHER_CTX_new, (void), ())
FORWARD(struct archive *, NULL, archive_read_new, (void), ())
FORWARD(struct archive_entry *, NULL, archive_entry_new, (void), ())
FORWARD(size_t, (size_t)-64 /* ZSTD_error_memory_allocation */, ZSTD_compress,
        (void *out, size_t room, const void *in, size_t bytes, int level),
        (out, room, in, bytes, level))
FORWARD(size_t, (size_t)-64, ZSTD_decompress,
        (void *out, size_t room, const void *in, size_t bytes), (out, room, in, bytes))
FORWARD(int, Z_MEM_ERROR, deflateInit_,
        (z_stream * stream, int level, const char *version, int stream_bytes),
        (stream, level, version, stream_bytes))
FORWARD(int, Z_MEM_ERROR, uncompress, (Bytef * out, uLongf *room, const Bytef *in, uLong bytes),
        (out, room, in, bytes))
FORWARD(lzma_ret, LZMA_MEM_ERROR, lzma_easy_encoder,
        (lzma_stream * stream, uint32_t preset, lzma_check check), (stream, preset, check))
FORWARD(lzma_ret, LZMA_MEM_ERROR, lzma_stream_buffer_decode,
        (uint64_t * limit, uint32_t flags, const lzma_allocator *allocator, const uint8_t *in,
         size_t *in_at, size_t in_bytes, uint8_t *out, size_t *out_at, size_t out_bytes),
        (limit, flags, allocator, in, in_at, in_bytes, out, out_at, out_bytes))
FORWARD(struct libscols_table *, NULL, scols_new_table, (void), ())
FORWARD(struct libscols_column *, NULL, scols_table_new_column,
        (struct libscols_table * table, const char *name, double width, int flags),
        (table, name, width, flags))
FORWARD(struct libscols_line *, NULL, scols_table_new_line,
        (struct libscols_table * table, struct libscols_line *parent), (table, parent))
FORWARD(int, -errno, scols_line_set_data,
        (struct libscols_line * line, size_t column, const char *text), (line, column, text))
FORWARD(int, -errno, scols_line_set_color, (struct libscols_line * line, const char *color),
        (line, color))
FORWARD(int, -errno, scols_column_set_safechars,
        (struct libscols_column * column, const char *safe), (column, safe))
FORWARD(int, -errno, scols_print_table_to_string, (struct libscols_table * table, char **text),
        (table, text))
FORWARD(json_t *, NULL, json_object, (void), ())
FORWARD(json_t *, NULL, json_array, (void), ())
FORWARD(json_t *, NULL, json_integer, (json_int_t value), (value))
FORWARD(json_t *, NULL, json_real, (double value), (value))
FORWARD(json_t *, NULL, json_string, (const char *value), (value))
FORWARD(int, -1, json_object_update, (json_t * object, json_t *other), (object, other))
FORWARD(int, -1, json_dumpf, (const json_t *json, FILE *out, size_t flags), (json, out, flags))

static int fail_archive(struct archive *reader)
{
    archive_set_error(reader, errno, "made to fail");
    return ARCHIVE_FATAL;
}

int archive_read_open1(struct archive *reader)
{
    return fault_hits("archive_read_open1", CALLER) ? fail_archive(reader)
                                                    : NEXT(archive_read_open1)(reader);
}

int archive_read_next_header2(struct archive *reader, struct archive_entry *entry)
{
    return fault_hits("archive_read_next_header2", CALLER)
               ? fail_archive(reader)
               : NEXT(archive_read_next_header2)(reader, entry);
}

int archive_read_data_block(struct archive *reader, const void **block, size_t *bytes,
                            la_int64_t *offset)
{
    return fault_hits("archive_read_data_block", CALLER)
               ? fail_archive(reader)
               : NEXT(archive_read_data_block)(reader, block, bytes, offset);
}

/* These take over what they are given, whether they fail or not. */
int json_array_append_new(json_t *array, json_t *value)
{
    if (fault_hits("json_array_append_new", CALLER)) {
        json_decref(value);
        return -1;
    }
    return NEXT(json_array_append_new)(array, value);
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    if (fault_hits("json_object_set_new", CALLER)) {
        json_decref(value);
        return -1;
    }
    return NEXT(json_object_set_new)(object, key, value);
}

json_t *json_pack(const char *format, ...)
{
    bool is_failing = fault_hits("json_pack", CALLER);
    va_list args;
    va_start(args, format);
    json_t *made = json_vpack_ex(NULL, 0, format, args);
    va_end(args);
    if (is_failing) {
        json_decref(made);
        return NULL;
    }
    return made;
}

json_t *json_sprintf(const char *format, ...)
{
    if (fault_hits("json_sprintf", CALLER)) {
        return NULL;
    }
    va_list args;
    va_start(args, format);
    json_t *made = json_vsprintf(format, args);
    va_end(args);
    return made;
}
