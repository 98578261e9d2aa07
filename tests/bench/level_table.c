/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/level_table.h"

#include <inttypes.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>
#include <zstd.h>

/* Borg's default chunker: cuts from 512 KiB on, each further byte with chance 2^-21. */
#define CUT_MIN_BYTES (512U * 1024U)
#define CUT_MAX_BYTES (8U * 1024U * 1024U)
#define CUT_STEP_BYTES 4096U
#define CUT_CHANCE_OF_2_32 8388608U /* 4096 / 2^21 of 2^32 */

bool table_parse_levels(struct level_table *table, const char *text)
{
    table->level_count = 0;
    while (*text != '\0' && table->level_count < TABLE_LEVELS_MAX) {
        char *end;
        long level = strtol(text, &end, 10);
        if (end == text || level < -131072 || level > 22) {
            return false;
        }
        table->levels[table->level_count++] = (int)level;
        text = *end == ',' ? end + 1 : end;
    }
    return *text == '\0' && table->level_count > 0;
}

static double cpu_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 32);
}

static size_t cut(uint64_t *state, size_t left)
{
    size_t length = CUT_MIN_BYTES;
    while (length < CUT_MAX_BYTES && next_random(state) >= CUT_CHANCE_OF_2_32) {
        length += CUT_STEP_BYTES;
    }
    return length < left ? length : left;
}

static bool is_known(const struct level_table *table, uint64_t digest)
{
    for (size_t i = 0; i < table->row_count; i++) {
        if (table->rows[i].digest == digest) {
            return true;
        }
    }
    return false;
}

static bool add_chunk(struct level_table *table, const char *data, size_t bytes, char *out,
                      size_t out_bytes)
{
    uint64_t digest = XXH3_64bits(data, bytes);
    if (is_known(table, digest)) {
        return true;
    }
    struct table_row *rows = realloc(table->rows, (table->row_count + 1) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    table->rows = rows;

    struct table_row *row = &rows[table->row_count++];
    memset(row, 0, sizeof *row);
    row->digest = digest;
    row->bytes = (uint32_t)bytes;
    for (size_t l = 0; l < table->level_count; l++) {
        double start = cpu_now();
        if (table->levels[l] == 0) {
            row->raw_bytes[l] =
                (uint32_t)LZ4_compress_default(data, out, (int)bytes, (int)out_bytes);
        } else {
            row->raw_bytes[l] =
                (uint32_t)ZSTD_compress(out, out_bytes, data, bytes, table->levels[l]);
        }
        table->cpu_s[l] += cpu_now() - start;
    }
    return true;
}

/* Returns the bytes used of the file, which may be none when it cannot be read. */
static uint64_t add_file(struct level_table *table, const char *path, uint64_t bytes_max)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return 0;
    }
    uint64_t limit = (uint64_t)info.st_size < bytes_max ? (uint64_t)info.st_size : bytes_max;
    char *data = malloc((size_t)limit + 1);
    size_t out_bytes = ZSTD_compressBound(CUT_MAX_BYTES) + CUT_MAX_BYTES / 128;
    char *out = malloc(out_bytes);
    size_t have = data == NULL ? 0 : fread(data, 1, (size_t)limit, file);
    (void)fclose(file);

    uint64_t state = XXH3_64bits(path, strlen(path));
    for (size_t at = 0; out != NULL && at < have;) {
        size_t bytes = cut(&state, have - at);
        if (!add_chunk(table, data + at, bytes, out, out_bytes)) {
            break;
        }
        at += bytes;
    }
    free(data);
    free(out);
    return have;
}

bool table_build(struct level_table *table, char *const *paths, size_t path_count,
                 uint64_t bytes_max)
{
    for (size_t i = 0; i < path_count && bytes_max > 0; i++) {
        bytes_max -= add_file(table, paths[i], bytes_max);
    }
    return table->row_count > 0;
}

bool table_write(const struct level_table *table, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    for (size_t l = 0; l < table->level_count; l++) {
        (void)fprintf(file, "%d%s", table->levels[l], l + 1 < table->level_count ? "," : "\n");
    }
    for (size_t l = 0; l < table->level_count; l++) {
        (void)fprintf(file, "%.6f ", table->cpu_s[l]);
    }
    (void)fprintf(file, "\n");
    for (size_t i = 0; i < table->row_count; i++) {
        const struct table_row *row = &table->rows[i];
        (void)fprintf(file, "%" PRIx64 " %" PRIu32, row->digest, row->bytes);
        for (size_t l = 0; l < table->level_count; l++) {
            (void)fprintf(file, " %" PRIu32, row->raw_bytes[l]);
        }
        (void)fprintf(file, "\n");
    }
    return fclose(file) == 0;
}

static bool read_row(struct level_table *table, const char *line)
{
    struct table_row *rows = realloc(table->rows, (table->row_count + 1) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    table->rows = rows;
    struct table_row *row = &rows[table->row_count++];
    memset(row, 0, sizeof *row);

    char *end;
    row->digest = strtoull(line, &end, 16);
    row->bytes = (uint32_t)strtoul(end, &end, 10);
    for (size_t l = 0; l < table->level_count; l++) {
        row->raw_bytes[l] = (uint32_t)strtoul(end, &end, 10);
    }
    return row->bytes > 0;
}

bool table_read(struct level_table *table, const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    bool is_good = fgets(line, sizeof line, file) != NULL;
    line[strcspn(line, "\n")] = '\0';
    is_good =
        is_good && table_parse_levels(table, line) && fgets(line, sizeof line, file) != NULL;
    char *at = line;
    for (size_t l = 0; is_good && l < table->level_count; l++) {
        table->cpu_s[l] = strtod(at, &at);
    }
    while (is_good && fgets(line, sizeof line, file) != NULL) {
        is_good = read_row(table, line);
    }
    return fclose(file) == 0 && is_good && table->row_count > 0;
}

void table_fini(struct level_table *table)
{
    free(table->rows);
    memset(table, 0, sizeof *table);
}
