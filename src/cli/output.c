/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the report goes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* Set when the program has said why it fails. */
static bool is_failure_said;

void cli_output_failure_said(void)
{
    is_failure_said = true;
}

/* At exit: what --help and --version print goes out only now. */
static void finish_stdout(void)
{
    bool has_failed = ferror(stdout) != 0;
    if ((fclose(stdout) != 0 || has_failed) && !is_failure_said) {
        (void)fprintf(stderr, "compadvise: cannot write to the standard output\n");
        _exit(CLI_EXIT_FAILED);
    }
}

void cli_output_guard(void)
{
    /* The wrong way round for each stream, so that using it still fails. */
    static const int flags[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            /* The lowest free number is this one: those below are taken. */
            (void)open("/dev/null", flags[fd]);
        }
    }
    (void)atexit(finish_stdout);
}

/* A pipe, a device: there is nothing to rename. A link to nothing: what it names is made. */
static bool is_written_directly(const char *path)
{
    struct stat status;
    struct stat standard;
    if (stat(path, &status) != 0) {
        return lstat(path, &status) == 0;
    }
    /* "-o /dev/stdout >FILE": the shell's file, which a new one in its place would not be. */
    bool is_stdout = fstat(STDOUT_FILENO, &standard) == 0 && status.st_dev == standard.st_dev &&
                     status.st_ino == standard.st_ino;
    return is_stdout || !S_ISREG(status.st_mode);
}

/* In new memory: the path that is to be replaced, which is not that of a link; NULL with errno. */
static char *resolve(const char *path)
{
    char *resolved = realpath(path, NULL);
    return resolved == NULL && errno == ENOENT ? strdup(path) : resolved;
}

/* "DIR/FILE" gives "DIR/.compadvise.XXXXXX" in new memory: FILE may be as long as a name can be. */
static char *name_beside(const char *path)
{
    static const char base[] = ".compadvise.XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t directory_bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *name = malloc(directory_bytes + sizeof base);
    if (name != NULL) {
        memcpy(name, path, directory_bytes);
        memcpy(name + directory_bytes, base, sizeof base);
    }
    return name;
}

/* In new memory: where the new file goes before it is renamed. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
}

/* 0, or the errno that the write would fail with. */
static int foresee(const char *path)
{
    struct stat status;
    if (path[0] == '\0') {
        return ENOENT;
    }
    bool is_there = stat(path, &status) == 0;
    if (!is_there && errno != ENOENT) {
        return errno;
    }
    if (is_there && S_ISDIR(status.st_mode)) {
        return EISDIR;
    }
    if (is_there && access(path, W_OK) != 0) {
        return errno;
    }
    if (is_written_directly(path)) {
        return 0;
    }
    char *resolved = resolve(path);
    char *directory = resolved == NULL ? NULL : directory_of(resolved);
    int problem = directory != NULL && access(directory, W_OK | X_OK) == 0 ? 0 : errno;
    free(directory);
    free(resolved);
    return problem;
}

static enum cadv_status cannot_write(const char *path, int problem, struct cadv_error *err)
{
    return cadv_error_set(err, CADV_ERR_OUTPUT, problem, "cannot write the report to '%s'",
                          path);
}

enum cadv_status cli_output_check(const char *path, struct cadv_error *err)
{
    if (path == NULL) {
        return CADV_OK;
    }
    int problem = foresee(path);
    return problem == 0 ? CADV_OK : cannot_write(path, problem, err);
}

/* "auto" is a terminal that has not been told otherwise, see no-color.org. */
static bool is_colored(enum cli_when when, FILE *out)
{
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (when != CLI_WHEN_AUTO) {
        return when == CLI_WHEN_ALWAYS;
    }
    return (refused == NULL || refused[0] == '\0') && isatty(fileno(out)) == 1 &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

/* The report's writer knows the stream only; the user wants to read which file it was. */
static enum cadv_status write_to(FILE *out, const struct cli_arguments *arguments,
                                 const struct cadv_result *result, struct cadv_error *err)
{
    struct cadv_report_options options = arguments->report;
    options.is_colored = is_colored(arguments->color, out);
    enum cadv_status status = cadv_report_write(result, &options, out, err);
    return status == CADV_ERR_OUTPUT && arguments->output_path != NULL
               ? cannot_write(arguments->output_path, err->saved_errno, err)
               : status;
}

static enum cadv_status write_directly(const struct cli_arguments *arguments,
                                       const struct cadv_result *result, struct cadv_error *err)
{
    FILE *out = fopen(arguments->output_path, "we");
    if (out == NULL) {
        return cannot_write(arguments->output_path, errno, err);
    }
    enum cadv_status status = write_to(out, arguments, result, err);
    if (fclose(out) != 0 && status == CADV_OK) {
        status = cannot_write(arguments->output_path, errno, err);
    }
    return status;
}

/* Permissions as for any new file, or those of the file that is replaced. */
static mode_t mode_for(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        return status.st_mode & 0777;
    }
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

static enum cadv_status write_beside(const struct cli_arguments *arguments,
                                     const struct cadv_result *result, struct cadv_error *err)
{
    char *path = resolve(arguments->output_path);
    char *name = path == NULL ? NULL : name_beside(path);
    if (name == NULL) {
        free(path);
        return cadv_error_set(err, CADV_ERR_NOMEM, 0, "out of memory while writing the report");
    }
    enum cadv_status status = CADV_OK;
    int fd = mkostemp(name, O_CLOEXEC);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (out == NULL) {
        status = cannot_write(path, errno, err);
        if (fd >= 0) {
            (void)close(fd);
        }
    } else {
        status = write_to(out, arguments, result, err);
        /* Some file systems know no modes; the report is worth more than its bits. */
        (void)fchmod(fd, mode_for(path));
        bool is_safe = fsync(fd) == 0;
        is_safe = fclose(out) == 0 && is_safe;
        if (status == CADV_OK && (!is_safe || rename(name, path) != 0)) {
            status = cannot_write(path, errno, err);
        }
    }
    if (status != CADV_OK && fd >= 0) {
        (void)unlink(name);
    }
    free(name);
    free(path);
    return status;
}

enum cadv_status cli_output_write(const struct cli_arguments *arguments,
                                  const struct cadv_result *result, struct cadv_error *err)
{
    if (arguments->output_path == NULL) {
        enum cadv_status status = write_to(stdout, arguments, result, err);
        if (status != CADV_OK) {
            /* It is said once: nothing is left to fail at exit. */
            __fpurge(stdout);
            clearerr(stdout);
        }
        return status;
    }
    return is_written_directly(arguments->output_path) ? write_directly(arguments, result, err)
                                                       : write_beside(arguments, result, err);
}
