/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * support/faults.h - between the parts of faults.so: what decides which call fails (faults.c), and
 * what stands before the functions (fault_calls.c, fault_libraries.c). Thread-safe.
 */
#ifndef SUPPORT_FAULTS_H
#define SUPPORT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* The names are the library's own: nothing that it is loaded before may find them. */
#pragma GCC visibility push(hidden)

/** Where the function that this is written in returns to. */
#define CALLER __builtin_return_address(0)
/** The function that this one stands before. */
#define NEXT(name) ((__typeof__(&name))fault_next(#name))
void *fault_next(const char *name);

/** FORWARD(TYPE, FAILED, NAME, (PARAMETERS), (ARGUMENTS)): a call that fails and does nothing then. */
#define FORWARD(type, failed, name, parameters, arguments)                                     \
    type name parameters                                                                       \
    {                                                                                          \
        return fault_hits(#name, CALLER) ? (failed) : NEXT(name) arguments;                    \
    }

/**
 * What the program measures the machine by takes most of a run on a small tree; only its time is used,
 * which no test looks at here. So of longer data this much is worked on.
 */
#define FAULT_MEASURED_MAX_BYTES ((size_t)1 << 16)

/** Does the function return into the program itself? */
bool fault_is_program(const void *caller);

/** Notes the call; true, with errno set, when it is to fail. */
bool fault_hits(const char *name, const void *caller);

/** After a hit: does it do part of its work? */
bool fault_is_partial(void);

/** Remembers who made the descriptor, so that the end can tell who has left it open; returns it. */
int fault_made(int fd, const void *caller);
void fault_unmade(int fd);

/** A lock of our own, false when free: a sanitizer's may not be there yet at the first allocations. */
void fault_lock(bool *lock);
void fault_unlock(bool *lock);

/** Writes the lines of what was called to the log; once, at the end. */
void fault_say_calls(void);

/** Writes a line to the log. */
__attribute__((format(printf, 1, 2))) void fault_say(const char *format, ...);

#pragma GCC visibility pop

#endif
