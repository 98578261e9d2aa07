/* SPDX-License-Identifier: BSD-2-Clause */
/* test_units.c - how numbers are written and read. Expected texts are worked by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "support/unit.h"

static void assert_bytes(uint64_t bytes, unsigned digits, const char *expected)
{
    char text[UNITS_TEXT_MAX];
    assert_string_equal(units_format_bytes(bytes, digits, text), expected);
}

static void a_size_has_three_digits_and_the_fitting_unit(void **state)
{
    (void)state;
    assert_bytes(0, 3, "0 B");
    assert_bytes(1, 3, "1 B");
    assert_bytes(999, 3, "999 B");
    assert_bytes(1000, 3, "1.00 kB");
    assert_bytes(1234567890, 3, "1.23 GB");
    assert_bytes(12345678, 3, "12.3 MB");
    assert_bytes(920000000000, 3, "920 GB");
    assert_bytes(1500000000000000, 3, "1.50 PB");
    assert_bytes(UINT64_MAX, 3, "18.4 EB");
    assert_bytes(UINT64_MAX, 15, "18.4467440737096 EB");
}

static void a_size_that_rounds_up_moves_to_the_next_unit(void **state)
{
    (void)state;
    assert_bytes(999499, 3, "999 kB");
    assert_bytes(999500, 3, "1.00 MB");
    assert_bytes(999999, 3, "1.00 MB");
    assert_bytes(999999999999, 3, "1.00 TB");
    assert_bytes(9995, 3, "10.0 kB");
    assert_bytes(999999, 6, "999.999 kB");
}

static void more_digits_show_all_of_a_small_number(void **state)
{
    (void)state;
    assert_bytes(1234, 5, "1.234 kB");
    assert_bytes(1234567, 5, "1.2346 MB");
}

static void assert_interval(uint64_t est, uint64_t lo, uint64_t hi, const char *value,
                            const char *margin, const char *unit)
{
    struct units_interval parts;
    units_split_interval(est, lo, hi, 4, &parts);
    assert_string_equal(parts.value, value);
    assert_string_equal(parts.margin, margin);
    assert_string_equal(parts.unit, unit);
}

#define G 1000000000ULL

static void no_digit_is_finer_than_the_interval(void **state)
{
    (void)state;
    assert_interval(920 * G, 912 * G, 928 * G, "920", "8", "GB");
    assert_interval(920400000000, 912400000000, 928400000000, "920", "9", "GB");
    assert_interval(1234567890, 1226567890, 1242567890, "1.235", "0.009", "GB");
    assert_interval(920 * G, 900 * G, 940 * G, "920", "20", "GB");
    assert_interval(12345678900, 12265678900, 12425678900, "12.35", "0.09", "GB");
}

static void an_exact_size_has_more_digits_and_no_margin(void **state)
{
    (void)state;
    assert_interval(1234567890, 1234567890, 1234567890, "1.2346", "", "GB");
    assert_interval(0, 0, 0, "0", "", "B");
    assert_interval(12345, 12345, 12345, "12.345", "", "kB");
}

static void a_hair_wide_interval_does_not_add_digits(void **state)
{
    (void)state;
    assert_interval(1234567890, 1234567889, 1234567891, "1.235", "0.001", "GB");
}

static void an_interval_wider_than_its_estimate_keeps_one_unit(void **state)
{
    (void)state;
    assert_interval(400000000, 0, 5 * G, "0", "5", "GB");
    assert_interval(0, 0, 7, "0", "7", "B");
    assert_interval(UINT64_MAX / 2, 0, UINT64_MAX, "9", "10", "EB");
}

static uint64_t random_state = 1;

/* splitmix64. */
static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static void what_is_printed_always_covers_the_interval(void **state)
{
    (void)state;
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    for (int i = 0; i < 20000; i++) {
        uint64_t est = (next_random() >> 2) >> (next_random() % 62);
        uint64_t lo = est - (est >> (next_random() % 20)) % (est + 1);
        uint64_t hi = est + (est >> (next_random() % 20));
        struct units_interval parts;
        units_split_interval(est, lo, hi, 4, &parts);
        long double scale = 1;
        for (size_t u = 0; strcmp(units[u], parts.unit) != 0; u++) {
            scale *= 1000;
        }
        long double value = strtold(parts.value, NULL) * scale;
        long double margin = strtold(parts.margin, NULL) * scale;
        if (lo != hi) {
            assert_true(value - margin <= (long double)lo * (1 + 1e-15L));
            assert_true(value + margin >= (long double)hi * (1 - 1e-15L));
            /* The same decimals on both sides. */
            assert_int_equal(strlen(strchrnul(parts.value, '.')),
                             strlen(strchrnul(parts.margin, '.')));
        } else {
            assert_string_equal(parts.margin, "");
        }
    }
}

static void assert_seconds(double seconds, const char *prose, const char *compact)
{
    char text[UNITS_TEXT_MAX];
    assert_string_equal(cadv_seconds_format(seconds, false, text), prose);
    assert_string_equal(cadv_seconds_format(seconds, true, text), compact);
}

static void durations_are_as_fine_as_they_are_useful(void **state)
{
    (void)state;
    assert_seconds(0, "0 s", "0s");
    assert_seconds(0.001, "<0.1 s", "<0.1s");
    assert_seconds(0.8, "0.8 s", "0.8s");
    assert_seconds(9.94, "9.9 s", "9.9s");
    assert_seconds(9.96, "10 s", "10s");
    assert_seconds(41.2, "41 s", "41s");
    assert_seconds(59.4, "59 s", "59s");
    assert_seconds(59.6, "1 min 0 s", "1m00s");
    assert_seconds(545, "9 min 5 s", "9m05s");
    assert_seconds(599.7, "10 min", "10m");
    assert_seconds(780, "13 min", "13m");
    assert_seconds(3599, "1 h 0 min", "1h00m");
    assert_seconds(7980, "2 h 13 min", "2h13m");
    assert_seconds(48000, "13 h 20 min", "13h");
    assert_seconds(273600, "3 d 4 h", "3d4h");
    assert_seconds(86400.0 * 40, "40 d", "40d");
    assert_seconds(86400.0 * 365 * 12, "12 y", "12y");
    assert_seconds(NAN, "unknown", "-");
    assert_seconds(-1, "unknown", "-");
    assert_seconds(INFINITY, "unknown", "-");
}

static void assert_percent(uint64_t part, uint64_t whole, const char *expected)
{
    char text[UNITS_TEXT_MAX];
    assert_string_equal(cadv_percent_format(part, whole, text), expected);
}

static void a_share_is_nothing_or_all_only_when_it_is(void **state)
{
    (void)state;
    assert_percent(0, 0, "-");
    assert_percent(0, 10, "0 %");
    assert_percent(10, 10, "100 %");
    assert_percent(1, 1000000, "<0.1 %");
    assert_percent(999999, 1000000, ">99.9 %");
    assert_percent(INT64_MAX - 1, INT64_MAX, ">99.9 %");
    assert_percent(612, 1000, "61.2 %");
    assert_percent(999, 1000, "99.9 %");
    assert_percent(1, 1000, "0.1 %");
}

static void assert_saving(uint64_t before, uint64_t after, const char *expected)
{
    char text[UNITS_TEXT_MAX];
    assert_string_equal(units_format_saving(before, after, text), expected);
}

static void growth_is_a_negative_saving(void **state)
{
    (void)state;
    assert_saving(0, 5, "-");
    assert_saving(100, 100, "0%");
    assert_saving(1000, 388, "61.2%");
    assert_saving(1000000, 999999, "<0.1%");
    assert_saving(1000000, 1, ">99.9%");
    assert_saving(1000, 0, "100%");
    assert_saving(1000000, 1000001, "-0.1%");
    assert_saving(1000, 1123, "-13%");
    assert_saving(1000, 1042, "-4.2%");
    assert_saving(100, 1099, "-999%");
    assert_saving(100, 1100, "<-999%");
}

static void assert_ratio(uint64_t whole, uint64_t part, const char *expected)
{
    char text[UNITS_TEXT_MAX];
    assert_string_equal(units_format_ratio(whole, part, text), expected);
}

static void a_ratio_has_three_digits(void **state)
{
    (void)state;
    assert_ratio(234, 100, "2.34x");
    assert_ratio(100, 100, "1.00x");
    assert_ratio(0, 100, "0.00x");
    assert_ratio(9999, 1000, "10.0x");
    assert_ratio(2345, 100, "23.5x");
    assert_ratio(99999, 1000, "100x");
    assert_ratio(2345, 1, "2345x");
    assert_ratio(1000000, 1, ">1e4x");
    assert_ratio(5, 0, "-");
}

static void thousands_are_set_apart(void **state)
{
    (void)state;
    char text[UNITS_TEXT_MAX];
    assert_string_equal(cadv_count_format(0, text), "0");
    assert_string_equal(cadv_count_format(999, text), "999");
    assert_string_equal(cadv_count_format(1000, text), "1,000");
    assert_string_equal(cadv_count_format(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

static void sizes_are_read_in_decimal_and_binary_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {{"0", 0},
                 {"1", 1},
                 {"600M", 600000000},
                 {"1.5GB", 1500000000},
                 {"100MiB", 104857600},
                 {"1k", 1000},
                 {"1Ki", 1024},
                 {"1 kB", 1000},
                 {"2tb", 2000000000000},
                 {".5k", 500},
                 {"1.5", 2},
                 {"7B", 7},
                 {"0.1E", 100000000000000000},
                 {"9223372036854775807", INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = 77;
        struct cadv_error err = {0};
        assert_int_equal(cadv_bytes_parse(cases[i].text, &bytes, &err), CADV_OK);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void what_is_not_a_size_is_refused_in_one_line(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        " ",
                                        "-1",
                                        "+1",
                                        "nan",
                                        "inf",
                                        "0x10",
                                        "1e3",
                                        ".",
                                        "M",
                                        "1.2.3",
                                        "10 MBx",
                                        "10MB ",
                                        "1  M",
                                        "1KiBB",
                                        "10Mbit",
                                        "1 i",
                                        "1,5G",
                                        "5\n",
                                        "1iB",
                                        "9223372036854775808",
                                        "18446744073709551616",
                                        "99999999999999999999999",
                                        "20E",
                                        "9.3E"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = 77;
        struct cadv_error err = {0};
        assert_int_equal(cadv_bytes_parse(cases[i], &bytes, &err), CADV_ERR_USAGE);
        assert_int_equal(bytes, 77);
        assert_true(strlen(err.message) > 0);
        assert_null(strchr(err.message, '\n'));
    }
}

static void rates_are_bytes_or_bits_per_second(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double bytes_per_s;
    } cases[] = {
        {"50MB/s", 5e7},       {"50M", 5e7},        {"50 MiB/s", 52428800}, {"10Mbit", 1250000},
        {"10Mbit/s", 1250000}, {"10Mbps", 1250000}, {"1.5Gbit", 187500000}, {"0", 0},
        {"8bit", 1},           {"3B/s", 3},         {"2k/s", 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double rate = -7;
        assert_int_equal(cadv_rate_parse(cases[i].text, &rate, NULL), CADV_OK);
        assert_true(fabs(rate - cases[i].bytes_per_s) <= cases[i].bytes_per_s * 1e-12);
    }
}

static void what_is_not_a_rate_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"",     "-5M",    "nan",   "inf",
                                        "5Mb",  "5Mb/s",  "5MB/h", "5Mbits",
                                        "fast", "5MB/s ", "5/s/s", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double rate = -7;
        struct cadv_error err = {0};
        assert_int_equal(cadv_rate_parse(cases[i], &rate, &err), CADV_ERR_USAGE);
        assert_true(rate == -7);
        assert_true(strlen(err.message) > 0);
    }
    struct cadv_error err = {0};
    double rate;
    assert_int_equal(cadv_rate_parse("5Mb", &rate, &err), CADV_ERR_USAGE);
    assert_non_null(strstr(err.message, "bits or bytes"));
}

static void durations_are_seconds_or_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"90", 90},      {"0.25", 0.25},          {"30s", 30}, {"10m", 600}, {"1.5 h", 5400},
        {"1h30m", 5400}, {"2d3h4m5.5s", 183845.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double seconds = -1.0;
        assert_int_equal(cadv_duration_parse(cases[i].text, &seconds, NULL), CADV_OK);
        assert_true(seconds == cases[i].seconds);
    }
}

static void what_is_not_a_duration_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",    "s",   "-1s", "1x", "10m1h", "1h2", "1m1m",  "nan", "1e3",
        "0x1", "1 2", "0",   "0s", "0h0m",  "1s ", "1h 5m", " 1s", "99999999999999999999s"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double seconds = 0.0;
        struct cadv_error err = {0};
        assert_int_equal(cadv_duration_parse(cases[i], &seconds, &err), CADV_ERR_USAGE);
        assert_true(strlen(err.message) > 0);
    }
}

static void binary_sizes_are_rounded_once(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        unsigned digits;
        const char *text;
    } cases[] = {{0, 3, "0 B"},
                 {1023, 3, "1023 B"},
                 {1024, 3, "1.00 KiB"},
                 {1536, 4, "1.500 KiB"},
                 /* 1023.5 KiB and 1023.4 KiB: the first rounds to a whole unit more. */
                 {1048064, 3, "1.00 MiB"},
                 {1047961, 3, "1023 KiB"},
                 /* 9.996 KiB has three digits as 10.0. */
                 {10236, 3, "10.0 KiB"},
                 {1ULL << 30, 3, "1.00 GiB"},
                 {UINT64_MAX, 4, "16.00 EiB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[UNITS_TEXT_MAX];
        assert_string_equal(
            cadv_bytes_format(cases[i].bytes, CADV_UNITS_IEC, cases[i].digits, text),
            cases[i].text);
    }
    char text[UNITS_TEXT_MAX];
    assert_string_equal(cadv_bytes_format(UINT64_MAX, CADV_UNITS_RAW, 3, text),
                        "18446744073709551615 B");
    assert_string_equal(cadv_bytes_format(1500, CADV_UNITS_SI, 3, text), "1.50 kB");
}

static void a_binary_interval_covers_both_ends(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        uint64_t est = seed >> (8 + seed % 50);
        uint64_t half = est / (1 + (seed >> 20) % 1000);
        struct units_interval parts;
        units_split_binary(est, est - half, est + half, 4, &parts);
        double unit = 1;
        for (const char *name = "BKMGTPE"; *name != parts.unit[0]; name++) {
            unit *= 1024;
        }
        double value = strtod(parts.value, NULL) * unit;
        double margin = half > 0 ? strtod(parts.margin, NULL) * unit : 0;
        if (half > 0) {
            assert_true(value - margin <= (double)(est - half));
            assert_true(value + margin >= (double)(est + half));
            /* And is not wider than rounding both makes it: a step is a tenth of the margin. */
            assert_true(margin <= 2.2 * (double)half + unit / 10);
        }
    }
}

static void a_ratio_shows_no_digit_that_is_noise(void **state)
{
    (void)state;
    char text[UNITS_TEXT_MAX];
    assert_string_equal(units_format_ratio_within(200, 100, 100, 100, text), "2.00x");
    /* 200/90 to 200/110: 2.2 to 1.8. */
    assert_string_equal(units_format_ratio_within(200, 100, 90, 110, text), "2.0x");
    assert_string_equal(units_format_ratio_within(200, 100, 40, 160, text), "2x");
    assert_string_equal(units_format_ratio_within(234, 100, 99, 101, text), "2.34x");
    assert_string_equal(units_format_ratio_within(2340, 10, 10, 10, text), "234x");
    assert_string_equal(units_format_ratio_within(5, 0, 0, 0, text), "-");
}

static void units_are_found_by_name(void **state)
{
    (void)state;
    enum cadv_units units = CADV_UNITS_SI;
    struct cadv_error err;
    assert_int_equal(cadv_units_parse("iec", &units, &err), CADV_OK);
    assert_int_equal(units, CADV_UNITS_IEC);
    assert_int_equal(cadv_units_parse("raw", &units, &err), CADV_OK);
    assert_int_equal(units, CADV_UNITS_RAW);
    assert_int_equal(cadv_units_parse("SI", &units, &err), CADV_ERR_USAGE);
    assert_non_null(strstr(err.message, "si, iec or raw"));
    assert_int_equal(units, CADV_UNITS_RAW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binary_sizes_are_rounded_once),
        cmocka_unit_test(a_binary_interval_covers_both_ends),
        cmocka_unit_test(a_ratio_shows_no_digit_that_is_noise),
        cmocka_unit_test(units_are_found_by_name),
        cmocka_unit_test(a_size_has_three_digits_and_the_fitting_unit),
        cmocka_unit_test(a_size_that_rounds_up_moves_to_the_next_unit),
        cmocka_unit_test(more_digits_show_all_of_a_small_number),
        cmocka_unit_test(no_digit_is_finer_than_the_interval),
        cmocka_unit_test(an_exact_size_has_more_digits_and_no_margin),
        cmocka_unit_test(a_hair_wide_interval_does_not_add_digits),
        cmocka_unit_test(an_interval_wider_than_its_estimate_keeps_one_unit),
        cmocka_unit_test(what_is_printed_always_covers_the_interval),
        cmocka_unit_test(durations_are_as_fine_as_they_are_useful),
        cmocka_unit_test(a_share_is_nothing_or_all_only_when_it_is),
        cmocka_unit_test(growth_is_a_negative_saving),
        cmocka_unit_test(a_ratio_has_three_digits),
        cmocka_unit_test(thousands_are_set_apart),
        cmocka_unit_test(sizes_are_read_in_decimal_and_binary_units),
        cmocka_unit_test(what_is_not_a_size_is_refused_in_one_line),
        cmocka_unit_test(rates_are_bytes_or_bits_per_second),
        cmocka_unit_test(what_is_not_a_rate_is_refused),
        cmocka_unit_test(durations_are_seconds_or_have_units),
        cmocka_unit_test(what_is_not_a_duration_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
