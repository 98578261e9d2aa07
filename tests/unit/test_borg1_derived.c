/* SPDX-License-Identifier: BSD-2-Clause */
/* Borg's choice in auto and the moments of its padding, against the rules told literally. */
#include <math.h>

#include "support/near.h"
#include "support/unit.h"
#include "target/borg1.h"

/* Borg compares payloads, two bytes longer each; 0.97 exactly is not enough. */
static void auto_tries_the_codec_below_97_percent(void **state)
{
    (void)state;
    assert_int_equal(borg1_choose(9998, 9697, 1), RECORD_DEAR);
    assert_int_equal(borg1_choose(9998, 9698, 1), RECORD_CHEAP);
    assert_int_equal(borg1_choose(9998, 9998, 1), RECORD_CHEAP);
    assert_int_equal(borg1_choose(98, 95, 1), RECORD_CHEAP);
    assert_int_equal(borg1_choose(98, 94, 1), RECORD_DEAR);
    assert_int_equal(borg1_choose(1, 1, 0), RECORD_CHEAP);
}

static void auto_keeps_the_codec_below_99_percent_of_lz4(void **state)
{
    (void)state;
    assert_int_equal(borg1_choose(100000, 998, 988), RECORD_CHEAP_AFTER_BOTH);
    assert_int_equal(borg1_choose(100000, 998, 987), RECORD_DEAR);
    assert_int_equal(borg1_choose(100000, 998, 5000), RECORD_CHEAP_AFTER_BOTH);
}

/* P(Z = k) from the edges of U that give k; a brute sum is slow but plain. */
static void relative_padding_has_these_moments(void **state)
{
    const struct {
        int spec;
        uint64_t stored_bytes;
    } cases[] = {{1, 48}, {1, 5}, {1, 1998}, {2, 998}, {3, 98}, {6, 998}, {4, 50000}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double result = (double)cases[i].stored_bytes + 2.0;
        double a = result * 0.001 * pow(10.0, cases[i].spec);
        double limit = 20971479.0 - 1024.0 - result;
        double mean = 0.0;
        double square = 0.0;
        /* U below a/k gives at least k; U is never taken smaller than 0.0001. */
        for (double k = 1.0; k <= limit && k * 0.0001 <= a; k += 1.0) {
            double at_least = fmin(a / k, 1.0);
            double more =
                k + 1.0 <= limit && (k + 1.0) * 0.0001 <= a ? fmin(a / (k + 1.0), 1.0) : 0.0;
            mean += k * (at_least - more);
            square += k * k * (at_least - more);
        }
        struct record_padding padding = borg1_padding(cases[i].stored_bytes, cases[i].spec);
        assert_near(padding.each, 6.0, 0.0);
        assert_near(padding.mean, mean, 1e-6 * mean + 1e-9);
        assert_near(padding.variance, square - mean * mean, 1e-6 * square);
    }
}

static void uniform_padding_has_these_moments(void **state)
{
    (void)state;
    struct record_padding padding = borg1_padding(5000, 110);
    assert_near(padding.each, 6.0 + 1023.0 / 2.0, 1e-9);
    assert_near(padding.mean, 0.0, 1e-9);
    assert_near(padding.variance, (1024.0 * 1024.0 - 1.0) / 12.0, 1e-3);

    /* A result of 20 MB leaves room for 9 bytes less than the 1024 possible ones. */
    padding = borg1_padding(20971479 - 1024 - 2 - 1014, 110);
    double mean = 0.0;
    for (int k = 0; k < 1024; k++) {
        mean += fmin(k, 1014.0) / 1024.0;
    }
    assert_near(padding.each + padding.mean, 6.0 + mean, 1e-9);
    /* Where there is no room at all, nothing is added but the heads. */
    padding = borg1_padding(20971479, 123);
    assert_near(padding.each + padding.mean, 6.0, 1e-6);
    assert_near(padding.variance, 0.0, 1e-9);
}

/* A block of deflate's own kind costs five bytes for each 16 KiB or more; padding has a largest
 * value, which U = 0 and U next to 1 give. */
static void growth_is_the_most_that_can_be_added(void **state)
{
    (void)state;
    struct cadv_level level = {.codec = CADV_CODEC_LZ4};
    assert_int_equal(borg1_growth_bytes(level, 1000, 1000000), 0);
    level = (struct cadv_level){.codec = CADV_CODEC_ZLIB, .level = 6};
    assert_in_range(borg1_growth_bytes(level, 10, 16384000), 5000, 5600);
    level.is_auto = true;
    assert_int_equal(borg1_growth_bytes(level, 10, 16384000), 0);
    level = (struct cadv_level){.codec = CADV_CODEC_NONE, .obfuscate = 110};
    assert_int_equal(borg1_growth_bytes(level, 7, 1000), 7 * (6 + 1023));
    /* 98 bytes and the name's two: a = 1, so Z = 10000 at most. */
    level.obfuscate = 1;
    assert_int_equal(borg1_growth_bytes(level, 1, 98), 6 + 10000);
    /* Borg's own limit, about 20 MB for each chunk. */
    level.obfuscate = 6;
    assert_in_range(borg1_growth_bytes(level, 3, 30000), 3 * 20000000, 3 * 20971479);
    assert_in_range(borg1_growth_bytes(level, UINT64_MAX, UINT64_MAX), 1, UINT64_C(1) << 62);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_tries_the_codec_below_97_percent),
        cmocka_unit_test(auto_keeps_the_codec_below_99_percent_of_lz4),
        cmocka_unit_test(relative_padding_has_these_moments),
        cmocka_unit_test(uniform_padding_has_these_moments),
        cmocka_unit_test(growth_is_the_most_that_can_be_added),
    };
    return cmocka_run_group_tests_name("borg1_derived", tests, NULL, NULL);
}
