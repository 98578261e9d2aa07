/* SPDX-License-Identifier: BSD-2-Clause */
/* What -v adds: what the sizes and times rest on. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "report/parts.h"

/* "50 MB/s", or what stands for a rate of 0. */
static const char *format_rate(const struct report_text *text, double rate, const char *none,
                               char *out, size_t room)
{
    if (rate > 0 && rate < 1e18) {
        char size[UNITS_TEXT_MAX];
        (void)snprintf(out, room, "%s/s", report_bytes(text, (uint64_t)rate, 3, size));
    } else {
        (void)snprintf(out, room, "%s", none);
    }
    return out;
}

static void print_repository(const struct report_text *text, const struct cadv_result *result)
{
    const struct cadv_options *o = &result->options;
    char archive[256];
    char user[128];
    char host[128];
    escape_copy(o->archive_name, report_path_flags(text), archive, sizeof archive);
    escape_copy(result->username, report_path_flags(text), user, sizeof user);
    escape_copy(result->hostname, report_path_flags(text), host, sizeof host);
    report_paragraph(text, 4,
                     "Assumed of the repository: made by 'borg init --encryption %s', holding "
                     "one archive '%s' made by %s on %s with the command printed, and no "
                     "checkpoints.%s",
                     o->encryption, archive, user, host,
                     strcmp(o->encryption, "none") == 0
                         ? ""
                         : " Cuts depend on its key; intervals say how far keys differ.");
}

/* The longest run is the one with most of them. */
static void print_checkpoints(const struct report_text *text, const struct cadv_result *result)
{
    const struct cadv_row *most = NULL;
    for (size_t i = 0; i < result->row_count; i++) {
        const struct cadv_row *row = &result->rows[i];
        if (row->checkpoints > 0 && (most == NULL || row->checkpoints > most->checkpoints)) {
            most = row;
        }
    }
    if (most != NULL) {
        char count[UNITS_TEXT_MAX];
        char size[UNITS_TEXT_MAX];
        report_paragraph(text, 4,
                         "Runs of more than 30 minutes also leave checkpoints until 'borg "
                         "compact': at %s, the longest, %s of them, %s together.",
                         most->name, cadv_count_format(most->checkpoints, count),
                         report_bytes(text, most->checkpoint_bytes, 3, size));
    }
}

void report_assumptions(const struct report_text *text, const struct cadv_result *result)
{
    const struct cadv_options *o = &result->options;
    char a[48];
    char b[48];
    char c[48];
    (void)fputc('\n', text->out);
    report_paragraph(
        text, 4,
        "Assumed: reading %s, writing %s, uplink %s; storage %g per GB-month for %g "
        "months, CPU %g per core-hour.",
        format_rate(text, o->read_rate, "as measured", a, sizeof a),
        format_rate(text, o->write_rate, "as measured", b, sizeof b),
        format_rate(text, o->uplink_rate, "none", c, sizeof c), o->storage_price,
        o->keep_months, o->cpu_price);
    print_repository(text, result);
    print_checkpoints(text, result);
    char chunker[CADV_CHUNKER_TEXT_MAX];
    report_paragraph(text, 4,
                     "Used: chunker %s, seed %lu; sample budget %s of zstd,19, salt %llu; peak "
                     "memory %s.",
                     cadv_chunker_format(&o->chunker, chunker), (unsigned long)o->chunker.seed,
                     report_bytes(text, o->sample_budget_bytes, 3, a),
                     (unsigned long long)result->sample.salt,
                     report_bytes(text, result->timing.peak_memory_bytes, 3, b));
}
