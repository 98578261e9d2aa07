/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that faults.so stands before; see faults.c. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "support/fault_heap.h"
#include "support/faults.h"

/*
 * Memory: glibc's own entry points, because dlsym() itself allocates; in a program with the address
 * sanitizer its entry points.
 */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *memory);
__attribute__((weak)) void *__interceptor_malloc(size_t bytes);
__attribute__((weak)) void *__interceptor_calloc(size_t count, size_t bytes);
__attribute__((weak)) void *__interceptor_realloc(void *old, size_t bytes);
__attribute__((weak)) void __interceptor_free(void *memory);

#define MEMORY(name) (__interceptor_##name != NULL ? __interceptor_##name : __libc_##name)

void *malloc(size_t bytes)
{
    return fault_hits("malloc", CALLER) ? NULL : heap_add(MEMORY(malloc)(bytes), CALLER);
}

void *calloc(size_t count, size_t bytes)
{
    return fault_hits("calloc", CALLER) ? NULL : heap_add(MEMORY(calloc)(count, bytes), CALLER);
}

void *realloc(void *old, size_t bytes)
{
    if (fault_hits("realloc", CALLER)) {
        return NULL;
    }
    heap_remove(old);
    void *grown = MEMORY(realloc)(old, bytes);
    return heap_add(grown == NULL && bytes > 0 ? old : grown, CALLER) == NULL ? NULL : grown;
}

void free(void *memory)
{
    heap_remove(memory);
    MEMORY(free)(memory);
}

static char *copy(const char *text, size_t bytes, const void *caller)
{
    char *made_copy = MEMORY(malloc)(bytes + 1);
    if (made_copy != NULL) {
        memcpy(made_copy, text, bytes);
        made_copy[bytes] = '\0';
    }
    return heap_add(made_copy, caller);
}

char *strdup(const char *text)
{
    return fault_hits("strdup", CALLER) ? NULL : copy(text, strlen(text), CALLER);
}

char *strndup(const char *text, size_t bytes)
{
    return fault_hits("strndup", CALLER) ? NULL : copy(text, strnlen(text, bytes), CALLER);
}

char *realpath(const char *path, char *resolved)
{
    return fault_hits("realpath", CALLER) ? NULL : NEXT(realpath)(path, resolved);
}

/* The mode is there only when a file may be made; reading one that is not does no harm. */
#define MODE_AFTER(flags)                                                                      \
    __extension__({                                                                            \
        va_list args;                                                                          \
        va_start(args, flags);                                                                 \
        mode_t given = va_arg(args, mode_t);                                                   \
        va_end(args);                                                                          \
        given;                                                                                 \
    })

int open(const char *path, int flags, ...)
{
    mode_t mode = MODE_AFTER(flags);
    return fault_hits("open", CALLER) ? -1 : fault_made(NEXT(open)(path, flags, mode), CALLER);
}

int openat(int base, const char *path, int flags, ...)
{
    mode_t mode = MODE_AFTER(flags);
    return fault_hits("openat", CALLER)
               ? -1
               : fault_made(NEXT(openat)(base, path, flags, mode), CALLER);
}

int mkostemp(char *name, int flags)
{
    return fault_hits("mkostemp", CALLER) ? -1
                                          : fault_made(NEXT(mkostemp)(name, flags), CALLER);
}

int close(int fd)
{
    bool is_failing = fault_hits("close", CALLER);
    int saved = errno;
    fault_unmade(fd);
    /* As the kernel does it: closed all the same. */
    int rc = NEXT(close)(fd);
    if (is_failing) {
        errno = saved;
        return -1;
    }
    return rc;
}

/* A partial call does one byte only, which no caller may take for the end. */
ssize_t read(int fd, void *buffer, size_t bytes)
{
    bool is_failing = fault_hits("read", CALLER);
    return is_failing && !fault_is_partial() ? -1
                                             : NEXT(read)(fd, buffer, is_failing ? 1 : bytes);
}

/* Long data only measure the disk. */
ssize_t write(int fd, const void *data, size_t bytes)
{
    bool is_failing = fault_hits("write", CALLER);
    if (is_failing) {
        return fault_is_partial() ? NEXT(write)(fd, data, 1) : -1;
    }
    bool is_measured = bytes > FAULT_MEASURED_MAX_BYTES;
    ssize_t written = NEXT(write)(fd, data, is_measured ? FAULT_MEASURED_MAX_BYTES : bytes);
    return is_measured && written > 0 ? (ssize_t)bytes : written;
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    bool is_failing = fault_hits("pread", CALLER);
    return is_failing && !fault_is_partial()
               ? -1
               : NEXT(pread)(fd, buffer, is_failing ? 1 : bytes, offset);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    bool is_failing = fault_hits("pwrite", CALLER);
    return is_failing && !fault_is_partial()
               ? -1
               : NEXT(pwrite)(fd, data, is_failing ? 1 : bytes, offset);
}

/* Streams: a failure shows in ferror() too. */
static int fail_stream(FILE *stream)
{
    int saved = errno;
    if (stream == stderr) {
        fault_say("stderr\n");
    }
    stream->_flags |= 0x20;
    errno = saved;
    return EOF;
}

int fflush(FILE *stream)
{
    return fault_hits("fflush", CALLER) ? fail_stream(stream) : NEXT(fflush)(stream);
}

int fputc(int byte, FILE *stream)
{
    return fault_hits("fputc", CALLER) ? fail_stream(stream) : NEXT(fputc)(byte, stream);
}

int fputs(const char *text, FILE *stream)
{
    return fault_hits("fputs", CALLER) ? fail_stream(stream) : NEXT(fputs)(text, stream);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    if (fault_hits("fwrite", CALLER)) {
        (void)fail_stream(stream);
        return 0;
    }
    return NEXT(fwrite)(data, size, count, stream);
}

int fprintf(FILE *stream, const char *format, ...)
{
    if (fault_hits("fprintf", CALLER)) {
        return fail_stream(stream);
    }
    va_list args;
    va_start(args, format);
    int rc = vfprintf(stream, format, args);
    va_end(args);
    return rc;
}

int fclose(FILE *stream)
{
    bool is_failing = fault_hits("fclose", CALLER);
    int saved = errno;
    fault_unmade(fileno(stream));
    int rc = NEXT(fclose)(stream);
    if (is_failing) {
        errno = saved;
        return EOF;
    }
    return rc;
}

int asprintf(char **text, const char *format, ...)
{
    if (fault_hits("asprintf", CALLER)) {
        *text = NULL;
        return -1;
    }
    va_list args;
    va_start(args, format);
    int rc = vasprintf(text, format, args);
    va_end(args);
    return rc;
}

FORWARD(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
FORWARD(FILE *, NULL, fdopen, (int fd, const char *mode), (fd, mode))
FORWARD(DIR *, NULL, opendir, (const char *path), (path))
FORWARD(DIR *, NULL, fdopendir, (int fd), (fd))
FORWARD(FILE *, NULL, open_memstream, (char **text, size_t *bytes), (text, bytes))
FORWARD(struct dirent *, NULL, readdir, (DIR * stream), (stream))
FORWARD(int, -1, stat, (const char *path, struct stat *status), (path, status))
FORWARD(int, -1, lstat, (const char *path, struct stat *status), (path, status))
FORWARD(int, -1, fstat, (int fd, struct stat *status), (fd, status))
FORWARD(int, -1, fstatat, (int base, const char *path, struct stat *status, int flags),
        (base, path, status, flags))
FORWARD(ssize_t, -1, readlinkat, (int base, const char *path, char *target, size_t bytes),
        (base, path, target, bytes))
FORWARD(int, -1, fstatfs, (int fd, struct statfs *system), (fd, system))
FORWARD(int, -1, access, (const char *path, int mode), (path, mode))
/* Nothing of a test needs to outlive the machine. */
int fsync(int fd)
{
    (void)fd;
    return fault_hits("fsync", CALLER) ? -1 : 0;
}

int fdatasync(int fd)
{
    (void)fd;
    return fault_hits("fdatasync", CALLER) ? -1 : 0;
}

FORWARD(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
FORWARD(int, -1, rename, (const char *from, const char *to), (from, to))
FORWARD(int, -1, unlink, (const char *path), (path))
FORWARD(int, -1, fallocate, (int fd, int mode, off_t offset, off_t bytes),
        (fd, mode, offset, bytes))
FORWARD(off_t, -1, lseek, (int fd, off_t offset, int whence), (fd, offset, whence))
FORWARD(int, errno, posix_fadvise, (int fd, off_t offset, off_t bytes, int advice),
        (fd, offset, bytes, advice))
FORWARD(ssize_t, -1, fgetxattr, (int fd, const char *name, void *value, size_t bytes),
        (fd, name, value, bytes))
FORWARD(ssize_t, -1, lgetxattr, (const char *path, const char *name, void *value, size_t bytes),
        (path, name, value, bytes))
FORWARD(ssize_t, -1, flistxattr, (int fd, char *list, size_t bytes), (fd, list, bytes))
FORWARD(ssize_t, -1, llistxattr, (const char *path, char *list, size_t bytes),
        (path, list, bytes))
int ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    return fault_hits("ioctl", CALLER) ? -1 : NEXT(ioctl)(fd, request, argument);
}

FORWARD(int, -1, poll, (struct pollfd * wanted, nfds_t count, int wait_ms),
        (wanted, count, wait_ms))
FORWARD(int, -1, gethostname, (char *name, size_t bytes), (name, bytes))
FORWARD(int, -1, sched_getaffinity, (pid_t process, size_t bytes, cpu_set_t *allowed),
        (process, bytes, allowed))
FORWARD(int, -1, setenv, (const char *name, const char *value, int is_forced),
        (name, value, is_forced))
FORWARD(locale_t, (locale_t)0, newlocale, (int mask, const char *name, locale_t base),
        (mask, name, base))
FORWARD(int, errno, getpwuid_r,
        (uid_t uid, struct passwd *entry, char *buffer, size_t bytes, struct passwd **found),
        (uid, entry, buffer, bytes, found))
FORWARD(int, errno, getgrgid_r,
        (gid_t gid, struct group *entry, char *buffer, size_t bytes, struct group **found),
        (gid, entry, buffer, bytes, found))
FORWARD(error_t, errno, argp_parse,
        (const struct argp *parser, int argc, char **argv, unsigned flags, int *index,
         void *input),
        (parser, argc, argv, flags, index, input))

int closedir(DIR *stream)
{
    bool is_failing = fault_hits("closedir", CALLER);
    int saved = errno;
    int rc = NEXT(closedir)(stream);
    if (is_failing) {
        errno = saved;
        return -1;
    }
    return rc;
}

/* Ends the program without what is done at its end. */
_Noreturn void _exit(int code)
{
    fault_say_calls();
    NEXT(_exit)(code);
    abort();
}

FORWARD(int, errno, pthread_create,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *),
         void *arg),
        (thread, attributes, body, arg))
