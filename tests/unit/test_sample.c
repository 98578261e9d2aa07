/* SPDX-License-Identifier: BSD-2-Clause */
/* The priorities of the sample, and what it does when its temporary file fails. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sample/sample.h"
#include "support/fake_chunks.h"
#include "support/near.h"
#include "support/noise.h"
#include "support/shuffle.h"
#include "support/tempdir.h"
#include "support/unit.h"

#define CHUNKS 600
#define MEMORY 100000U

/* u = x^0.6 / priority must be uniform on (0, 1]: mean 1/2, and a tenth of it in each tenth. */
static void priorities_are_the_size_measure_over_a_uniform_number(void **state)
{
    (void)state;
    const size_t draws = 100000;
    struct noise noise = {.state = 3};
    double sum = 0.0;
    size_t tenths[10] = {0};
    for (size_t i = 0; i < draws; i++) {
        struct record_digest digest = {.high = noise_next(&noise), .low = noise_next(&noise)};
        uint32_t bytes = 1 + (uint32_t)noise_below(&noise, 8000000);
        double u = pow((double)bytes, 0.6) / sample_priority(digest, bytes, 0);
        assert_true(u > 0.0 && u <= 1.0 + 1e-12);
        sum += u;
        tenths[u < 1.0 ? (size_t)(u * 10.0) : 9]++;
    }
    /* Five standard deviations. */
    assert_near(sum / (double)draws, 0.5, 5.0 * sqrt(1.0 / 12.0 / (double)draws));
    for (size_t t = 0; t < 10; t++) {
        assert_near((double)tenths[t] / (double)draws, 0.1, 5.0 * sqrt(0.09 / (double)draws));
    }
}

static void priorities_depend_on_digest_size_and_salt_alone(void **state)
{
    (void)state;
    struct record_digest a = {.high = 1, .low = 2};
    struct record_digest b = {.high = 2, .low = 1};
    struct record_digest c = {.high = 1, .low = 3};
    double priority = sample_priority(a, 1000, 0);
    assert_near(sample_priority(a, 1000, 0), priority, 0.0);
    assert_true(fabs(sample_priority(b, 1000, 0) / priority - 1.0) > 1e-6);
    assert_true(fabs(sample_priority(c, 1000, 0) / priority - 1.0) > 1e-6);
    assert_true(fabs(sample_priority(a, 1000, 1) / priority - 1.0) > 1e-6);
    assert_near(sample_priority(a, 32000, 0) / priority, 8.0, 1e-12);
}

/* Offers small chunks in a random order; the sample's contents must be right as far as they go.
   Returns how many there are. */
static size_t contents_kept(const char *directory, uint64_t memory_max, uint64_t order_seed,
                            int *spool_errno)
{
    struct sample_config config = {.order_max = {SIZE_MAX, SIZE_MAX},
                                   .content_max = {CHUNKS, CHUNKS},
                                   .content_max_bytes = {UINT64_MAX, UINT64_MAX},
                                   .memory_max_bytes = memory_max,
                                   .spool_directory = directory};
    struct sample *sample = sample_new(&config);
    assert_non_null(sample);
    struct record_chunk *chunks = fake_chunks_make(5, CHUNKS, CHUNKS + 1, 0);
    uint8_t *content = malloc(FAKE_CHUNK_BYTES_MAX);
    uint8_t *found = malloc(FAKE_CHUNK_BYTES_MAX);
    assert_non_null(content);
    assert_non_null(found);

    static size_t order[CHUNKS];
    struct noise noise = {order_seed};
    shuffle(&noise, order, CHUNKS);
    for (size_t i = 0; i < CHUNKS; i++) {
        fake_chunks_content(&chunks[order[i]], content);
        assert_int_equal(sample_offer(sample, &chunks[order[i]], content, NULL, NULL), CADV_OK);
    }
    static struct record_population population;
    memset(&population, 0, sizeof population);
    assert_int_equal(sample_finish(sample, &population, NULL, NULL), CADV_OK);
    fake_chunks_sort(chunks, CHUNKS);
    assert_int_equal(population.strata[RECORD_SMALL].chunk_count, CHUNKS);
    size_t count = sample_content_count(sample, RECORD_SMALL);
    for (size_t rank = 0; rank < count; rank++) {
        assert_int_equal(sample_read(sample, RECORD_SMALL, rank, found, NULL), CADV_OK);
        fake_chunks_content(&chunks[rank], content);
        assert_memory_equal(found, content, chunks[rank].bytes);
    }
    *spool_errno = sample_spool_errno(sample);
    free(population.strata[RECORD_SMALL].chunks);
    sample_free(sample);
    free(chunks);
    free(content);
    free(found);
    return count;
}

static size_t head_that_fits_memory(void)
{
    struct record_chunk *chunks = fake_chunks_make(5, CHUNKS, CHUNKS + 1, 0);
    fake_chunks_sort(chunks, CHUNKS);
    size_t head = fake_chunks_head(chunks, CHUNKS, CHUNKS, MEMORY);
    free(chunks);
    return head;
}

static void without_a_folder_for_the_file_memory_holds_what_it_can(void **state)
{
    (void)state;
    size_t expected = head_that_fits_memory();
    assert_in_range(expected, 10, CHUNKS / 2);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int spool_errno = 0;
        size_t count = contents_kept("/nowhere/at/all", MEMORY, seed, &spool_errno);
        assert_int_equal(spool_errno, ENOENT);
        assert_int_equal(count, expected);
    }
}

static void without_memory_and_file_there_are_no_contents(void **state)
{
    (void)state;
    int spool_errno = 0;
    assert_int_equal(contents_kept("/nowhere/at/all", 0, 1, &spool_errno), 0);
    assert_int_equal(spool_errno, ENOENT);
}

/* A limit on file sizes stands for a full disk. */
static void a_full_disk_makes_fewer_contents(void **state)
{
    (void)state;
    struct tempdir dir;
    tempdir_init(&dir);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 200000, .rlim_max = before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    size_t least = CHUNKS;
    size_t most = 0;
    int problems[20];
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t count = contents_kept(dir.path, MEMORY, seed + 1, &problems[seed]);
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_DFL);

    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(problems[i], EFBIG);
    }
    assert_true(most < CHUNKS);
    assert_true(least >= head_that_fits_memory());
    assert_int_equal(tempdir_count(&dir), 0);
    tempdir_fini(&dir);
}

static void a_folder_that_works_reports_no_error(void **state)
{
    (void)state;
    struct tempdir dir;
    tempdir_init(&dir);
    int spool_errno = -1;
    assert_int_equal(contents_kept(dir.path, MEMORY, 1, &spool_errno), CHUNKS);
    assert_int_equal(spool_errno, 0);
    tempdir_fini(&dir);
}

static void a_sample_that_is_not_finished_frees_all(void **state)
{
    (void)state;
    struct sample_config config = {.order_max = {10, 10},
                                   .content_max = {5, 5},
                                   .content_max_bytes = {UINT64_MAX, UINT64_MAX},
                                   .memory_max_bytes = UINT64_MAX,
                                   .spool_directory = "/tmp"};
    struct sample *sample = sample_new(&config);
    assert_non_null(sample);
    struct record_chunk chunk = {.bytes = 3};
    for (uint64_t n = 0; n < 50; n++) {
        chunk.digest.low = n;
        chunk.priority = sample_priority(chunk.digest, chunk.bytes, 0);
        assert_int_equal(sample_offer(sample, &chunk, (const uint8_t *)"abc", NULL, NULL),
                         CADV_OK);
    }
    sample_free(sample);
    sample_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priorities_are_the_size_measure_over_a_uniform_number),
        cmocka_unit_test(priorities_depend_on_digest_size_and_salt_alone),
        cmocka_unit_test(without_a_folder_for_the_file_memory_holds_what_it_can),
        cmocka_unit_test(without_memory_and_file_there_are_no_contents),
        cmocka_unit_test(a_full_disk_makes_fewer_contents),
        cmocka_unit_test(a_folder_that_works_reports_no_error),
        cmocka_unit_test(a_sample_that_is_not_finished_frees_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
