/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/level_table.h - every chunk of some real files compressed at every level, once, so that
 * samples of them can be replayed thousands of times.
 *
 * A table is text: a header line of level numbers (0 is lz4), a line of CPU seconds per level,
 * then one line per chunk: digest, bytes and one compressed size per level.
 */
#ifndef BENCH_LEVEL_TABLE_H
#define BENCH_LEVEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_LEVELS_MAX 64

struct table_row {
    uint64_t digest;
    uint32_t bytes;
    uint32_t raw_bytes[TABLE_LEVELS_MAX];
};

struct level_table {
    /** zstd level numbers; 0 stands for lz4. */
    int levels[TABLE_LEVELS_MAX];
    double cpu_s[TABLE_LEVELS_MAX];
    size_t level_count;
    struct table_row *rows;
    size_t row_count;
};

/** Parses "0,1,3,9" into table->levels. False when the text is bad. */
bool table_parse_levels(struct level_table *table, const char *text);

/**
 * Cuts the files into chunks (whole when small, else 512 KiB to 8 MiB with Borg's mean, at
 * positions that come from the name) until `bytes_max`, drops repeated ones, compresses each.
 */
bool table_build(struct level_table *table, char *const *paths, size_t path_count,
                 uint64_t bytes_max);

bool table_write(const struct level_table *table, const char *path);
bool table_read(struct level_table *table, const char *path);
void table_fini(struct level_table *table);

#endif
