/* SPDX-License-Identifier: BSD-2-Clause */
/* Ids of chunks: the standard's own values of SHA-256, found again by digest. */
#include <stdio.h>
#include <string.h>

#include "record/ids.h"
#include "support/unit.h"

static void add(struct record_ids *ids, uint64_t high, uint64_t low, const char *text)
{
    struct record_digest digest = {.high = high, .low = low};
    assert_int_equal(record_ids_add(ids, digest, (const uint8_t *)text, strlen(text), NULL),
                     CADV_OK);
}

static void assert_id(const struct record_ids *ids, uint64_t high, uint64_t low,
                      const char *hexadecimal)
{
    const uint8_t *id = record_ids_find(ids, (struct record_digest){.high = high, .low = low});
    assert_non_null(id);
    for (size_t i = 0; i < RECORD_ID_BYTES; i++) {
        char byte[3];
        (void)snprintf(byte, sizeof byte, "%02x", id[i]);
        assert_memory_equal(byte, hexadecimal + 2 * i, 2);
    }
}

static void ids_are_sha_256_whoever_added_them(void **state)
{
    (void)state;
    struct record_ids one = {0};
    struct record_ids other = {0};
    add(&one, 7, 2, "abc");
    add(&other, 7, 1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
    add(&other, 3, 9, "");
    assert_int_equal(record_ids_merge(&one, &other, NULL), CADV_OK);
    assert_int_equal(other.count, 0);
    record_ids_sort(&one);
    assert_int_equal(one.count, 3);
    assert_id(&one, 7, 2, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_id(&one, 7, 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_id(&one, 3, 9, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    record_ids_fini(&one);
}

static void what_was_not_added_has_none(void **state)
{
    (void)state;
    struct record_ids ids = {0};
    struct record_digest digest = {.high = 1, .low = 1};
    assert_null(record_ids_find(NULL, digest));
    assert_null(record_ids_find(&ids, digest));
    record_ids_sort(&ids);
    add(&ids, 1, 2, "x");
    assert_null(record_ids_find(&ids, digest));
    assert_int_equal(record_ids_merge(&ids, &(struct record_ids){0}, NULL), CADV_OK);
    assert_int_equal(ids.count, 1);
    record_ids_fini(&ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_sha_256_whoever_added_them),
        cmocka_unit_test(what_was_not_added_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
