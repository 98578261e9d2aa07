/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth/truth_table.h - what every unique chunk of a corpus comes to at every level: made once by
 * truth_build (hours of CPU), replayed by truth_replay as often as there are salts.
 *
 * On disk: a line of text that says what the columns are, then a row a chunk, in this machine's byte
 * order. A cache, not a format: whoever reads another line builds anew. Rows come in the order of their
 * digests, which is as good as random, so a table that is not finished holds a fair sample.
 */
#ifndef TRUTH_TRUTH_TABLE_H
#define TRUTH_TRUTH_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "compadvise/level.h"
#include "record/record.h"

/** lz4, zstd,-7 to -1 and zstd,1 to 22. */
#define TRUTH_LEVELS 30

/** Slices of a chunk, evenly spread and put together, compressed by one codec. */
struct truth_probe {
    struct cadv_level level;
    uint32_t slices;
    uint32_t slice_bytes;
};
#define TRUTH_PROBES 9
/** The one that the program uses; the others are what it was chosen from. */
#define TRUTH_PROBE_USED 2
extern const struct truth_probe truth_probes[TRUTH_PROBES];

struct truth_row {
    struct record_digest digest;
    uint32_t bytes;
    uint32_t raw_bytes[TRUTH_LEVELS];
    /** Thread CPU, compression only. */
    float cpu_s[TRUTH_LEVELS];
    uint32_t probe_bytes[TRUTH_PROBES];
    float probe_cpu_s[TRUTH_PROBES];
};

struct truth_table {
    /** Owned. */
    struct truth_row *rows;
    size_t count;
    size_t capacity;
};

/** The levels of every table, in table order. */
void truth_levels(struct cadv_level_list *levels);

/** Adds a row; false when memory ran out. */
bool truth_table_add(struct truth_table *table, const struct truth_row *row);

/** Reads what is there, a last row that is cut short left out; false when it is no such table. */
bool truth_table_read(struct truth_table *table, const char *path);

/** Writes the line that begins a table. */
bool truth_table_begin(FILE *file);

void truth_table_fini(struct truth_table *table);

#endif
