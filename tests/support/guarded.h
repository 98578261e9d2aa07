/* SPDX-License-Identifier: BSD-2-Clause */
/* support/guarded.h - memory that ends where a page that must not be touched begins. */
#ifndef SUPPORT_GUARDED_H
#define SUPPORT_GUARDED_H

#include <stddef.h>
#include <stdint.h>

struct guarded {
    /** The usable bytes; one access behind them and the test dies of SIGSEGV. */
    uint8_t *data;
    size_t data_bytes;
    /** The mapping; for guarded_fini() only. */
    void *pages;
    size_t pages_bytes;
};

/** Fails the test when the system refuses. `data_bytes` may be 0. */
void guarded_init(struct guarded *guarded, size_t data_bytes);
void guarded_fini(struct guarded *guarded);

#endif
