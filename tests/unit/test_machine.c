/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/unit.h"
#include "trial/machine.h"

#define MIB ((size_t)1024 * 1024)

/* Little data is not worth half a second; more than 16 MiB make nothing steadier. */
static void the_sample_grows_with_the_data(void **state)
{
    (void)state;
    assert_int_equal(machine_sample_bytes(0), MIB);
    assert_int_equal(machine_sample_bytes(16 * MIB), MIB);
    assert_int_equal(machine_sample_bytes(80 * MIB), 5 * MIB);
    assert_int_equal(machine_sample_bytes(256 * MIB), 16 * MIB);
    assert_int_equal(machine_sample_bytes(UINT64_MAX), 16 * MIB);
    /* It is filled word by word. */
    assert_int_equal(machine_sample_bytes(80 * MIB + 37) % sizeof(uint64_t), 0);
}

static void every_rate_is_measured_on_any_sample(void **state)
{
    (void)state;
    struct cadv_chunker_params chunker = cadv_chunker_default();
    const size_t samples[] = {MIB, 3 * MIB + 8};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct machine_rates rates = {0};
        assert_int_equal(machine_measure(&chunker, "/tmp", samples[i], &rates, NULL), CADV_OK);
        assert_int_equal(rates.sample_bytes, samples[i]);
        const double measured[] = {rates.cutter, rates.sha256, rates.hmac_sha256, rates.blake2b,
                                   rates.aes,    rates.crc32,  rates.copy};
        for (size_t rate = 0; rate < sizeof measured / sizeof measured[0]; rate++) {
            /* From an instrumented cutter to a cache. */
            assert_true(measured[rate] > 1e5 && measured[rate] < 1e12);
        }
        assert_true(rates.write >= 0.0 && rates.fsync_s >= 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_grows_with_the_data),
        cmocka_unit_test(every_rate_is_measured_on_any_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
