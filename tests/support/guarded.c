/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include "support/unit.h"

void guarded_init(struct guarded *guarded, size_t data_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t usable = (data_bytes + page - 1) / page * page;
    void *pages =
        mmap(NULL, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect((char *)pages + usable, page, PROT_NONE), 0);
    guarded->data = (uint8_t *)pages + usable - data_bytes;
    guarded->data_bytes = data_bytes;
    guarded->pages = pages;
    guarded->pages_bytes = usable + page;
}

void guarded_fini(struct guarded *guarded)
{
    assert_int_equal(munmap(guarded->pages, guarded->pages_bytes), 0);
}
