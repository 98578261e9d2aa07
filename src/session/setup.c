/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person and a host choose, as the target notes it. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/run.h"

/* Borg takes the first of these that is set (Python's getpass.getuser does), else asks the system. */
static void find_username(struct run *run)
{
    static const char *const variables[] = {"LOGNAME", "USER", "LNAME", "USERNAME"};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (name == NULL && value != NULL && value[0] != '\0') {
            name = value;
        }
    }
    struct passwd entry;
    struct passwd *found = NULL;
    char storage[4096];
    if (name == NULL) {
        int problem = getpwuid_r(getuid(), &entry, storage, sizeof storage, &found);
        name = problem == 0 && found != NULL ? found->pw_name : NULL;
        if (problem != 0) {
            run_warn(run, "this user's name could not be looked up (%s): taken for 'root'",
                     strerror(problem));
        }
    }
    (void)snprintf(run->result->username, sizeof run->result->username, "%s",
                   name == NULL ? "root" : name);
}

/* A name longer than the buffer may come without its end. */
static void find_hostname(struct run *run)
{
    if (gethostname(run->result->hostname, sizeof run->result->hostname - 1) != 0) {
        run_warn(run, "this host's name could not be read (%s): taken for 'localhost'",
                 strerror(errno));
        (void)snprintf(run->result->hostname, sizeof run->result->hostname, "localhost");
    }
}

enum cadv_status run_setup(struct run *run, struct cadv_error *err)
{
    const struct cadv_options *options = &run->options;
    const struct target_encryption *encryption = run->target->encryption(options->encryption);
    if (encryption == NULL) {
        return error_set(err, CADV_ERR_USAGE, "unknown encryption '%s'; there are %s",
                         options->encryption, run->target->encryption_names);
    }
    if (options->archive_name[0] == '\0' || strchr(options->archive_name, '/') != NULL ||
        strlen(options->archive_name) > 255) {
        return error_set(err, CADV_ERR_USAGE,
                         "the archive's name must be 1 to 255 bytes long and without '/'");
    }
    find_username(run);
    find_hostname(run);
    run->setup = (struct target_setup){.encryption = encryption,
                                       .chunker = &run->options.chunker,
                                       .archive_name = options->archive_name,
                                       .hostname = run->result->hostname,
                                       .username = run->result->username};
    return run_collect_trees(run, err);
}
