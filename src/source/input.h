/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source/input.h - bytes of something that may keep its reader waiting: standard input, a pipe, a
 * device, an archive's file. No read blocks for longer than a moment, so that a stop is heeded even
 * when nobody ever writes.
 *
 * One thread uses an input; only `stop` is shared.
 */
#ifndef SOURCE_INPUT_H
#define SOURCE_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct source_input {
    int fd;
    /** False for standard input, which stays open. */
    bool is_owned;
    bool is_seekable;
    /** Ends all waiting when not 0; set from any thread. Borrowed. */
    const atomic_int *stop;
    /** A read was given up because of `stop`. */
    bool is_stopped;
    /** errno of the first read that failed; 0: none. */
    int problem;
    /** Bytes read so far, those read again after a seek included. */
    uint64_t read_bytes;
    /** Seconds inside read(), and waiting for something to read. */
    double read_s;
    /** As it was when opened. */
    struct stat status;
};

/** Opens `path`, "-" being standard input: 0, or an errno (EISDIR for a directory). */
int source_input_open(struct source_input *input, const char *path, const atomic_int *stop);

/**
 * Opens the FIFO or device `name` in the directory `fd` without waiting for a writer; a symbolic
 * link is followed. ENOENT when it is neither. 0 or an errno.
 */
int source_input_special(struct source_input *input, int fd, const char *name,
                         const atomic_int *stop);

/** At least one byte into `buffer` and how many, 0 at the end, or -1 (see problem, is_stopped). */
ssize_t source_input_some(struct source_input *input, uint8_t *buffer, size_t bytes);

/**
 * As source_read(): fills `buffer` unless the input ends. 0 or an errno; a stop looks like the end.
 */
int source_input_read(struct source_input *input, uint8_t *buffer, size_t bytes, size_t *got);

void source_input_close(struct source_input *input);

#endif
