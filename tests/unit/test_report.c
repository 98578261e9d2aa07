/* SPDX-License-Identifier: BSD-2-Clause */
/* test_report.c - reports of results made by hand; what must stand in them is worked by hand.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compadvise/report.h"
#include "report/parts.h"
#include "support/result_fixture.h"
#include "support/unit.h"

static struct cadv_result result;

/* The report of the result as it is; the caller frees it. */
static char *render_result(enum cadv_format format, int verbosity)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct cadv_report_options options = cadv_report_options_default();
    options.format = format;
    options.verbosity = verbosity;
    assert_int_equal(cadv_report_write(&result, &options, out, NULL), CADV_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The report of a case; the caller frees it. */
static char *render(const char *name, enum cadv_format format, int verbosity)
{
    assert_true(result_fixture(name, &result));
    return render_result(format, verbosity);
}

static void assert_holds(const char *text, const char *expected)
{
    if (strstr(text, expected) == NULL) {
        fail_msg("'%s' is not in:\n%s", expected, text);
    }
}

/* As assert_holds(), wherever the paragraph is broken into lines. */
static void assert_reads(const char *text, const char *expected)
{
    char *unbroken = strdup(text);
    assert_non_null(unbroken);
    for (char *at = unbroken; (at = strchr(at, '\n')) != NULL;) {
        *at = ' ';
    }
    assert_holds(unbroken, expected);
    free(unbroken);
}

static void assert_lacks(const char *text, const char *unwanted)
{
    if (strstr(text, unwanted) != NULL) {
        fail_msg("'%s' is in:\n%s", unwanted, text);
    }
}

static size_t columns_of(const char *line, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++) {
        columns += ((unsigned char)line[i] & 0xc0) != 0x80;
    }
    return columns;
}

static void use_locale(const char *name)
{
    assert_non_null(setlocale(LC_ALL, name));
}

static void no_line_is_wider_than_80_columns_but_commands_and_paths(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "C.UTF-8"};
    for (size_t l = 0; l < 2; l++) {
        use_locale(locales[l]);
        for (size_t i = 0; result_fixture_names[i] != NULL; i++) {
            char *text = render(result_fixture_names[i], CADV_FORMAT_TABLE, 1);
            for (const char *line = text; *line != '\0';) {
                size_t bytes = strcspn(line, "\n");
                bool may_be_long = strncmp(line, "    borg create", 15) == 0 ||
                                   memmem(line, bytes, "/srv", 4) != NULL;
                if (!may_be_long && columns_of(line, bytes) > 80) {
                    fail_msg("%s, %s: %.*s", locales[l], result_fixture_names[i], (int)bytes,
                             line);
                }
                assert_true(bytes == 0 || line[bytes - 1] != ' ');
                line += bytes + (line[bytes] == '\n' ? 1 : 0);
            }
            free(text);
        }
    }
}

static void the_table_shows_sizes_savings_times_and_marks(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("typical", CADV_FORMAT_TABLE, 0);
    assert_holds(text, "level         repository ratio saved  step  CPU wall cores restore\n");
    /* 2000/1601; 1 - 1100/1601 = 31.3 %; 1 - 920/1601 = 42.5 %; 1 - 920/1100 = 16.4 %. */
    assert_holds(text, "none           1.6010 TB 1.25x     -     -  30m  31m   1.0     25m\n");
    assert_holds(text, "lz4     1.100 ± 0.009 TB 1.82x 31.3% 31.3%  45m  46m   1.0     25m\n");
    assert_holds(text,
                 "zstd,3        920 ± 8 GB 2.17x 42.5% 16.4%  52m  53m   1.0     25m knee "
                 "daily\n");
    assert_holds(text, "zstd,19       660 ± 6 GB 3.03x 58.8% 28.3% 2d4h 2d4h   1.0     25m "
                       "archive\n");
    free(text);
}

static void a_step_that_may_as_well_be_none_is_not_given_a_number(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    assert_true(result_fixture("typical", &result));
    result.rows[2].step.lo = -5;
    char *text = render_result(CADV_FORMAT_TABLE, 0);
    assert_holds(text, "zstd,3        920 ± 8 GB 2.17x 42.5%   ~0%  52m");
    assert_holds(text, "zstd,19       660 ± 6 GB 3.03x 58.8% 28.3%");
    assert_reads(text, "step: with the row above; ~0%: equal within the interval");
    assert_holds(text, "Equal in size within the interval: lz4 and zstd,3.\n");
    free(text);
    result.rows[2].step = (struct cadv_difference){true, 0, 0, 0};
    text = render_result(CADV_FORMAT_TABLE, 0);
    assert_lacks(text, "~0%");
    assert_lacks(text, "Equal in size");
    free(text);
}

static void the_facts_stand_above_the_table(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("typical", CADV_FORMAT_TABLE, 0);
    assert_holds(text, "Read 1,234,567 files of 2.000 TB original size");
    assert_holds(text, "900,000 chunks, 612,345 of them unique");
    assert_holds(text, "1.25x");
    assert_reads(text, "12.5 % of it in chunks under 512 KiB, 18.8 % under 768 KiB");
    assert_holds(text, "4,096 chunks (6.40 GB) tried per level");
    assert_true(strstr(text, "Read 1,234,567") < strstr(text, "level  "));
    free(text);
}

static void below_the_table_stand_choices_with_the_line_to_paste(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("typical", CADV_FORMAT_TABLE, 0);
    assert_holds(text, "Daily: zstd,3; the next step saves less than it costs.\n"
                       "    borg create --compression zstd,3 ::'{hostname}-{now}' /srv\n");
    assert_holds(text, "Archive: zstd,19; the next");
    assert_holds(text, "Knee: zstd,3; the next");
    assert_holds(text, "Second opinion (Kneedle): none.\n");
    assert_holds(text, "Bottleneck: reading from none to zstd,3; compression at zstd,19.\n");
    assert_holds(text, "Never more than 2.003 TB");
    assert_holds(text, "Warning: The data are mostly video.\n");
    assert_lacks(text, "Assumed");
    free(text);
}

static void a_terminal_without_utf_8_gets_ascii_alone(void **state)
{
    (void)state;
    use_locale("C");
    for (size_t i = 0; result_fixture_names[i] != NULL; i++) {
        char *text = render(result_fixture_names[i], CADV_FORMAT_TABLE, 1);
        for (const char *at = text; *at != '\0'; at++) {
            assert_true(*at == '\n' || (*at >= 0x20 && *at < 0x7f));
        }
        free(text);
    }
    char *text = render("typical", CADV_FORMAT_TABLE, 0);
    assert_holds(text, " 920 +-8 GB ");
    free(text);
}

static void verbosity_adds_assumptions_or_leaves_the_table(void **state)
{
    (void)state;
    use_locale("C");
    char *verbose = render("typical", CADV_FORMAT_TABLE, 1);
    assert_holds(verbose, "uplink 1.25 MB/s");
    assert_holds(verbose, "chunker buzhash,19,23,21,4095");
    assert_holds(verbose, "'borg init --encryption none'");
    assert_holds(verbose, "archive 'a' made by somebody on some-host");
    assert_holds(verbose, "zstd,19, the longest, 12 of them, 250 kB together");
    free(verbose);
    char *quiet = render("typical", CADV_FORMAT_TABLE, -1);
    assert_int_equal(strncmp(quiet, "level ", 6), 0);
    assert_lacks(quiet, "Daily");
    assert_lacks(quiet, "Warning");
    free(quiet);
}

static void a_partial_report_says_so_first(void **state)
{
    (void)state;
    use_locale("C");
    for (int verbosity = -1; verbosity <= 1; verbosity++) {
        char *text = render("partial", CADV_FORMAT_TABLE, verbosity);
        assert_int_equal(strncmp(text,
                                 "PARTIAL: stopped by signal 2; figures cover the 12.3 GB "
                                 "read until then",
                                 70),
                         0);
        assert_holds(text, "are\nnot extrapolated to the 4.50 GB or more that were not.");
        free(text);
    }
    char *stopped = render("stopped", CADV_FORMAT_TABLE, 0);
    assert_int_equal(strncmp(stopped, "PARTIAL: stopped by signal 15; everything was read", 50),
                     0);
    free(stopped);
}

static void an_exact_report_has_no_margins(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("exact", CADV_FORMAT_TABLE, 0);
    assert_holds(text, "Sizes are exact");
    assert_holds(text, "zstd,3   920.00 GB 2.17x");
    assert_lacks(text, "±");
    assert_lacks(text, "confidence");
    free(text);
}

static void a_level_that_is_not_offered_says_where(void **state)
{
    (void)state;
    use_locale("C");
    assert_true(result_fixture("typical", &result));
    result.rows[2].is_offered = false;
    result.rows[2].is_dominated = true;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct cadv_report_options options = cadv_report_options_default();
    options.verbosity = -1;
    assert_int_equal(cadv_report_write(&result, &options, out, NULL), CADV_OK);
    assert_int_equal(fclose(out), 0);
    assert_holds(text, " 25m not in\n");
    assert_holds(text, " Borg 1.x\n");
    assert_lacks(text, "dominated");
    free(text);
}

static void long_marks_continue_below_their_row(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("many", CADV_FORMAT_TABLE, -1);
    const char *row = strstr(text, "\nzstd,3 ");
    assert_non_null(row);
    const char *marks = strstr(row, " knee daily\n");
    const char *archive = strstr(row, " archive\n");
    const char *next = strstr(row, "\nzstd,4 ");
    assert_true(marks != NULL && archive != NULL && next != NULL);
    assert_true(marks < archive && archive < next);
    assert_holds(text, " dominated\n");
    free(text);
}

static void nothing_in_a_name_reaches_the_terminal_raw(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("hostile", CADV_FORMAT_TABLE, 0);
    assert_holds(text, "/srv/café /srv/\\xff\\xfe /srv/a\\\\x41 /srv/\\x1b[31mred and 2 more");
    assert_holds(text, "/srv/\\xed\\xa0\\x80 (Permission denied)\n");
    assert_holds(text, "/srv/new\\x0aline\\x09tab (No such file or directory)\n");
    assert_holds(text, "/srv/\\xe2\\x80\\xaetxt.exe\\xc2\\x9b\n");
    assert_reads(text, "1,001 unreadable, 1 vanished, 1 changed");
    assert_holds(text, "  and 1,000 more\n");
    /* The shell's own backslash stays single. */
    assert_holds(text, "    borg create ::a '/srv/a\\x41' '\\xff\\x1b'\n");
    assert_null(strchr(text, '\033'));
    assert_true(mbstowcs(NULL, text, 0) != (size_t)-1);
    free(text);
}

static void what_is_not_known_is_a_dash(void **state)
{
    (void)state;
    use_locale("C.UTF-8");
    char *text = render("unknown", CADV_FORMAT_TABLE, 0);
    assert_holds(text,
                 "lz4              -     -     -     -    -    -     -       - not tried\n");
    assert_holds(text, "zstd,3  920 ± 8 GB 2.17x 42.5%     -  52m  53m     -       - knee");
    assert_lacks(text, "nan");
    assert_lacks(text, "inf ");
    free(text);
}

static void without_rows_there_is_a_sentence_in_place_of_the_table(void **state)
{
    (void)state;
    use_locale("C");
    char *text = render("empty", CADV_FORMAT_TABLE, 0);
    assert_holds(text, "No level was tried");
    assert_holds(text, "Daily: none.");
    assert_lacks(text, "ratio:");
    free(text);
}

static void a_format_is_found_by_name(void **state)
{
    (void)state;
    enum cadv_format format = CADV_FORMAT_TABLE;
    struct cadv_error err;
    assert_int_equal(cadv_format_parse("json", &format, &err), CADV_OK);
    assert_int_equal(format, CADV_FORMAT_JSON);
    assert_int_equal(cadv_format_parse("table", &format, &err), CADV_OK);
    assert_int_equal(format, CADV_FORMAT_TABLE);
    assert_int_equal(cadv_format_parse("xml", &format, &err), CADV_ERR_USAGE);
    assert_holds(err.message, "table, json, csv or markdown");
    assert_int_equal(cadv_format_parse("", &format, &err), CADV_ERR_USAGE);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    static const enum cadv_format formats[] = {CADV_FORMAT_TABLE, CADV_FORMAT_JSON,
                                               CADV_FORMAT_CSV, CADV_FORMAT_MARKDOWN};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        FILE *full = fopen("/dev/full", "w");
        struct cadv_error err;
        assert_non_null(full);
        assert_true(result_fixture("many", &result));
        struct cadv_report_options options = cadv_report_options_default();
        options.format = formats[i];
        assert_int_equal(cadv_report_write(&result, &options, full, &err), CADV_ERR_OUTPUT);
        assert_holds(err.message, "cannot write the report");
        (void)fclose(full);
    }
}

static void only_well_formed_utf_8_is_kept(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        const char *escaped;
    } cases[] = {{"", ""},
                 {"a\xc3\xa9z", "a\xc3\xa9z"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
                 {"\xc0\x80", "\\xc0\\x80"},
                 {"\xe0\x80\x80", "\\xe0\\x80\\x80"},
                 {"\xe2\x82", "\\xe2\\x82"},
                 {"\xc3", "\\xc3"},
                 {"\xed\xbf\xbf", "\\xed\\xbf\\xbf"},
                 {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                 {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
                 {"\x80x\xc3\xa9", "\\x80x\xc3\xa9"},
                 {"\033[0m", "\033[0m"},
                 {"\\", "\\\\"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *escaped = escape_dup(cases[i].bytes, ESCAPE_BACKSLASH);
        assert_non_null(escaped);
        assert_string_equal(escaped, cases[i].escaped);
        free(escaped);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_line_is_wider_than_80_columns_but_commands_and_paths),
        cmocka_unit_test(the_table_shows_sizes_savings_times_and_marks),
        cmocka_unit_test(a_step_that_may_as_well_be_none_is_not_given_a_number),
        cmocka_unit_test(the_facts_stand_above_the_table),
        cmocka_unit_test(below_the_table_stand_choices_with_the_line_to_paste),
        cmocka_unit_test(a_terminal_without_utf_8_gets_ascii_alone),
        cmocka_unit_test(verbosity_adds_assumptions_or_leaves_the_table),
        cmocka_unit_test(a_partial_report_says_so_first),
        cmocka_unit_test(an_exact_report_has_no_margins),
        cmocka_unit_test(a_level_that_is_not_offered_says_where),
        cmocka_unit_test(long_marks_continue_below_their_row),
        cmocka_unit_test(nothing_in_a_name_reaches_the_terminal_raw),
        cmocka_unit_test(what_is_not_known_is_a_dash),
        cmocka_unit_test(without_rows_there_is_a_sentence_in_place_of_the_table),
        cmocka_unit_test(a_format_is_found_by_name),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(only_well_formed_utf_8_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
