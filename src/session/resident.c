/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/resident.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of kB behind `name` in /proc/self/status, in bytes. */
static uint64_t status_bytes(const char *name)
{
    char text[4096];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    ssize_t count = read(fd, text, sizeof text - 1);
    (void)close(fd);
    text[count > 0 ? count : 0] = '\0';
    const char *line = strstr(text, name);
    /* Blanks come before the number, and its unit behind it. */
    return line == NULL ? 0 : (uint64_t)strtoull(line + strlen(name), NULL, 10) * 1024U;
}

uint64_t resident_bytes(void)
{
    return status_bytes("VmRSS:");
}

uint64_t resident_peak_bytes(void)
{
    return status_bytes("VmHWM:");
}
