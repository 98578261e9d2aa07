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
 *                   by libraries count as well. ERRNO -N: no failure, but signal N before the call.
 *
 *   call NAME OFFSET  a call; where it returns to, as objdump counts
 *   hit NAME OFFSET   it failed
 *   stderr            it was to write on the standard error
 *   held WHERE OFFSET memory or a descriptor made there that is left at the end, WHERE being
 *                     "program", "descriptor" or the name of a library
 *   end               the lines of the leaks are complete
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/fault_heap.h"

/* High enough not to change which numbers the program's own files get. */
enum { LOG_FD_MIN = 400 };

/* Long enough for another thread to take a signal. */
enum { SIGNAL_US = 50000 };

enum { FAULTS_MAX = 4, NAME_MAX_BYTES = 32 };

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

/* Set once before main(). */
static int log_fd = -1;
static uintptr_t text_start;
static uintptr_t text_end;
static uintptr_t load_address;
static struct fault faults[FAULTS_MAX];
static size_t fault_count;

/* Who made each descriptor, as an offset in the program; 0: not the program. Atomic. */
static uintptr_t descriptor_maker[LOG_FD_MIN];

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (void)syscall(SYS_write, log_fd, line, (size_t)length);
}

static bool is_program(const void *caller)
{
    return (uintptr_t)caller >= text_start && (uintptr_t)caller < text_end;
}

static unsigned long offset_of(const void *caller)
{
    return (unsigned long)((uintptr_t)caller - load_address);
}

static bool is_hit(struct fault *fault, const char *name, const void *caller)
{
    if (strcmp(name, fault->name) != 0 || (!is_program(caller) && !fault->counts_anyone) ||
        (fault->offset != 0 && fault->offset != offset_of(caller))) {
        return false;
    }
    unsigned long number = __atomic_add_fetch(&fault->calls_made, 1, __ATOMIC_SEQ_CST);
    return number >= fault->first && number <= fault->last;
}

/* Notes the call; true, with errno set, when it is to fail. */
static bool fails(const char *name, const void *caller)
{
    int saved = errno;
    int error = saved;
    bool is_failing = false;
    if (log_fd < 0) {
        return false;
    }
    if (is_program(caller)) {
        say("call %s %lx\n", name, offset_of(caller));
    }
    for (size_t i = 0; i < fault_count; i++) {
        /* Each counts all calls, those that another made fail, too. */
        if (is_hit(&faults[i], name, caller) && !is_failing) {
            is_failing = true;
            error = faults[i].error;
        }
    }
    if (is_failing) {
        say("hit %s %lx\n", name, is_program(caller) ? offset_of(caller) : 0);
    }
    if (is_failing && error < 0) {
        (void)kill(getpid(), -error);
        (void)usleep(SIGNAL_US);
        is_failing = false;
        error = saved;
    }
    errno = error;
    return is_failing;
}

/* After fails(): does it do part of its work? */
static bool is_partial(void)
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
    if (is_program(maker)) {
        say("held program %lx\n", offset_of(maker));
    } else if (dladdr(maker, &found) != 0 && found.dli_fname != NULL) {
        const char *slash = strrchr(found.dli_fname, '/');
        say("held %s %lx\n", slash == NULL ? found.dli_fname : slash + 1,
            (unsigned long)((uintptr_t)maker - (uintptr_t)found.dli_fbase));
    }
}

__attribute__((destructor)) static void finish(void)
{
    if (log_fd < 0) {
        return;
    }
    heap_watch(false);
    heap_visit(report_held);
    /* What stands in for a standard stream that was closed stays. */
    for (int fd = STDERR_FILENO + 1; fd < LOG_FD_MIN; fd++) {
        if (descriptor_maker[fd] != 0 && fcntl(fd, F_GETFD) >= 0) {
            say("held descriptor %lx\n", (unsigned long)descriptor_maker[fd]);
        }
    }
    say("end\n");
}

/* Remembers who made the descriptor, so that finish() can tell who has left it open. */
static int made(int fd, const void *caller)
{
    if (fd >= 0 && fd < LOG_FD_MIN && is_program(caller)) {
        __atomic_store_n(&descriptor_maker[fd], (uintptr_t)offset_of(caller), __ATOMIC_SEQ_CST);
    }
    return fd;
}

static void unmade(int fd)
{
    if (fd >= 0 && fd < LOG_FD_MIN) {
        __atomic_store_n(&descriptor_maker[fd], (uintptr_t)0, __ATOMIC_SEQ_CST);
    }
}

#define CALLER __builtin_return_address(0)
/* The function that this one stands before. */
#define NEXT(name) ((__typeof__(&name))next(#name))

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}

/* Memory: glibc's own entry points, because dlsym() itself allocates. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes)
{
    return fails("malloc", CALLER) ? NULL : heap_add(__libc_malloc(bytes), CALLER);
}

void *calloc(size_t count, size_t bytes)
{
    return fails("calloc", CALLER) ? NULL : heap_add(__libc_calloc(count, bytes), CALLER);
}

void *realloc(void *old, size_t bytes)
{
    if (fails("realloc", CALLER)) {
        return NULL;
    }
    heap_remove(old);
    void *grown = __libc_realloc(old, bytes);
    return heap_add(grown == NULL && bytes > 0 ? old : grown, CALLER) == NULL ? NULL : grown;
}

void free(void *memory)
{
    heap_remove(memory);
    __libc_free(memory);
}

static char *copy(const char *text, size_t bytes, const void *caller)
{
    char *made_copy = __libc_malloc(bytes + 1);
    if (made_copy != NULL) {
        memcpy(made_copy, text, bytes);
        made_copy[bytes] = '\0';
    }
    return heap_add(made_copy, caller);
}

char *strdup(const char *text)
{
    return fails("strdup", CALLER) ? NULL : copy(text, strlen(text), CALLER);
}

char *strndup(const char *text, size_t bytes)
{
    return fails("strndup", CALLER) ? NULL : copy(text, strnlen(text, bytes), CALLER);
}

char *realpath(const char *path, char *resolved)
{
    return fails("realpath", CALLER) ? NULL : NEXT(realpath)(path, resolved);
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
    return fails("open", CALLER) ? -1 : made(NEXT(open)(path, flags, mode), CALLER);
}

int openat(int base, const char *path, int flags, ...)
{
    mode_t mode = MODE_AFTER(flags);
    return fails("openat", CALLER) ? -1 : made(NEXT(openat)(base, path, flags, mode), CALLER);
}

int mkostemp(char *name, int flags)
{
    return fails("mkostemp", CALLER) ? -1 : made(NEXT(mkostemp)(name, flags), CALLER);
}

int close(int fd)
{
    bool is_failing = fails("close", CALLER);
    int saved = errno;
    unmade(fd);
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
    bool is_failing = fails("read", CALLER);
    return is_failing && !is_partial() ? -1 : NEXT(read)(fd, buffer, is_failing ? 1 : bytes);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    bool is_failing = fails("write", CALLER);
    return is_failing && !is_partial() ? -1 : NEXT(write)(fd, data, is_failing ? 1 : bytes);
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    bool is_failing = fails("pread", CALLER);
    return is_failing && !is_partial()
               ? -1
               : NEXT(pread)(fd, buffer, is_failing ? 1 : bytes, offset);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    bool is_failing = fails("pwrite", CALLER);
    return is_failing && !is_partial() ? -1
                                       : NEXT(pwrite)(fd, data, is_failing ? 1 : bytes, offset);
}

/* Streams: a failure shows in ferror() too. */
static int fail_stream(FILE *stream)
{
    int saved = errno;
    if (stream == stderr) {
        say("stderr\n");
    }
    stream->_flags |= 0x20;
    errno = saved;
    return EOF;
}

int fflush(FILE *stream)
{
    return fails("fflush", CALLER) ? fail_stream(stream) : NEXT(fflush)(stream);
}

int fputc(int byte, FILE *stream)
{
    return fails("fputc", CALLER) ? fail_stream(stream) : NEXT(fputc)(byte, stream);
}

int fputs(const char *text, FILE *stream)
{
    return fails("fputs", CALLER) ? fail_stream(stream) : NEXT(fputs)(text, stream);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    if (fails("fwrite", CALLER)) {
        (void)fail_stream(stream);
        return 0;
    }
    return NEXT(fwrite)(data, size, count, stream);
}

int fprintf(FILE *stream, const char *format, ...)
{
    if (fails("fprintf", CALLER)) {
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
    bool is_failing = fails("fclose", CALLER);
    int saved = errno;
    unmade(fileno(stream));
    int rc = NEXT(fclose)(stream);
    if (is_failing) {
        errno = saved;
        return EOF;
    }
    return rc;
}

int asprintf(char **text, const char *format, ...)
{
    if (fails("asprintf", CALLER)) {
        *text = NULL;
        return -1;
    }
    va_list args;
    va_start(args, format);
    int rc = vasprintf(text, format, args);
    va_end(args);
    return rc;
}

/* FORWARD(TYPE, FAILED, NAME, (PARAMETERS), (ARGUMENTS)): calls that fail and do nothing then. */
#define FORWARD(type, failed, name, parameters, arguments)                                     \
    type name parameters                                                                       \
    {                                                                                          \
        return fails(#name, CALLER) ? (failed) : NEXT(name) arguments;                         \
    }

FORWARD(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
FORWARD(FILE *, NULL, fdopen, (int fd, const char *mode), (fd, mode))
FORWARD(DIR *, NULL, opendir, (const char *path), (path))
FORWARD(DIR *, NULL, fdopendir, (int fd), (fd))
FORWARD(struct dirent *, NULL, readdir, (DIR * stream), (stream))
FORWARD(int, -1, stat, (const char *path, struct stat *status), (path, status))
FORWARD(int, -1, lstat, (const char *path, struct stat *status), (path, status))
FORWARD(int, -1, fstat, (int fd, struct stat *status), (fd, status))
FORWARD(int, -1, fstatat, (int base, const char *path, struct stat *status, int flags),
        (base, path, status, flags))
FORWARD(ssize_t, -1, readlinkat, (int base, const char *path, char *target, size_t bytes),
        (base, path, target, bytes))
FORWARD(int, -1, access, (const char *path, int mode), (path, mode))
/* Nothing of a test needs to outlive the machine. */
int fsync(int fd)
{
    (void)fd;
    return fails("fsync", CALLER) ? -1 : 0;
}

int fdatasync(int fd)
{
    (void)fd;
    return fails("fdatasync", CALLER) ? -1 : 0;
}

/*
 * What the program measures the machine by takes most of a run on a small tree; only its time is
 * used, which no test looks at here. So long data are worked on in part.
 */
enum { MEASURED_MAX_BYTES = 1 << 16 };

static size_t shortened(size_t bytes)
{
    return bytes < MEASURED_MAX_BYTES ? bytes : MEASURED_MAX_BYTES;
}

int EVP_Digest(const void *data, size_t bytes, unsigned char *digest, unsigned *digest_bytes,
               const EVP_MD *type, ENGINE *engine)
{
    return NEXT(EVP_Digest)(data, shortened(bytes), digest, digest_bytes, type, engine);
}

unsigned char *HMAC(const EVP_MD *type, const void *key, int key_bytes,
                    const unsigned char *data, size_t bytes, unsigned char *digest,
                    unsigned *digest_bytes)
{
    return NEXT(HMAC)(type, key, key_bytes, data, shortened(bytes), digest, digest_bytes);
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
    return fails("ioctl", CALLER) ? -1 : NEXT(ioctl)(fd, request, argument);
}

FORWARD(int, errno, pthread_create,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *),
         void *arg),
        (thread, attributes, body, arg))
