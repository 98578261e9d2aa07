/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * par/sync.h - POSIX mutexes, conditions and threads; misuse of them is a bug and aborts, so that
 * no caller handles what cannot happen. Only starting a thread can fail.
 */
#ifndef PAR_SYNC_H
#define PAR_SYNC_H

#include <pthread.h>
#include <stdbool.h>

void par_mutex_init(pthread_mutex_t *mutex);
void par_mutex_fini(pthread_mutex_t *mutex);
void par_lock(pthread_mutex_t *mutex);
void par_unlock(pthread_mutex_t *mutex);

/** Conditions wait on the monotonic clock. */
void par_cond_init(pthread_cond_t *cond);
void par_cond_fini(pthread_cond_t *cond);
void par_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
/** Returns after `seconds` at the latest. */
void par_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, double seconds);
void par_wake_one(pthread_cond_t *cond);
void par_wake_all(pthread_cond_t *cond);

/** Starts a thread with all signals blocked; 0 or an errno. */
int par_thread_start(pthread_t *thread, void *(*body)(void *), void *arg);
void par_thread_join(pthread_t thread);

/** CPUs this process may run on, at least 1. */
unsigned par_cpu_count(void);

#endif
