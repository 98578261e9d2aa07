/* SPDX-License-Identifier: BSD-2-Clause */
/* support/readfile.h - a whole file in memory, for the small programs beside the tests. */
#ifndef SUPPORT_READFILE_H
#define SUPPORT_READFILE_H

#include <stddef.h>
#include <stdint.h>

/** The file's bytes, to be freed; ends the program with a message when it cannot be read. */
uint8_t *readfile(const char *path, size_t *data_bytes);

#endif
