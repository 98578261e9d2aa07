/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded before the program: the clock of a thread's CPU goes faster by a power of two up to 128,
 * another one after every 32 readings (so that levels, which are tried one after the other, are not
 * all slowed alike). The seed is $CADV_CLOCK_SEED. Time stays monotonic.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define NS_PER_S 1000000000LL

#define READINGS_PER_FACTOR 32

/* Counted by any thread, so that no two runs need have the same factors. */
static _Atomic uint64_t readings;

/* splitmix64 of the seed and of how many readings there were. */
static int64_t factor_now(void)
{
    const char *seed = getenv("CADV_CLOCK_SEED");
    uint64_t step = atomic_fetch_add(&readings, 1) / READINGS_PER_FACTOR;
    uint64_t z = (seed != NULL ? strtoull(seed, NULL, 10) : 0) * 1000000 + step + 1;
    z *= UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return INT64_C(1) << ((z ^ (z >> 31)) % 8);
}

int clock_gettime(clockid_t id, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    static _Thread_local int64_t last_ns;
    static _Thread_local int64_t shown_ns;
    if (real == NULL) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    int status = real(id, now);
    if (status == 0 && id == CLOCK_THREAD_CPUTIME_ID) {
        int64_t ns = (int64_t)now->tv_sec * NS_PER_S + now->tv_nsec;
        shown_ns += (ns - last_ns) * factor_now();
        last_ns = ns;
        now->tv_sec = (time_t)(shown_ns / NS_PER_S);
        now->tv_nsec = (long)(shown_ns % NS_PER_S);
    }
    return status;
}
