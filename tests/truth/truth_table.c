/* SPDX-License-Identifier: BSD-2-Clause */
#include "truth/truth_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

#define KIB 1024U

const struct truth_probe truth_probes[TRUTH_PROBES] = {
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, 4, 4 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, 4, 16 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, 16, 4 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 1}, 1, 64 * KIB},
    {{.codec = CADV_CODEC_LZ4}, 4, 16 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 3}, 2, 128 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 19}, 2, 128 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 3}, 8, 32 * KIB},
    {{.codec = CADV_CODEC_ZSTD, .level = 19}, 8, 32 * KIB},
};

void truth_levels(struct cadv_level_list *levels)
{
    *levels = (struct cadv_level_list){.count = 0};
    bool is_added = cadv_levels_insert(levels, (struct cadv_level){.codec = CADV_CODEC_LZ4});
    for (int level = -7; level <= 22; level++) {
        struct cadv_level zstd = {.codec = CADV_CODEC_ZSTD, .level = level};
        is_added = is_added && (level == 0 || cadv_levels_insert(levels, zstd));
    }
    CADV_ASSERT(is_added && levels->count == TRUTH_LEVELS);
}

bool truth_table_add(struct truth_table *table, const struct truth_row *row)
{
    struct truth_row *rows =
        array_reserve(table->rows, &table->capacity, table->count + 1, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    table->rows = rows;
    rows[table->count++] = *row;
    return true;
}

/* The columns, as a line: a table made by another version of this file differs in it. */
static void write_head(char *head, size_t head_bytes)
{
    size_t at = (size_t)snprintf(head, head_bytes, "compadvise truth 1, rows of %zu bytes;",
                                 sizeof(struct truth_row));
    for (size_t p = 0; p < TRUTH_PROBES; p++) {
        const struct truth_probe *probe = &truth_probes[p];
        at += (size_t)snprintf(head + at, head_bytes - at, " %d,%d %ux%u;",
                               (int)probe->level.codec, probe->level.level, probe->slices,
                               probe->slice_bytes);
    }
    (void)snprintf(head + at, head_bytes - at, "\n");
}

bool truth_table_begin(FILE *file)
{
    char head[512];
    write_head(head, sizeof head);
    return fputs(head, file) >= 0;
}

bool truth_table_read(struct truth_table *table, const char *path)
{
    char head[512];
    char line[512];
    struct truth_row row;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    write_head(head, sizeof head);
    bool is_good = fgets(line, sizeof line, file) != NULL && strcmp(line, head) == 0;
    while (is_good && fread(&row, sizeof row, 1, file) == 1) {
        is_good = truth_table_add(table, &row);
    }
    return fclose(file) == 0 && is_good;
}

void truth_table_fini(struct truth_table *table)
{
    free(table->rows);
    *table = (struct truth_table){0};
}
