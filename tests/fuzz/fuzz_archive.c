/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes as an archive: refused with a message, or read to an end of some kind within the
 * limits, and every time the same. The seeds are made by corpus_archive.py.
 */
#include <string.h>

#include "fuzz_target.h"
#include "source/archive.h"

enum { LIMIT_BYTES = 4 * 1024 * 1024, BUFFER_BYTES = 64 * 1024, MEMBERS_MAX = 100000 };

/** What was seen, to compare. */
struct seen {
    uint64_t members;
    uint64_t bytes;
    uint64_t damaged;
    enum source_event last;
};

static void check_member(const struct source_member *member)
{
    FUZZ_CHECK(member->path != NULL);
    bool is_link = member->type == SOURCE_SYMLINK || member->type == SOURCE_HARDLINK;
    FUZZ_CHECK((member->target != NULL) == is_link);
    FUZZ_CHECK(member->user == NULL || member->user[0] != '\0');
    FUZZ_CHECK(member->group == NULL || member->group[0] != '\0');
}

/* What a member holds, whatever kind it says it is. */
static enum source_event read_content(struct source_archive *archive, uint64_t *bytes)
{
    static uint8_t buffer[BUFFER_BYTES];
    for (;;) {
        size_t got = 0;
        enum source_event event = source_archive_read(archive, buffer, sizeof buffer, &got);
        FUZZ_CHECK(got <= sizeof buffer);
        *bytes += got;
        if (event != SOURCE_GOOD || got < sizeof buffer) {
            return event;
        }
    }
}

static void read_all(struct source_archive *archive, struct seen *seen)
{
    while (seen->members < MEMBERS_MAX && seen->damaged < MEMBERS_MAX) {
        struct source_member member;
        seen->last = source_archive_next(archive, &member);
        if (seen->last == SOURCE_DAMAGED) {
            seen->damaged++;
            continue;
        }
        if (seen->last != SOURCE_GOOD) {
            return;
        }
        check_member(&member);
        seen->members++;
        if (member.type == SOURCE_FILE && !member.is_encrypted) {
            enum source_event event = read_content(archive, &seen->bytes);
            seen->damaged += event == SOURCE_DAMAGED;
        }
    }
}

static struct seen run(const uint8_t *data, size_t data_bytes)
{
    struct seen seen = {0};
    struct cadv_error err = {0};
    atomic_int stop = 0;
    struct source_archive *archive = NULL;
    if (source_archive_open_memory(data, data_bytes, LIMIT_BYTES, &stop, &archive, &err) !=
        CADV_OK) {
        FUZZ_CHECK(archive == NULL);
        FUZZ_CHECK(err.status == CADV_ERR_INPUT && err.message[0] != '\0');
        FUZZ_CHECK(strchr(err.message, '\n') == NULL);
        return seen;
    }
    read_all(archive, &seen);
    FUZZ_CHECK(seen.bytes <= LIMIT_BYTES + BUFFER_BYTES);
    FUZZ_CHECK(seen.last != SOURCE_STOPPED && seen.last != SOURCE_UNREADABLE);
    source_archive_close(archive);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    struct seen first = run(data, data_bytes);
    struct seen again = run(data, data_bytes);
    FUZZ_CHECK(first.members == again.members && first.bytes == again.bytes &&
               first.damaged == again.damaged && first.last == again.last);
    return 0;
}
