/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/crowd.h"

#include "par/sync.h"
#include "support/unit.h"

struct member {
    void (*body)(size_t index, void *ctx);
    size_t index;
    void *ctx;
    pthread_t thread;
};

static void *member_body(void *arg)
{
    struct member *member = arg;
    member->body(member->index, member->ctx);
    return NULL;
}

void crowd_run(size_t count, void (*body)(size_t index, void *ctx), void *ctx)
{
    struct member members[CROWD_MAX];
    assert_in_range(count, 1, CROWD_MAX);
    for (size_t i = 0; i < count; i++) {
        members[i] = (struct member){.body = body, .index = i, .ctx = ctx};
        assert_int_equal(par_thread_start(&members[i].thread, member_body, &members[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        par_thread_join(members[i].thread);
    }
}
