/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_borg1_time.c - Borg 1.x as one thread whose stages add up. All rates are powers of ten,
 * so that each stage is a digit of the sum.
 */
#include "support/unit.h"

#include <math.h>

#include "support/borg1_setup.h"
#include "target/borg1.h"

#define NEAR 1e-9

static struct target_setup setup;

static int choose_setup(void **state)
{
    (void)state;
    setup = borg1_setup_of("none", NULL);
    return 0;
}

static struct target_machine machine_of_ones(void)
{
    return (struct target_machine){.read_rate = 1000,
                                   .write_rate = 1000,
                                   .chunker_rate = 1000,
                                   .hash_rate = {1000, 1000, 1000},
                                   .cipher_rate = 1000,
                                   .crc_rate = 1000,
                                   .copy_rate = 1000,
                                   .cores = 8};
}

/* 1000 bytes of content, half of it unique and stored at 100; 100 bytes of items stored at 10.
 */
static struct target_load load_of_thousand(void)
{
    return (struct target_load){.setup = &setup,
                                .content_stored_bytes = 100,
                                .content_unique_chunks = 1,
                                .content_unique_bytes = 500,
                                .content_total_chunks = 2,
                                .content_original_bytes = 1000,
                                .items_stored_bytes = 10,
                                .items_unique_chunks = 1,
                                .items_original_bytes = 100};
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= NEAR)) {
        fail_msg("got %.12g, wanted %.12g", got, wanted);
    }
}

static void every_stage_adds_to_the_wall_time(void **state)
{
    (void)state;
    struct target_machine machine = machine_of_ones();
    struct target_load load = load_of_thousand();

    load.compress_s = 7;
    load.item_count = 5;
    load.file_count = 3;
    machine.startup_s = 0.5;
    machine.item_s = 0.1;
    machine.file_s = 0.2;
    machine.chunk_s = 0.3;
    machine.fsync_s = 0.01;

    struct target_time time = borg1_time(&load, &machine);
    /* start-up, items, files, chunks; cut 1.1, hash 1.1; compress; CRC 0.11, three copies 0.33
     */
    double cpu_s = 0.5 + 0.5 + 0.6 + 0.6 + 1.1 + 1.1 + 7 + 0.11 + 0.33;
    /* read 1, write 0.11, 25 flushes */
    double wait_s = 1 + 0.11 + 0.25;

    assert_near(time.cpu_s, cpu_s);
    assert_near(time.wall_s, cpu_s + wait_s);
    assert_near(time.cores, cpu_s / (cpu_s + wait_s));
    assert_string_equal(time.bottleneck, "compression");
}

static void slowest_stage_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t field;
        double value;
    } cases[] = {
        {"start-up", offsetof(struct target_machine, startup_s), 100},
        {"per-file work", offsetof(struct target_machine, file_s), 100},
        {"per-file work", offsetof(struct target_machine, item_s), 100},
        {"per-file work", offsetof(struct target_machine, chunk_s), 100},
        {"reading", offsetof(struct target_machine, read_rate), 1},
        {"chunking", offsetof(struct target_machine, chunker_rate), 1},
        {"id hash", offsetof(struct target_machine, hash_rate), 1},
        {"writing", offsetof(struct target_machine, write_rate), 1},
        {"writing", offsetof(struct target_machine, fsync_s), 100},
        {"writing", offsetof(struct target_machine, crc_rate), 1},
        {"writing", offsetof(struct target_machine, copy_rate), 1},
        {"uplink", offsetof(struct target_machine, uplink_rate), 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct target_machine machine = machine_of_ones();
        struct target_load load = load_of_thousand();

        load.item_count = 1;
        load.file_count = 1;
        *(double *)(void *)((char *)&machine + cases[i].field) = cases[i].value;
        assert_string_equal(borg1_time(&load, &machine).bottleneck, cases[i].name);
    }
}

static void transfer_overlaps_with_everything_else(void **state)
{
    (void)state;
    struct target_machine machine = machine_of_ones();
    struct target_load load = load_of_thousand();

    machine.startup_s = 2;
    double local_s = borg1_time(&load, &machine).wall_s;

    /* A fast link costs nothing, and the disk at its other end is not waited for. */
    machine.uplink_rate = 1e9;
    assert_near(borg1_time(&load, &machine).wall_s, local_s - 0.11);
    assert_string_equal(borg1_time(&load, &machine).bottleneck, "start-up");

    /* 110 bytes at 1 byte per second outlast all else. */
    machine.uplink_rate = 1;
    struct target_time time = borg1_time(&load, &machine);

    assert_near(time.wall_s, 2 + 110);
    assert_near(time.cores, time.cpu_s / 112);
    assert_string_equal(time.bottleneck, "uplink");
}

/* 110 stored bytes through the cipher and its MAC; 1100 bytes named by the mode's hash. */
static void modes_pay_for_their_own_hashes_and_cipher(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        double more_s;
    } cases[] = {
        {"none", 0},
        {"authenticated", 11 - 1.1},
        {"authenticated-blake2", 110 - 1.1},
        {"repokey", 11 - 1.1 + 1.1 + 0.11},
        {"keyfile", 11 - 1.1 + 1.1 + 0.11},
        {"repokey-blake2", 110 - 1.1 + 11 + 0.11},
        {"keyfile-blake2", 110 - 1.1 + 11 + 0.11},
    };
    struct target_machine machine = machine_of_ones();
    struct target_load load = load_of_thousand();
    double plain_s = borg1_time(&load, &machine).wall_s;

    machine.hash_rate[TARGET_HMAC_SHA256] = 100;
    machine.hash_rate[TARGET_BLAKE2B] = 10;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setup = borg1_setup_of(cases[i].mode, NULL);
        assert_near(borg1_time(&load, &machine).wall_s - plain_s, cases[i].more_s);
    }
}

static void restore_fetches_and_expands_each_reference(void **state)
{
    (void)state;
    struct target_machine machine = machine_of_ones();
    struct target_load load = load_of_thousand();

    load.decompress_s = 3;
    load.file_count = 1;
    machine.startup_s = 0.5;
    machine.file_s = 0.25;
    /* Fetched 100 * 2 + 10; CRC of it; expanding twice 3; hash 1.1; write 1. */
    double work_s = 0.25 + 0.21 + 6 + 1.1 + 1;

    assert_near(borg1_time(&load, &machine).restore_s, 0.5 + 0.21 + work_s);
    machine.uplink_rate = 1e9;
    assert_near(borg1_time(&load, &machine).restore_s, 0.5 + work_s);
    machine.uplink_rate = 1;
    assert_near(borg1_time(&load, &machine).restore_s, 0.5 + 210);
}

static void nothing_takes_no_time(void **state)
{
    (void)state;
    struct target_machine machine = machine_of_ones();
    struct target_load load = {.setup = &setup};
    struct target_time time = borg1_time(&load, &machine);

    assert_near(time.wall_s, 0);
    assert_near(time.cores, 0);
    assert_near(time.restore_s, 0);
    assert_string_equal(time.bottleneck, "start-up");
}

static void further_segments_are_flushed_too(void **state)
{
    (void)state;
    struct target_machine machine = machine_of_ones();
    struct target_load load = {.setup = &setup,
                               .content_stored_bytes = UINT64_C(1000) * (1000000 - 44),
                               .content_unique_chunks = 1000};

    machine.fsync_s = 0;
    double without = borg1_time(&load, &machine).wall_s;

    /* 525 objects fill a segment: two segments, 25 + 2 flushes. */
    machine.fsync_s = 1;
    double with = borg1_time(&load, &machine).wall_s;

    assert_true(fabs(with - without - 27) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_stage_adds_to_the_wall_time, choose_setup),
        cmocka_unit_test_setup(slowest_stage_is_named, choose_setup),
        cmocka_unit_test_setup(transfer_overlaps_with_everything_else, choose_setup),
        cmocka_unit_test_setup(modes_pay_for_their_own_hashes_and_cipher, choose_setup),
        cmocka_unit_test_setup(restore_fetches_and_expands_each_reference, choose_setup),
        cmocka_unit_test_setup(nothing_takes_no_time, choose_setup),
        cmocka_unit_test_setup(further_segments_are_flushed_too, choose_setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
