/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/readfile.h"

#include <stdio.h>
#include <stdlib.h>

static _Noreturn void give_up(const char *path)
{
    perror(path);
    exit(EXIT_FAILURE);
}

uint8_t *readfile(const char *path, size_t *data_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        give_up(path);
    }

    uint8_t *data = NULL;
    size_t used = 0;
    size_t capacity = 0;
    for (;;) {
        if (used == capacity) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            uint8_t *larger = realloc(data, capacity);
            if (larger == NULL) {
                give_up(path);
            }
            data = larger;
        }
        size_t got = fread(data + used, 1, capacity - used, file);
        if (got == 0) {
            break;
        }
        used += got;
    }
    if (ferror(file) || fclose(file) != 0) {
        give_up(path);
    }
    *data_bytes = used;
    return data;
}
