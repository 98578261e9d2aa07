/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the report goes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"

/* A pipe, a device: there is nothing to rename. */
static bool is_written_directly(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* "DIR/FILE" gives "DIR/.FILE.XXXXXX" in new memory. */
static char *name_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    int directory_bytes = slash == NULL ? 0 : (int)(slash - path) + 1;
    char *name = NULL;
    int length =
        asprintf(&name, "%.*s.%s.XXXXXX", directory_bytes, path, path + directory_bytes);
    return length < 0 ? NULL : name;
}

enum cadv_status cli_output_check(const char *path, struct cadv_error *err)
{
    if (path == NULL) {
        return CADV_OK;
    }
    struct stat status;
    bool is_there = stat(path, &status) == 0;
    int problem = 0;
    if (path[0] == '\0') {
        problem = ENOENT;
    } else if (is_there && S_ISDIR(status.st_mode)) {
        problem = EISDIR;
    } else if (is_there && access(path, W_OK) != 0) {
        problem = errno;
    } else if (!is_there || S_ISREG(status.st_mode)) {
        const char *slash = strrchr(path, '/');
        char *directory =
            slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
        if (directory == NULL) {
            return error_nomem(err, "checking the output");
        }
        problem = access(directory, W_OK | X_OK) == 0 ? 0 : errno;
        free(directory);
    }
    return problem == 0 ? CADV_OK
                        : error_errno(err, CADV_ERR_OUTPUT, problem,
                                      "cannot write the report to '%s'", path);
}

static enum cadv_status write_to(FILE *out, const struct cli_arguments *arguments,
                                 const struct cadv_result *result, struct cadv_error *err)
{
    enum cadv_status status =
        cadv_report_write(result, arguments->format, arguments->verbosity, out, err);
    if (status == CADV_ERR_OUTPUT && arguments->output_path != NULL) {
        /* The writer does not know where it writes to. */
        status = error_errno(err, status, err->saved_errno, "cannot write the report to '%s'",
                             arguments->output_path);
    }
    return status;
}

static enum cadv_status write_directly(const struct cli_arguments *arguments,
                                       const struct cadv_result *result, struct cadv_error *err)
{
    FILE *out = fopen(arguments->output_path, "we");
    if (out == NULL) {
        return error_errno(err, CADV_ERR_OUTPUT, errno, "cannot write the report to '%s'",
                           arguments->output_path);
    }
    enum cadv_status status = write_to(out, arguments, result, err);
    if (fclose(out) != 0 && status == CADV_OK) {
        status = error_errno(err, CADV_ERR_OUTPUT, errno, "cannot write the report to '%s'",
                             arguments->output_path);
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
    const char *path = arguments->output_path;
    char *name = name_beside(path);
    if (name == NULL) {
        return error_nomem(err, "writing the report");
    }
    enum cadv_status status = CADV_OK;
    int fd = mkostemp(name, O_CLOEXEC);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (out == NULL) {
        status =
            error_errno(err, CADV_ERR_OUTPUT, errno, "cannot write the report to '%s'", path);
    } else {
        status = write_to(out, arguments, result, err);
        bool is_safe = fchmod(fd, mode_for(path)) == 0 && fsync(fd) == 0;
        is_safe = fclose(out) == 0 && is_safe;
        if (status == CADV_OK && (!is_safe || rename(name, path) != 0)) {
            status = error_errno(err, CADV_ERR_OUTPUT, errno, "cannot write the report to '%s'",
                                 path);
        }
    }
    if (status != CADV_OK && fd >= 0) {
        (void)unlink(name);
    }
    free(name);
    return status;
}

enum cadv_status cli_output_write(const struct cli_arguments *arguments,
                                  const struct cadv_result *result, struct cadv_error *err)
{
    if (arguments->output_path == NULL) {
        enum cadv_status status = write_to(stdout, arguments, result, err);
        if (status == CADV_OK && fclose(stdout) != 0) {
            status = error_errno(err, CADV_ERR_OUTPUT, errno,
                                 "cannot write the report to the standard output");
        }
        return status;
    }
    return is_written_directly(arguments->output_path) ? write_directly(arguments, result, err)
                                                       : write_beside(arguments, result, err);
}
