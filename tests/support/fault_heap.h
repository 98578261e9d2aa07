/* SPDX-License-Identifier: BSD-2-Clause */
/* fault_heap.h - which memory is in use and who asked for it. Thread-safe; allocates nothing. */
#ifndef SUPPORT_FAULT_HEAP_H
#define SUPPORT_FAULT_HEAP_H

#include <stdbool.h>

/** Starts and stops noting. */
void heap_watch(bool is_on);

/** Notes `memory` (may be NULL) as asked for by `maker`, and returns it. */
void *heap_add(void *memory, const void *maker);

/** Forgets `memory`, which may be unknown. */
void heap_remove(void *memory);

/** Calls `visit` with the maker of all that is left. */
void heap_visit(void (*visit)(const void *maker));

#endif
