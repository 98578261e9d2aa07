/* SPDX-License-Identifier: BSD-2-Clause */
/* columns.c - the columns by name, which of them are usual, and rows sorted by one of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cells.h"

/* `is_usual`: shown when nothing else is asked for. */
static const struct {
    const char *name;
    const char *title;
    bool is_right;
    bool is_usual;
} columns[CADV_COLUMN_COUNT] = {
    [CADV_COLUMN_LEVEL] = {"level", "level", false, true},
    [CADV_COLUMN_SIZE] = {"size", "repository", true, true},
    [CADV_COLUMN_DATA] = {"data", "data", true, false},
    [CADV_COLUMN_RATIO] = {"ratio", "ratio", true, true},
    [CADV_COLUMN_SAVED] = {"saved", "saved", true, true},
    [CADV_COLUMN_STEP] = {"step", "step", true, true},
    [CADV_COLUMN_CPU] = {"cpu", "CPU", true, true},
    [CADV_COLUMN_CPU_RANGE] = {"cpu-range", "CPU range", true, false},
    [CADV_COLUMN_WALL] = {"wall", "wall", true, true},
    [CADV_COLUMN_CORES] = {"cores", "cores", true, true},
    [CADV_COLUMN_RESTORE] = {"restore", "restore", true, true},
    [CADV_COLUMN_TRIALS] = {"trials", "trials", true, false},
    [CADV_COLUMN_BOTTLENECK] = {"bottleneck", "bottleneck", false, false},
    [CADV_COLUMN_MARKS] = {"marks", "", false, true},
};

const char *cadv_column_name(enum cadv_column column)
{
    return (size_t)column < CADV_COLUMN_COUNT ? columns[column].name : NULL;
}

const char *report_column_title(enum cadv_column column)
{
    return columns[column].title;
}

bool report_column_is_right(enum cadv_column column)
{
    return columns[column].is_right;
}

static enum cadv_status parse_name(const char *name, size_t length, enum cadv_column *column,
                                   struct cadv_error *err)
{
    char known[256] = "";
    for (size_t i = 0; i < CADV_COLUMN_COUNT; i++) {
        if (strlen(columns[i].name) == length && memcmp(name, columns[i].name, length) == 0) {
            *column = (enum cadv_column)i;
            return CADV_OK;
        }
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                       columns[i].name);
    }
    return error_set(err, CADV_ERR_USAGE, "unknown column '%.*s'; there are %s",
                     length < 64 ? (int)length : 64, name, known);
}

enum cadv_status cadv_column_parse(const char *name, enum cadv_column *column,
                                   struct cadv_error *err)
{
    return parse_name(name, strlen(name), column, err);
}

enum cadv_status cadv_columns_parse(const char *names, struct cadv_column_list *list,
                                    struct cadv_error *err)
{
    struct cadv_column_list found = {.count = 0};
    bool is_there[CADV_COLUMN_COUNT] = {false};
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        enum cadv_column column = CADV_COLUMN_LEVEL;
        enum cadv_status status = parse_name(at, length, &column, err);
        if (status != CADV_OK) {
            return status;
        }
        if (is_there[column]) {
            return error_set(err, CADV_ERR_USAGE, "column '%s' is listed twice",
                             columns[column].name);
        }
        is_there[column] = true;
        found.items[found.count++] = column;
        at += length;
        if (*at == '\0') {
            break;
        }
    }
    *list = found;
    return CADV_OK;
}

void report_view_init(struct report_view *view, const struct report_text *text,
                      const struct cadv_result *result)
{
    *view = (struct report_view){.text = text,
                                 .result = result,
                                 .baseline = report_baseline(result),
                                 .size_digits = 4,
                                 .columns = text->options->columns};
    for (size_t i = 0; text->options->columns.count == 0 && i < CADV_COLUMN_COUNT; i++) {
        if (columns[i].is_usual) {
            view->columns.items[view->columns.count++] = (enum cadv_column)i;
        }
    }
    report_order(result, text->options->sort, view->order);
}

const struct cadv_row *report_baseline(const struct cadv_result *result)
{
    for (size_t i = 0; i < result->row_count; i++) {
        const struct cadv_row *row = &result->rows[i];
        if (row->level.codec == CADV_CODEC_NONE && row->level.obfuscate == 0 &&
            report_row_is_known(row)) {
            return row;
        }
    }
    return NULL;
}

bool report_row_is_known(const struct cadv_row *row)
{
    return row->is_exact || row->trial_chunks > 0;
}

/* What a row is sorted by. Columns of words, and levels, keep the order of the result. */
static double sort_key(const struct cadv_result *result, size_t index, enum cadv_column sort)
{
    const struct cadv_row *row = &result->rows[index];
    const struct cadv_row *before = index > 0 ? row - 1 : NULL;
    if (sort == CADV_COLUMN_LEVEL || !report_row_is_known(row)) {
        return sort == CADV_COLUMN_LEVEL ? (double)index : INFINITY;
    }
    double size = (double)row->repository_size.est;
    switch (sort) {
    case CADV_COLUMN_SIZE:
        return size;
    case CADV_COLUMN_RATIO:
    case CADV_COLUMN_SAVED:
        /* Both grow as the size shrinks. */
        return -size;
    case CADV_COLUMN_STEP:
        return before != NULL && report_row_is_known(before) && before->repository_size.est > 0
                   ? 1 - size / (double)before->repository_size.est
                   : INFINITY;
    case CADV_COLUMN_DATA:
        return (double)row->data_size.est;
    case CADV_COLUMN_CPU:
    case CADV_COLUMN_CPU_RANGE:
        return row->cpu_seconds.est;
    case CADV_COLUMN_WALL:
        return row->wall_seconds;
    case CADV_COLUMN_CORES:
        return row->cores;
    case CADV_COLUMN_RESTORE:
        return row->restore_seconds;
    case CADV_COLUMN_TRIALS:
        return (double)row->trial_chunks;
    case CADV_COLUMN_LEVEL:
    case CADV_COLUMN_BOTTLENECK:
    case CADV_COLUMN_MARKS:
    case CADV_COLUMN_COUNT:
        break;
    }
    return 0;
}

/* By insertion: few rows, nearly in order, and those with the same key stay as they are. */
void report_order(const struct cadv_result *result, enum cadv_column sort, size_t *order)
{
    double keys[CADV_LEVELS_MAX];
    for (size_t i = 0; i < result->row_count; i++) {
        double key = sort_key(result, i, sort);
        key = isnan(key) ? INFINITY : key;
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            order[at] = order[at - 1];
        }
        keys[at] = key;
        order[at] = i;
    }
}
