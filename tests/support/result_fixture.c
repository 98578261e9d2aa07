/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/result_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define G 1000000000ULL

static const char *const plain_roots[] = {"/srv"};

static struct cadv_row make_row(enum cadv_codec codec, int level, uint64_t est, uint64_t half,
                                double cpu_s)
{
    struct cadv_row row = {
        .level = {.codec = codec, .level = level},
        .data_size = {est - G, est - G - half, est - G + half},
        .repository_size = {est, est - half, est + half},
        .incompressible_bytes = {est / 4, (est - half) / 4, (est + half) / 4},
        .trial_chunks = 4096,
        .trial_bytes = 6400000000,
        .is_exact = half == 0,
        .is_offered = true,
        .cpu_seconds = {cpu_s, cpu_s * 0.98, cpu_s * 1.02},
        .wall_seconds = cpu_s + 60,
        .cores = cpu_s / (cpu_s + 60),
        .restore_seconds = 1500,
        .bottleneck = cpu_s < 4000 ? "reading" : "compression",
        .is_on_hull = true,
    };
    static const char *const formats[] = {"none", "lz4"};
    if (codec == CADV_CODEC_ZSTD) {
        (void)snprintf(row.name, sizeof row.name, "zstd,%d", level);
    } else {
        (void)snprintf(row.name, sizeof row.name, "%s", formats[codec]);
    }
    return row;
}

static void recommend(struct cadv_recommendation *out, size_t row, const char *level)
{
    out->row = row;
    (void)snprintf(out->why, sizeof out->why, "the next step saves less than it costs");
    (void)snprintf(out->command, sizeof out->command,
                   "borg create --compression %s ::'{hostname}-{now}' /srv", level);
}

static void make_typical(struct cadv_result *r)
{
    r->is_complete = true;
    r->is_scan_complete = true;
    r->options = cadv_options_default();
    r->options.paths = plain_roots;
    r->options.path_count = 1;
    r->options.jobs = 2;
    r->options.levels.items[0] = (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 3};
    r->options.levels.items[1] = (struct cadv_level){.codec = CADV_CODEC_ZSTD, .level = 19};
    r->options.levels.count = 2;
    r->options.uplink_rate = 1250000;
    r->target_title = "Borg 1.x";
    (void)snprintf(r->hostname, sizeof r->hostname, "some-host");
    (void)snprintf(r->username, sizeof r->username, "somebody");
    r->dataset = (struct cadv_dataset){
        .nfiles = 1234567,
        .original_size = 2000 * G,
        .total_chunks = 900000,
        .total_unique_chunks = 612345,
        .unique_size = 1600 * G,
        .hardlinks = 1,
        .nitems = 1300000,
        .is_walk_complete = true,
        .small_chunks = {{524288, 1200000, 200 * G}, {786432, 1360000, 300 * G}},
        .incompressible_bytes = {480 * G, 464 * G, 496 * G},
        .is_incompressible_known = true};
    r->sample = (struct cadv_sample){.chunks = 4096,
                                     .bytes = 6400000000,
                                     .is_complete = true,
                                     .confidence = 0.95,
                                     .salt = 7};
    r->rows[0] = make_row(CADV_CODEC_NONE, 0, 1601 * G, 0, 1800);
    r->rows[1] = make_row(CADV_CODEC_LZ4, 0, 1100 * G, 9 * G, 2700);
    r->rows[2] = make_row(CADV_CODEC_ZSTD, 3, 920 * G, 8 * G, 3120);
    r->rows[3] = make_row(CADV_CODEC_ZSTD, 19, 660 * G, 6 * G, 187200);
    for (size_t i = 1; i < 4; i++) {
        int64_t saved =
            (int64_t)(r->rows[i - 1].repository_size.est - r->rows[i].repository_size.est);
        r->rows[i].step =
            (struct cadv_difference){true, saved, saved - (int64_t)G, saved + (int64_t)G};
    }
    r->rows[3].checkpoints = 12;
    r->rows[3].checkpoint_bytes = 250000;
    r->row_count = 4;
    r->upper_bound = 2003 * G;
    recommend(&r->advice.knee, 2, "zstd,3");
    r->advice.beyond_knee = 3;
    r->advice.beyond_knee_step = r->rows[3].step;
    recommend(&r->advice.daily, 2, "zstd,3");
    recommend(&r->advice.archive, 3, "zstd,19");
    r->advice.kneedle.row = CADV_NO_ROW;
    r->timing = (struct cadv_timing){1800.25, 300.5, 2460, 314572800, 2};
    (void)snprintf(r->warnings[0], sizeof r->warnings[0], "The data are mostly video.");
    r->warning_count = 1;
}

static void make_exact(struct cadv_result *r)
{
    for (size_t i = 0; i < r->row_count; i++) {
        struct cadv_row *row = &r->rows[i];
        row->repository_size.lo = row->repository_size.hi = row->repository_size.est;
        row->data_size.lo = row->data_size.hi = row->data_size.est;
        row->step.lo = row->step.hi = row->step.est;
        row->is_exact = true;
    }
    r->sample.is_exact = true;
    r->warning_count = 0;
}

static void make_partial(struct cadv_result *r)
{
    r->is_complete = false;
    r->is_scan_complete = false;
    r->stop_reason = CADV_STOP_SIGNAL;
    r->stop_signal = 2;
    r->sample.is_complete = false;
    r->dataset.is_walk_complete = false;
    r->dataset.unread_bytes = 4500000000;
    r->dataset.original_size = 12300000000;
}

static void make_stopped(struct cadv_result *r)
{
    r->sample.is_complete = false;
    r->stop_reason = CADV_STOP_SIGNAL;
    r->stop_signal = 15;
}

static void make_empty(struct cadv_result *r)
{
    make_partial(r);
    r->dataset = (struct cadv_dataset){0};
    r->sample = (struct cadv_sample){.confidence = 0.95};
    r->row_count = 0;
    r->upper_bound = 0;
    memset(&r->advice, 0, sizeof r->advice);
    r->advice.knee.row = r->advice.daily.row = r->advice.archive.row = CADV_NO_ROW;
    r->advice.kneedle.row = CADV_NO_ROW;
    r->timing = (struct cadv_timing){.jobs = 1};
    r->warning_count = 0;
    r->advice.beyond_knee = CADV_NO_ROW;
}

static void make_one(struct cadv_result *r)
{
    r->rows[0] = r->rows[2];
    r->row_count = 1;
    r->advice.archive.row = CADV_NO_ROW;
    recommend(&r->advice.knee, 0, "zstd,3");
    recommend(&r->advice.daily, 0, "zstd,3");
    r->advice.beyond_knee = CADV_NO_ROW;
}

/* Every column as wide as it gets. */
static void make_many(struct cadv_result *r)
{
    for (int i = 0; i < 150; i++) {
        int level = i < 128 ? i - 128 : i - 127;
        struct cadv_row row =
            make_row(CADV_CODEC_ZSTD, level, 1234567890123, 700000000, 35000 + 60.0 * i);
        row.is_offered = level > 0;
        row.is_dominated = i % 3 == 0;
        if (i % 2 == 0) {
            row.repository_size = (struct cadv_interval){1234567890, 1234567000, 1234568500};
        }
        r->rows[i] = row;
    }
    r->row_count = 150;
    r->dataset.original_size = 100000 * G;
    recommend(&r->advice.knee, 130, "zstd,3");
    recommend(&r->advice.daily, 130, "zstd,3");
    recommend(&r->advice.archive, 130, "zstd,3");
    recommend(&r->advice.kneedle, 130, "zstd,3");
    r->advice.beyond_knee = CADV_NO_ROW;
}

static void make_huge(struct cadv_result *r)
{
    r->dataset.original_size = 9000000 * G;
    r->dataset.unique_size = 8999999 * G;
    r->dataset.small_chunks[0].bytes = 1;
    r->dataset.small_chunks[1].bytes = 1;
    r->dataset.incompressible_bytes =
        (struct cadv_interval){8999999 * G - 1, 8999999 * G - 1, 8999999 * G - 1};
    r->rows[0] = make_row(CADV_CODEC_NONE, 0, 9000001 * G, 0, 86400.0 * 900);
    r->rows[1] = make_row(CADV_CODEC_LZ4, 0, 5000001 * G, 50000 * G, 86400.0 * 9);
    r->upper_bound = INT64_MAX;
}

static void make_hostile(struct cadv_result *r)
{
    static const char *const roots[] = {
        "/srv/caf\xc3\xa9", "/srv/\xff\xfe", "/srv/a\\x41", "/srv/\033[31mred", "/a", "/b"};
    static const char *const excludes[] = {"*\xc0\xaf*"};
    static char surrogate[] = "/srv/\xed\xa0\x80";
    static char newline[] = "/srv/new\nline\ttab";
    static char bidi[] = "/srv/\xe2\x80\xaetxt.exe\xc2\x9b";
    static struct cadv_problem problems[] = {{CADV_PROBLEM_UNREADABLE, EACCES, 0, surrogate},
                                             {CADV_PROBLEM_VANISHED, ENOENT, 12300000, newline},
                                             {CADV_PROBLEM_CHANGED, 0, 5, bidi}};
    r->options.paths = roots;
    r->options.path_count = 6;
    r->options.excludes = excludes;
    r->options.exclude_count = 1;
    r->options.sample_salt = UINT64_MAX;
    r->sample.salt = UINT64_MAX;
    r->dataset.problems = problems;
    r->dataset.problems_listed = 3;
    r->dataset.problem_count = 1003;
    r->dataset.problem_bytes = 12300005;
    r->dataset.problem_count_by_kind[CADV_PROBLEM_UNREADABLE] = 1001;
    r->dataset.problem_count_by_kind[CADV_PROBLEM_VANISHED] = 1;
    r->dataset.problem_count_by_kind[CADV_PROBLEM_CHANGED] = 1;
    (void)snprintf(r->advice.daily.command, sizeof r->advice.daily.command,
                   "borg create ::a '/srv/a\\x41' '\xff\033'");
    (void)snprintf(r->warnings[0], sizeof r->warnings[0], "cut in a character: \xc3");
}

static void make_unknown(struct cadv_result *r)
{
    r->rows[1].trial_chunks = 0;
    r->rows[1].trial_bytes = 0;
    r->rows[1].repository_size = (struct cadv_interval){0};
    r->rows[1].is_offered = false;
    r->rows[2].cores = NAN;
    r->rows[2].restore_seconds = INFINITY;
    r->rows[2].bottleneck = NULL;
    r->dataset.is_incompressible_known = false;
}

static void make_nothing_else(struct cadv_result *r)
{
    (void)r;
}

static const struct {
    const char *name;
    void (*change)(struct cadv_result *result);
} cases[] = {{"typical", make_nothing_else},
             {"exact", make_exact},
             {"partial", make_partial},
             {"stopped", make_stopped},
             {"empty", make_empty},
             {"one", make_one},
             {"many", make_many},
             {"huge", make_huge},
             {"hostile", make_hostile},
             {"unknown", make_unknown}};

const char *const result_fixture_names[] = {"typical", "exact",   "partial", "stopped",
                                            "empty",   "one",     "many",    "huge",
                                            "hostile", "unknown", NULL};

bool result_fixture(const char *name, struct cadv_result *result)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(name, cases[i].name) == 0) {
            memset(result, 0, sizeof *result);
            make_typical(result);
            cases[i].change(result);
            return true;
        }
    }
    return false;
}
