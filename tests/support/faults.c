/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults.so - loaded before a program (LD_PRELOAD), makes its n-th call of one function fail.
 *
 * Only calls that return into the program itself count, not those that its libraries make, so that
 * each number is a call site of the project's own code. In the environment:
 *
 *   CADV_FAULT_LOG  file that gets the lines below; without it nothing happens at all
 *   CADV_FAULTS     NAME:FIRST:LAST:ERRNO[:OFFSET],...: of the calls of the function NAME (of those
 *                   from OFFSET only), the FIRST to the LAST fail, numbered from 1, with ERRNO; 0: it
 *                   does not fail, but does only part of its work. NAME may end in "+": calls made
 *                   by libraries count as well. ERRNO -N: no failure, but signal N before the call;
 *                   with N above 64, a wait of N milliseconds.
 *
 *   hit NAME OFFSET         it failed; where it returns to, as objdump counts
 *   stderr                  it was to write on the standard error
 *   call NAME OFFSET COUNT  calls from there, all of the run
 *   held WHERE OFFSET       memory or a descriptor made there that is left at the end, WHERE being
 *                           "program", "descriptor" or the name of a library
 *   end                     the lines of the leaks are complete
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/fault_heap.h"
#include "support/faults.h"

/* High enough not to change which numbers the program's own files get. */
enum { LOG_FD_MIN = 400 };

/* Long enough for another thread to take a signal. */
enum { SIGNAL_US = 50000 };

/* A code below minus this is a time to wait, in milliseconds. */
enum { SIGNAL_MAX = 64 };

enum { FAULTS_MAX = 8, NAME_MAX_BYTES = 32 };

struct fault {
    char name[NAME_MAX_BYTES];
    unsigned long first;
    unsigned long last;
    int error;
    /** 0: from anywhere. */
    unsigned long offset;
    bool counts_anyone;
    /** So far; atomic. */
    unsigned long calls_made;
};

/* A place in the program that a function returns to. */
struct site {
    const char *name;
    unsigned long offset;
    unsigned long calls_made;
};

/* Far more than the program has. A power of two. */
enum { SITES_MAX = 4096 };

/* Guarded by site_lock; where the hash says, or at the next free place. */
static bool site_lock;
static struct site sites[SITES_MAX];

/* Set once before main(). */
static int log_fd = -1;
static uintptr_t text_start;
static uintptr_t text_end;
static uintptr_t load_address;
static struct fault faults[FAULTS_MAX];
static size_t fault_count;

/* Who made each descriptor, as an offset in the program; 0: not the program. Atomic. */
static uintptr_t descriptor_maker[LOG_FD_MIN];

void fault_lock(bool *lock)
{
    while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) {
        (void)sched_yield();
    }
}

void fault_unlock(bool *lock)
{
    __atomic_clear(lock, __ATOMIC_RELEASE);
}

void fault_say(const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (void)syscall(SYS_write, log_fd, line, (size_t)length);
}

bool fault_is_program(const void *caller)
{
    return (uintptr_t)caller >= text_start && (uintptr_t)caller < text_end;
}

static unsigned long offset_of(const void *caller)
{
    return (unsigned long)((uintptr_t)caller - load_address);
}

static void count_call(const char *name, unsigned long offset)
{
    size_t at = (offset * 31 + (unsigned char)name[0]) % SITES_MAX;
    fault_lock(&site_lock);
    while (sites[at].name != NULL &&
           (sites[at].offset != offset || strcmp(sites[at].name, name) != 0)) {
        at = (at + 1) % SITES_MAX;
    }
    sites[at].name = name;
    sites[at].offset = offset;
    sites[at].calls_made++;
    fault_unlock(&site_lock);
}

void fault_say_calls(void)
{
    for (size_t i = 0; log_fd >= 0 && i < SITES_MAX; i++) {
        if (sites[i].name != NULL) {
            fault_say("call %s %lx %lu\n", sites[i].name, sites[i].offset, sites[i].calls_made);
        }
    }
}

/* What a code below zero asks for. */
static void act(int code)
{
    if (code < -SIGNAL_MAX) {
        (void)usleep((useconds_t)-code * 1000);
    } else {
        (void)kill(getpid(), -code);
        (void)usleep(SIGNAL_US);
    }
}

static bool is_hit(struct fault *fault, const char *name, const void *caller)
{
    if (strcmp(name, fault->name) != 0 ||
        (!fault_is_program(caller) && !fault->counts_anyone) ||
        (fault->offset != 0 && fault->offset != offset_of(caller))) {
        return false;
    }
    unsigned long number = __atomic_add_fetch(&fault->calls_made, 1, __ATOMIC_SEQ_CST);
    return number >= fault->first && number <= fault->last;
}

bool fault_hits(const char *name, const void *caller)
{
    int saved = errno;
    int error = saved;
    bool is_failing = false;
    if (log_fd < 0) {
        return false;
    }
    if (fault_is_program(caller)) {
        count_call(name, offset_of(caller));
    }
    for (size_t i = 0; i < fault_count; i++) {
        /* Each counts all calls, those that another made fail, too. */
        if (is_hit(&faults[i], name, caller) && !is_failing) {
            is_failing = true;
            error = faults[i].error;
        }
    }
    if (is_failing && error < 0) {
        act(error);
        is_failing = false;
        error = saved;
    }
    if (is_failing) {
        fault_say("hit %s %lx\n", name, fault_is_program(caller) ? offset_of(caller) : 0);
    }
    errno = error;
    return is_failing;
}

bool fault_is_partial(void)
{
    return errno == 0;
}

static int note_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size;
    (void)ctx;
    load_address = info->dlpi_addr;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            text_start = info->dlpi_addr + part->p_vaddr;
            text_end = text_start + part->p_memsz;
        }
    }
    /* The program comes first; the libraries do not matter. */
    return 1;
}

/* Fills `faults` from CADV_FAULTS; false when that is not as it should be. */
static bool read_faults(const char *text)
{
    while (text != NULL && *text != '\0') {
        struct fault *fault = &faults[fault_count];
        size_t name_bytes = strcspn(text, ":");
        int used = 0;
        if (fault_count == FAULTS_MAX || name_bytes >= sizeof fault->name ||
            sscanf(text + name_bytes, ":%lu:%lu:%d%n", &fault->first, &fault->last,
                   &fault->error, &used) != 3) {
            return false;
        }
        memcpy(fault->name, text, name_bytes);
        if (name_bytes > 0 && text[name_bytes - 1] == '+') {
            fault->name[name_bytes - 1] = '\0';
            fault->counts_anyone = true;
        }
        text += name_bytes + (size_t)used;
        if (*text == ':') {
            char *end = NULL;
            fault->offset = strtoul(text + 1, &end, 16);
            text = end;
        }
        text += *text == ',';
        fault_count++;
    }
    return true;
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("CADV_FAULT_LOG");
    if (path == NULL) {
        return;
    }
    (void)dl_iterate_phdr(note_program, NULL);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                          0600);
    log_fd = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, LOG_FD_MIN);
    (void)syscall(SYS_close, fd);
    if (log_fd < 0 || !read_faults(getenv("CADV_FAULTS"))) {
        _exit(99);
    }
    heap_watch(true);
}

static void report_held(const void *maker)
{
    Dl_info found;
    if (fault_is_program(maker)) {
        fault_say("held program %lx\n", offset_of(maker));
    } else if (dladdr(maker, &found) != 0 && found.dli_fname != NULL) {
        const char *slash = strrchr(found.dli_fname, '/');
        fault_say("held %s %lx\n", slash == NULL ? found.dli_fname : slash + 1,
                  (unsigned long)((uintptr_t)maker - (uintptr_t)found.dli_fbase));
    }
}

__attribute__((destructor)) static void finish(void)
{
    if (log_fd < 0) {
        return;
    }
    heap_watch(false);
    fault_say_calls();
    heap_visit(report_held);
    /* What stands in for a standard stream that was closed stays. */
    for (int fd = STDERR_FILENO + 1; fd < LOG_FD_MIN; fd++) {
        if (descriptor_maker[fd] != 0 && fcntl(fd, F_GETFD) >= 0) {
            fault_say("held descriptor %lx\n", (unsigned long)descriptor_maker[fd]);
        }
    }
    fault_say("end\n");
}

int fault_made(int fd, const void *caller)
{
    if (fd >= 0 && fd < LOG_FD_MIN && fault_is_program(caller)) {
        __atomic_store_n(&descriptor_maker[fd], (uintptr_t)offset_of(caller), __ATOMIC_SEQ_CST);
    }
    return fd;
}

void fault_unmade(int fd)
{
    if (fd >= 0 && fd < LOG_FD_MIN) {
        __atomic_store_n(&descriptor_maker[fd], (uintptr_t)0, __ATOMIC_SEQ_CST);
    }
}

void *fault_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}
