/* SPDX-License-Identifier: BSD-2-Clause */
#include "par/sync.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

void par_mutex_init(pthread_mutex_t *mutex)
{
    CADV_ASSERT(pthread_mutex_init(mutex, NULL) == 0);
}

void par_mutex_fini(pthread_mutex_t *mutex)
{
    CADV_ASSERT(pthread_mutex_destroy(mutex) == 0);
}

void par_lock(pthread_mutex_t *mutex)
{
    CADV_ASSERT(pthread_mutex_lock(mutex) == 0);
}

void par_unlock(pthread_mutex_t *mutex)
{
    CADV_ASSERT(pthread_mutex_unlock(mutex) == 0);
}

void par_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;
    CADV_ASSERT(pthread_condattr_init(&attributes) == 0);
    CADV_ASSERT(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    CADV_ASSERT(pthread_cond_init(cond, &attributes) == 0);
    CADV_ASSERT(pthread_condattr_destroy(&attributes) == 0);
}

void par_cond_fini(pthread_cond_t *cond)
{
    CADV_ASSERT(pthread_cond_destroy(cond) == 0);
}

void par_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    CADV_ASSERT(pthread_cond_wait(cond, mutex) == 0);
}

void par_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, double seconds)
{
    struct timespec until;
    CADV_ASSERT(clock_gettime(CLOCK_MONOTONIC, &until) == 0);
    long add_ns = (long)(seconds * 1e9);
    until.tv_sec += (until.tv_nsec + add_ns) / 1000000000L;
    until.tv_nsec = (until.tv_nsec + add_ns) % 1000000000L;
    int rc = pthread_cond_timedwait(cond, mutex, &until);
    CADV_ASSERT(rc == 0 || rc == ETIMEDOUT);
}

void par_wake_one(pthread_cond_t *cond)
{
    CADV_ASSERT(pthread_cond_signal(cond) == 0);
}

void par_wake_all(pthread_cond_t *cond)
{
    CADV_ASSERT(pthread_cond_broadcast(cond) == 0);
}

int par_thread_start(pthread_t *thread, void *(*body)(void *), void *arg)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    CADV_ASSERT(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
    int rc = pthread_create(thread, NULL, body, arg);
    CADV_ASSERT(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    return rc;
}

void par_thread_join(pthread_t thread)
{
    CADV_ASSERT(pthread_join(thread, NULL) == 0);
}

unsigned par_cpu_count(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0) {
        return (unsigned)CPU_COUNT(&allowed);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1U;
}
