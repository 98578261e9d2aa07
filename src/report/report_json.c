/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_json.c - the report for programs; docs/report.schema.json is its contract.
 *
 * jansson refuses text that is not UTF-8 and numbers that are not finite. Paths are escaped
 * first (a byte that is not part of UTF-8 becomes \xNN, a backslash is doubled, so the name can
 * be recovered); times that are not known are null. A pack that is given a NULL value fails, so
 * one failure anywhere surfaces at the root.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "compadvise/version.h"
#include "report/cells.h"
#include "report/parts.h"

enum { SCHEMA_VERSION = 1 };

/* Enough for what users give, few enough that 0.95 is not printed as 0.94999999999999996. */
enum { REAL_DIGITS = 15 };

/* Files have 63-bit sizes, and no sum of files that exist comes near. */
static json_t *count_json(uint64_t count)
{
    CADV_ASSERT(count <= INT64_MAX);
    return json_integer((json_int_t)count);
}

/* A number the user chose freely; beyond 63 bits it is written as text. */
static json_t *salt_json(uint64_t salt)
{
    if (salt <= INT64_MAX) {
        return json_integer((json_int_t)salt);
    }
    return json_sprintf("%" PRIu64, salt);
}

static json_t *number_json(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

/* Microseconds are finer than any clock used here; more digits would be noise. */
static json_t *seconds_json(double seconds)
{
    return number_json(round(seconds * 1e6) / 1e6);
}

static json_t *escaped_json(const char *bytes, unsigned flags)
{
    char *escaped = escape_dup(bytes, flags);
    json_t *json = escaped != NULL ? json_string(escaped) : NULL;
    free(escaped);
    return json;
}

static json_t *path_json(const char *path)
{
    return escaped_json(path, ESCAPE_BACKSLASH);
}

/* An array of what `item` makes of each index; NULL when one of them failed. */
typedef json_t *(*item_fn)(const struct cadv_result *result, size_t index);
static json_t *array_json(const struct cadv_result *result, size_t count, item_fn item)
{
    json_t *array = json_array();
    for (size_t i = 0; array != NULL && i < count; i++) {
        if (json_array_append_new(array, item(result, i)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *root_item(const struct cadv_result *result, size_t index)
{
    return path_json(result->options.paths[index]);
}

static json_t *exclude_item(const struct cadv_result *result, size_t index)
{
    return path_json(result->options.excludes[index]);
}

static json_t *level_item(const struct cadv_result *result, size_t index)
{
    char name[CADV_LEVEL_NAME_MAX];
    return json_string(cadv_level_name(result->options.levels.items[index], name));
}

static json_t *warning_item(const struct cadv_result *result, size_t index)
{
    return escaped_json(result->warnings[index], 0);
}

static json_t *problem_item(const struct cadv_result *result, size_t index)
{
    const struct cadv_problem *problem = &result->dataset.problems[index];
    return json_pack("{s:o, s:s, s:o, s:s?}", "path", path_json(problem->path), "kind",
                     cadv_problem_kind_name(problem->kind), "bytes", count_json(problem->bytes),
                     "error", report_errno_text(problem->saved_errno));
}

static json_t *limit_json(double seconds)
{
    return seconds > 0.0 ? seconds_json(seconds) : json_null();
}

static json_t *options_json(const struct cadv_result *result)
{
    const struct cadv_options *o = &result->options;
    char chunker[CADV_CHUNKER_TEXT_MAX];
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:b, s:i, s:s, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, "
        "s:o, s:o, s:o, s:o, s:o}",
        "target", o->target, "encryption", o->encryption, "archive_name",
        path_json(o->archive_name), "levels", array_json(result, o->levels.count, level_item),
        "baseline", o->has_baseline, "jobs", (int)o->jobs, "chunker_params",
        cadv_chunker_format(&o->chunker, chunker), "chunk_seed", (json_int_t)o->chunker.seed,
        "exact", o->is_exact, "sample_budget_bytes", count_json(o->sample_budget_bytes),
        "sample_salt", salt_json(o->sample_salt), "max_time", limit_json(o->max_time_s),
        "max_cpu", limit_json(o->max_cpu_s), "max_memory_bytes",
        o->max_memory_bytes > 0 ? count_json(o->max_memory_bytes) : json_null(),
        "one_file_system", o->is_one_file_system, "excludes",
        array_json(result, o->exclude_count, exclude_item), "read_rate",
        number_json(o->read_rate), "write_rate", number_json(o->write_rate), "uplink_rate",
        number_json(o->uplink_rate), "storage_price", number_json(o->storage_price),
        "cpu_price", number_json(o->cpu_price), "keep_months", number_json(o->keep_months));
}

static json_t *input_item(const struct cadv_result *result, size_t index)
{
    static const char *const names[] = {[CADV_INPUT_TREE] = "tree",
                                        [CADV_INPUT_ARCHIVE] = "archive",
                                        [CADV_INPUT_STREAM] = "stream"};
    const enum cadv_input *inputs = result->options.inputs;
    return json_string(names[inputs == NULL ? CADV_INPUT_TREE : inputs[index]]);
}

/* Adds what the roots are, and how streams are read. */
static json_t *with_inputs(json_t *options, const struct cadv_result *result)
{
    const struct cadv_options *o = &result->options;
    json_t *inputs = json_pack("{s:o, s:o, s:b, s:o}", "inputs",
                               array_json(result, o->path_count, input_item), "stdin_name",
                               path_json(o->stdin_name), "read_special", o->is_read_special,
                               "max_archive_bytes", count_json(o->archive_max_bytes));
    if (json_object_update(options, inputs) != 0) {
        json_decref(options);
        options = NULL;
    }
    json_decref(inputs);
    return options;
}

static json_t *interval_json(const struct cadv_interval *interval, bool is_known)
{
    if (!is_known) {
        return json_null();
    }
    return json_pack("{s:o, s:o, s:o}", "est", count_json(interval->est), "lo",
                     count_json(interval->lo), "hi", count_json(interval->hi));
}

static json_t *problems_json(const struct cadv_result *result)
{
    const struct cadv_dataset *d = &result->dataset;
    json_t *by_kind = json_object();
    for (unsigned kind = 0; by_kind != NULL && kind < CADV_PROBLEM_KINDS; kind++) {
        if (json_object_set_new(by_kind, cadv_problem_kind_name((enum cadv_problem_kind)kind),
                                count_json(d->problem_count_by_kind[kind])) != 0) {
            json_decref(by_kind);
            return NULL;
        }
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "count", count_json(d->problem_count), "bytes",
                     count_json(d->problem_bytes), "by_kind", by_kind, "listed",
                     array_json(result, d->problems_listed, problem_item));
}

static json_t *small_item(const struct cadv_result *result, size_t index)
{
    const struct cadv_small_chunks *small = &result->dataset.small_chunks[index];
    return json_pack("{s:o, s:o, s:o}", "limit_bytes", count_json(small->limit_bytes), "chunks",
                     count_json(small->chunks), "bytes", count_json(small->bytes));
}

static json_t *dataset_json(const struct cadv_result *result)
{
    const struct cadv_dataset *d = &result->dataset;
    return json_pack(
        "{s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "roots",
        array_json(result, result->options.path_count, root_item), "scan_complete",
        result->is_scan_complete, "walk_complete", d->is_walk_complete, "unread_bytes",
        count_json(d->unread_bytes), "nfiles", count_json(d->nfiles), "nitems",
        count_json(d->nitems), "original_size", count_json(d->original_size), "total_chunks",
        count_json(d->total_chunks), "total_unique_chunks", count_json(d->total_unique_chunks),
        "unique_size", count_json(d->unique_size), "hardlinks", count_json(d->hardlinks),
        "skipped_special", count_json(d->skipped_special), "small_chunks",
        array_json(result, CADV_SMALL_LIMITS, small_item), "incompressible_bytes",
        interval_json(&d->incompressible_bytes, d->is_incompressible_known), "problems",
        problems_json(result));
}

/* What cut the run short; null when nothing did. */
static json_t *stop_json(const struct cadv_result *result)
{
    const char *reason = cadv_stop_reason_name(result->stop_reason);
    if (reason == NULL) {
        return json_null();
    }
    return json_pack("{s:s, s:o}", "reason", reason, "signal",
                     result->stop_signal > 0 ? json_integer(result->stop_signal) : json_null());
}

static json_t *sample_json(const struct cadv_sample *sample)
{
    return json_pack("{s:o, s:o, s:b, s:b, s:o, s:o}", "chunks", count_json(sample->chunks),
                     "bytes", count_json(sample->bytes), "exact", sample->is_exact, "complete",
                     sample->is_complete, "confidence", number_json(sample->confidence), "salt",
                     salt_json(sample->salt));
}

static json_t *seconds_interval_json(const struct cadv_seconds *seconds)
{
    return json_pack("{s:o, s:o, s:o}", "est", seconds_json(seconds->est), "lo",
                     seconds_json(seconds->lo), "hi", seconds_json(seconds->hi));
}

/* By limit, what `item` makes of a row's small chunks. */
static json_t *small_row_json(const struct cadv_row *row,
                              json_t *(*item)(const struct cadv_small_row *small))
{
    json_t *array = json_array();
    for (size_t i = 0; array != NULL && i < CADV_SMALL_LIMITS; i++) {
        if (json_array_append_new(array, item(&row->small_chunks[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *small_size_item(const struct cadv_small_row *small)
{
    return interval_json(&small->data_size, small->is_known);
}

static json_t *small_seconds_item(const struct cadv_small_row *small)
{
    return small->is_known ? seconds_interval_json(&small->compress_seconds) : json_null();
}

static json_t *row_timing_json(const struct cadv_row *row)
{
    if (!report_row_is_known(row)) {
        return json_null();
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:b, s:b, s:o}", "cpu_seconds",
                     seconds_interval_json(&row->cpu_seconds), "wall_seconds",
                     seconds_json(row->wall_seconds), "cores", seconds_json(row->cores),
                     "restore_seconds", seconds_json(row->restore_seconds), "bottleneck",
                     row->bottleneck, "checkpoints", count_json(row->checkpoints),
                     "checkpoint_bytes", count_json(row->checkpoint_bytes), "dominated",
                     row->is_dominated, "on_hull", row->is_on_hull,
                     "small_chunk_compress_seconds", small_row_json(row, small_seconds_item));
}

static json_t *difference_json(const struct cadv_difference *difference)
{
    return json_pack("{s:I, s:I, s:I}", "est", (json_int_t)difference->est, "lo",
                     (json_int_t)difference->lo, "hi", (json_int_t)difference->hi);
}

static json_t *step_json(const struct cadv_result *result, size_t index)
{
    const struct cadv_row *row = &result->rows[index];
    if (index == 0 || !row->step.is_known) {
        return json_null();
    }
    return json_pack("{s:s, s:o}", "over", result->rows[index - 1].name, "saved_bytes",
                     difference_json(&row->step));
}

static json_t *row_item(const struct cadv_result *result, size_t index)
{
    const struct cadv_row *row = &result->rows[index];
    bool is_known = report_row_is_known(row);
    return json_pack(
        "{s:s, s:s, s:i, s:b, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
        row->name, "codec", cadv_codec_name(row->level.codec), "level", row->level.level,
        "auto", row->level.is_auto, "obfuscate", row->level.obfuscate, "exact", row->is_exact,
        "offered", row->is_offered, "data_size", interval_json(&row->data_size, is_known),
        "repository_size", interval_json(&row->repository_size, is_known), "step",
        step_json(result, index), "incompressible_bytes",
        interval_json(&row->incompressible_bytes, is_known), "small_chunk_data_size",
        small_row_json(row, small_size_item), "trial_chunks", count_json(row->trial_chunks),
        "trial_bytes", count_json(row->trial_bytes), "timing", row_timing_json(row));
}

static json_t *recommendation_json(const struct cadv_result *result,
                                   const struct cadv_recommendation *advice)
{
    if (advice->row == CADV_NO_ROW || advice->row >= result->row_count) {
        return json_null();
    }
    return json_pack("{s:s, s:o, s:o}", "level", result->rows[advice->row].name, "why",
                     escaped_json(advice->why, 0), "command", escaped_json(advice->command, 0));
}

static json_t *beyond_json(const struct cadv_result *result)
{
    const struct cadv_advice *advice = &result->advice;
    if (advice->beyond_knee == CADV_NO_ROW || advice->beyond_knee >= result->row_count ||
        !advice->beyond_knee_step.is_known) {
        return json_null();
    }
    return json_pack("{s:s, s:o}", "level", result->rows[advice->beyond_knee].name,
                     "saved_bytes", difference_json(&advice->beyond_knee_step));
}

static json_t *advice_json(const struct cadv_result *result)
{
    const struct cadv_advice *advice = &result->advice;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "knee",
                     recommendation_json(result, &advice->knee), "beyond_knee",
                     beyond_json(result), "kneedle",
                     recommendation_json(result, &advice->kneedle), "daily",
                     recommendation_json(result, &advice->daily), "archive",
                     recommendation_json(result, &advice->archive));
}

static json_t *timing_json(const struct cadv_timing *timing)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:i}", "scan_seconds",
                     seconds_json(timing->scan_seconds), "trial_cpu_seconds",
                     seconds_json(timing->trial_cpu_seconds), "total_seconds",
                     seconds_json(timing->total_seconds), "peak_memory_bytes",
                     count_json(timing->peak_memory_bytes), "jobs", (int)timing->jobs);
}

static json_t *result_json(const struct cadv_result *result)
{
    size_t warning_count =
        result->warning_count < CADV_WARNINGS_MAX ? result->warning_count : CADV_WARNINGS_MAX;
    return json_pack("{s:i, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "schema_version", (int)SCHEMA_VERSION, "version", cadv_version(),
                     "complete", result->is_complete, "stop", stop_json(result), "options",
                     with_inputs(options_json(result), result), "dataset", dataset_json(result),
                     "sample", sample_json(&result->sample), "levels",
                     array_json(result, result->row_count, row_item), "upper_bound",
                     count_json(result->upper_bound), "advice", advice_json(result), "timing",
                     timing_json(&result->timing), "warnings",
                     array_json(result, warning_count, warning_item));
}

enum cadv_status report_write_json(const struct cadv_result *result,
                                   const struct cadv_report_options *options, FILE *out,
                                   struct cadv_error *err)
{
    (void)options;
    json_t *root = result_json(result);
    if (root == NULL) {
        return error_nomem(err, "building the JSON report");
    }
    /* A failed write leaves its mark on the stream, where the caller looks for it. */
    int failed = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
    (void)fputc('\n', out);
    json_decref(root);
    return failed == 0 || ferror(out) != 0 ? CADV_OK
                                           : error_nomem(err, "writing the JSON report");
}
