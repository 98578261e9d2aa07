/* SPDX-License-Identifier: BSD-2-Clause */
/* facts.c - what was read, in the words of the field, before any figure that was projected. */
#include <string.h>

#include "base/units.h"
#include "compadvise/version.h"
#include "report/parts.h"

/* More roots than this are counted instead of named. */
enum { ROOTS_SHOWN = 4 };

const char *report_plus_minus(const struct report_text *text)
{
    return text->is_utf8 ? "\xc2\xb1" : "+-";
}

const char *report_bytes(const struct report_text *text, uint64_t bytes, unsigned digits,
                         char *out)
{
    return cadv_bytes_format(bytes, text->options->units, digits, out);
}

/* "stopped by signal 2", "stopped by --max-time": the start of a sentence. */
static const char *stop_cause(const struct cadv_result *result, char *out, size_t room)
{
    static const char *const causes[CADV_STOP_REASONS] = {
        [CADV_STOP_NONE] = "stopped early",
        [CADV_STOP_CALLER] = "stopped early",
        [CADV_STOP_TIME] = "stopped by --max-time",
        [CADV_STOP_CPU] = "stopped by --max-cpu",
        [CADV_STOP_MEMORY] = "stopped by --max-memory",
        [CADV_STOP_INTERIM] = "as asked in between, the run goes on",
    };
    if (result->stop_reason != CADV_STOP_SIGNAL) {
        return causes[result->stop_reason];
    }
    (void)snprintf(out, room, "stopped by signal %d", result->stop_signal);
    return out;
}

void report_partial(const struct report_text *text, const struct cadv_result *result)
{
    if (result->is_complete && result->sample.is_complete) {
        return;
    }
    char storage[64];
    char size[UNITS_TEXT_MAX];
    char unread[UNITS_TEXT_MAX];
    const char *cause = stop_cause(result, storage, sizeof storage);
    if (!result->is_scan_complete) {
        report_paragraph(text, 0,
                         "PARTIAL: %s; figures cover the %s read until then and are not "
                         "extrapolated to the %s%s that were not.",
                         cause, report_bytes(text, result->dataset.original_size, 3, size),
                         report_bytes(text, result->dataset.unread_bytes, 3, unread),
                         result->dataset.is_walk_complete ? "" : " or more");
    } else {
        report_paragraph(text, 0,
                         "PARTIAL: %s; everything was read, but fewer chunks were tried than "
                         "planned, so sizes are less certain%s.",
                         cause, result->is_complete ? "" : " and levels are missing");
    }
    (void)fputc('\n', text->out);
}

static void print_roots(const struct report_text *text, const struct cadv_result *result)
{
    const struct cadv_options *options = &result->options;
    (void)fprintf(text->out, "compadvise %s, %s:", cadv_version(), result->target_title);
    for (size_t i = 0; i < options->path_count && i < ROOTS_SHOWN; i++) {
        (void)fputc(' ', text->out);
        escape_print(text->out, options->paths[i], report_path_flags(text));
    }
    if (options->path_count > ROOTS_SHOWN) {
        (void)fprintf(text->out, " and %zu more", options->path_count - ROOTS_SHOWN);
    }
    (void)fputs("\n\n", text->out);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* "31.0 %", or "between 29.1 % and 33.0 %" for a share that was sampled. */
static void format_share(const struct cadv_interval *share, uint64_t whole, char *out,
                         size_t room)
{
    char lo[UNITS_TEXT_MAX];
    char hi[UNITS_TEXT_MAX];
    if (share->lo == share->hi) {
        (void)snprintf(out, room, "%s", cadv_percent_format(share->est, whole, lo));
        return;
    }
    uint64_t top = share->hi < whole ? share->hi : whole;
    (void)snprintf(out, room, "between %s and %s", cadv_percent_format(share->lo, whole, lo),
                   cadv_percent_format(top, whole, hi));
}

static void append_content(const struct report_text *text, const struct cadv_result *result,
                           char *out, size_t room)
{
    const struct cadv_dataset *d = &result->dataset;
    char a[UNITS_TEXT_MAX];
    char b[UNITS_TEXT_MAX];
    char c[UNITS_TEXT_MAX];
    (void)report_append(out, room, "Read %s file%s of %s original size",
                        cadv_count_format(d->nfiles, a), plural(d->nfiles),
                        report_bytes(text, d->original_size, 4, b));
    if (d->hardlinks > 0) {
        (void)report_append(out, room, " (%s further hard link%s not counted again)",
                            cadv_count_format(d->hardlinks, a), plural(d->hardlinks));
    }
    (void)report_append(out, room, ", cut into %s chunk%s, %s of them unique.",
                        cadv_count_format(d->total_chunks, a), plural(d->total_chunks),
                        cadv_count_format(d->total_unique_chunks, b));
    (void)report_append(out, room, " Deduplicated size: %s",
                        report_bytes(text, d->unique_size, 4, b));
    if (d->unique_size > 0) {
        (void)report_append(out, room, " (dedup factor %s)",
                            units_format_ratio(d->original_size, d->unique_size, c));
        (void)report_append(out, room, "; %s of it in chunks under 512 KiB, ",
                            cadv_percent_format(d->small_chunks[0].bytes, d->unique_size, c));
        (void)report_append(out, room, "%s under 768 KiB",
                            cadv_percent_format(d->small_chunks[1].bytes, d->unique_size, c));
    }
    if (d->unique_size > 0 && d->is_incompressible_known) {
        char share[96];
        format_share(&d->incompressible_bytes, d->unique_size, share, sizeof share);
        (void)report_append(out, room, "; %s in chunks that lz4 does not shrink", share);
    }
    if (d->unique_size > 0 && result->advice.archive.row != CADV_NO_ROW) {
        const struct cadv_row *archive = &result->rows[result->advice.archive.row];
        char share[96];
        format_share(&archive->incompressible_bytes, d->unique_size, share, sizeof share);
        (void)report_append(out, room, ", %s in those that %s does not", share, archive->name);
    }
    (void)report_append(out, room, ".");
}

static void append_sample(const struct report_text *text, const struct cadv_result *result,
                          char *out, size_t room)
{
    const struct cadv_sample *sample = &result->sample;
    char chunks[UNITS_TEXT_MAX];
    char size[UNITS_TEXT_MAX];
    if (sample->is_exact) {
        (void)report_append(out, room,
                            " Sizes are exact: every unique chunk was tried at every level.");
        return;
    }
    (void)report_append(
        out, room,
        " Sampled: up to %s chunk%s (%s) tried per level; intervals hold with %.0f %% "
        "confidence.",
        cadv_count_format(sample->chunks, chunks), plural(sample->chunks),
        report_bytes(text, sample->bytes, 3, size), 100 * sample->confidence);
}

static void append_problems(const struct report_text *text, const struct cadv_dataset *dataset,
                            char *out, size_t room)
{
    if (dataset->problem_count == 0) {
        return;
    }
    char count[UNITS_TEXT_MAX];
    char size[UNITS_TEXT_MAX];
    (void)report_append(
        out, room,
        " Problems with %s file%s (%s):", cadv_count_format(dataset->problem_count, count),
        plural(dataset->problem_count), report_bytes(text, dataset->problem_bytes, 3, size));
    const char *gap = " ";
    for (unsigned kind = 0; kind < CADV_PROBLEM_KINDS; kind++) {
        if (dataset->problem_count_by_kind[kind] > 0) {
            (void)report_append(out, room, "%s%s %s", gap,
                                cadv_count_format(dataset->problem_count_by_kind[kind], count),
                                cadv_problem_kind_name((enum cadv_problem_kind)kind));
            gap = ", ";
        }
    }
    (void)report_append(out, room, ".");
}

static void append_time(const struct cadv_timing *timing, char *out, size_t room)
{
    char total[UNITS_TEXT_MAX];
    char scan[UNITS_TEXT_MAX];
    char trials[UNITS_TEXT_MAX];
    (void)report_append(out, room, " This took %s (scan %s, trials %s of CPU) with %u job%s.",
                        cadv_seconds_format(timing->total_seconds, false, total),
                        cadv_seconds_format(timing->scan_seconds, false, scan),
                        cadv_seconds_format(timing->trial_cpu_seconds, false, trials),
                        timing->jobs, plural(timing->jobs));
}

void report_facts(const struct report_text *text, const struct cadv_result *result)
{
    char facts[2048] = "";
    print_roots(text, result);
    append_content(text, result, facts, sizeof facts);
    append_sample(text, result, facts, sizeof facts);
    append_problems(text, &result->dataset, facts, sizeof facts);
    append_time(&result->timing, facts, sizeof facts);
    report_paragraph(text, 0, "%s", facts);
    (void)fputc('\n', text->out);
}

unsigned report_path_flags(const struct report_text *text)
{
    return ESCAPE_CONTROLS | ESCAPE_BACKSLASH | (text->is_utf8 ? 0 : ESCAPE_NON_ASCII);
}
