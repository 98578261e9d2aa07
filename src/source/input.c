/* SPDX-License-Identifier: BSD-2-Clause */
#include "source/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* How long a stop may go unheeded while nothing comes in. */
#define WAIT_MS 100

static int take(struct source_input *input)
{
    int problem = fstat(input->fd, &input->status) == 0 ? 0 : errno;
    if (problem == 0 && S_ISDIR(input->status.st_mode)) {
        problem = EISDIR;
    }
    if (problem != 0) {
        source_input_close(input);
        return problem;
    }
    mode_t mode = input->status.st_mode;
    input->is_seekable = (S_ISREG(mode) || S_ISBLK(mode)) && lseek(input->fd, 0, SEEK_CUR) >= 0;
    if ((S_ISREG(mode) || S_ISBLK(mode)) && !input->is_seekable && errno != ESPIPE) {
        /* From front to back, some archives tell less of their members. */
        problem = errno;
        source_input_close(input);
    }
    return problem;
}

int source_input_open(struct source_input *input, const char *path, const atomic_int *stop)
{
    *input = (struct source_input){.fd = STDIN_FILENO, .stop = stop};
    if (strcmp(path, "-") != 0) {
        /* Not blocking: a FIFO without a writer must not hang the open. */
        input->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        input->is_owned = true;
    }
    return input->fd < 0 ? errno : take(input);
}

int source_input_special(struct source_input *input, int fd, const char *name,
                         const atomic_int *stop)
{
    *input = (struct source_input){.is_owned = true, .stop = stop};
    input->fd = openat(fd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    int problem = input->fd < 0 ? errno : take(input);
    if (problem != 0) {
        return problem == EISDIR ? ENOENT : problem;
    }
    mode_t mode = input->status.st_mode;
    if (!S_ISFIFO(mode) && !S_ISCHR(mode) && !S_ISBLK(mode)) {
        source_input_close(input);
        return ENOENT;
    }
    return 0;
}

/* True when there is something to read, or the end, or an error; false when asked to stop. */
static bool wait_for_bytes(struct source_input *input)
{
    struct pollfd wanted = {.fd = input->fd, .events = POLLIN};
    for (;;) {
        if (atomic_load_explicit(input->stop, memory_order_relaxed) != 0) {
            input->is_stopped = true;
            return false;
        }
        /* What cannot be waited for is always ready. */
        if (S_ISREG(input->status.st_mode) || poll(&wanted, 1, WAIT_MS) > 0) {
            return true;
        }
    }
}

ssize_t source_input_some(struct source_input *input, uint8_t *buffer, size_t bytes)
{
    for (;;) {
        /* Waiting for who writes counts as reading: a backup would wait as well. */
        double before = clock_wall_s();
        ssize_t got = wait_for_bytes(input) ? read(input->fd, buffer, bytes) : -1;
        input->read_s += clock_wall_s() - before;
        if (input->is_stopped) {
            return -1;
        }
        if (got >= 0) {
            input->read_bytes += (uint64_t)got;
            return got;
        }
        if (errno != EINTR && errno != EAGAIN) {
            input->problem = input->problem == 0 ? errno : input->problem;
            return -1;
        }
    }
}

int source_input_read(struct source_input *input, uint8_t *buffer, size_t bytes, size_t *got)
{
    *got = 0;
    while (*got < bytes) {
        ssize_t count = source_input_some(input, buffer + *got, bytes - *got);
        if (count <= 0) {
            return input->problem;
        }
        *got += (size_t)count;
    }
    return 0;
}

void source_input_close(struct source_input *input)
{
    if (input->is_owned && input->fd >= 0) {
        (void)close(input->fd);
    }
    input->fd = -1;
}
