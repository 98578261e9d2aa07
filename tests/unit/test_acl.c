/* SPDX-License-Identifier: BSD-2-Clause */
/* Access control lists as Borg writes them: text, a numeric id after each named entry. */
#include "walk/acl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/unit.h"

enum {
    OBJECT = 0x01,
    USER = 0x02,
    GROUP_OBJECT = 0x04,
    GROUP = 0x08,
    MASK = 0x10,
    OTHER = 0x20
};

struct list {
    uint8_t bytes[4 + 8 * 8];
    size_t used;
};

static void put_16(struct list *list, unsigned value)
{
    list->bytes[list->used++] = (uint8_t)value;
    list->bytes[list->used++] = (uint8_t)(value >> 8);
}

static void put_32(struct list *list, uint32_t value)
{
    put_16(list, value & 0xffff);
    put_16(list, value >> 16);
}

static void put_entry(struct list *list, unsigned tag, unsigned bits, uint32_t id)
{
    put_16(list, tag);
    put_16(list, bits);
    put_32(list, id);
}

static char *text_of(const struct list *list)
{
    struct walk_owners *owners = walk_owners_new();
    assert_non_null(owners);
    char *text = walk_acl_text(list->bytes, list->used, owners);
    walk_owners_free(owners);
    return text;
}

static void named_entries_end_in_their_number(void **state)
{
    (void)state;
    struct list list = {0};
    put_32(&list, 2);
    put_entry(&list, OBJECT, 6, UINT32_MAX);
    put_entry(&list, USER, 7, 0);
    put_entry(&list, USER, 0, 4000000001);
    put_entry(&list, GROUP_OBJECT, 4, UINT32_MAX);
    put_entry(&list, GROUP, 1, 0);
    put_entry(&list, GROUP, 2, 4000000002);
    put_entry(&list, MASK, 5, UINT32_MAX);
    put_entry(&list, OTHER, 0, UINT32_MAX);
    char *text = text_of(&list);
    assert_string_equal(text, "user::rw-\nuser:root:rwx:0\nuser:4000000001:---:4000000001\n"
                              "group::r--\ngroup:root:--x:0\n"
                              "group:4000000002:-w-:4000000002\nmask::r-x\nother::---");
    free(text);
}

static void a_list_of_no_entries_is_no_text(void **state)
{
    (void)state;
    struct list list = {0};
    put_32(&list, 2);
    char *text = text_of(&list);
    assert_string_equal(text, "");
    free(text);
}

static void what_is_no_list_is_refused(void **state)
{
    (void)state;
    struct list list = {0};
    assert_null(text_of(&list));
    put_32(&list, 1);
    assert_null(text_of(&list));
    list.used = 0;
    put_32(&list, 2);
    put_entry(&list, OTHER, 0, 0);
    list.used--;
    assert_null(text_of(&list));
    list.used = 4;
    put_entry(&list, 0x40, 0, 0);
    assert_null(text_of(&list));
}

static void a_mode_says_as_much_as_a_list(void **state)
{
    (void)state;
    static const struct {
        mode_t mode;
        const char *text;
    } cases[] = {
        {S_IFDIR | 0750, "user::rwx\ngroup::r-x\nother::---"},
        {S_IFREG | 04421, "user::r--\ngroup::-w-\nother::--x"},
        {0, "user::---\ngroup::---\nother::---"},
        {0777, "user::rwx\ngroup::rwx\nother::rwx"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = walk_acl_of_mode(cases[i].mode);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_entries_end_in_their_number),
        cmocka_unit_test(a_list_of_no_entries_is_no_text),
        cmocka_unit_test(what_is_no_list_is_refused),
        cmocka_unit_test(a_mode_says_as_much_as_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
