/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay_main.c - main() for a fuzz target in builds without libFuzzer: runs it once on each seed,
 * so that every compiler and sanitizer sees them.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Enough for any seed; a longer file is run on its first part. */
#define SEED_BYTES_MAX (16U * 1024U * 1024U)

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(SEED_BYTES_MAX);
    int failed = file == NULL || data == NULL;
    if (!failed) {
        size_t size = fread(data, 1, SEED_BYTES_MAX, file);
        failed = ferror(file);
        /* A copy of the exact size, so that a sanitizer sees reads past the end. */
        uint8_t *exact = malloc(size + (size == 0));
        for (size_t i = 0; exact != NULL && i < size; i++) {
            exact[i] = data[i];
        }
        failed |= exact == NULL || LLVMFuzzerTestOneInput(exact, size) != 0;
        free(exact);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    free(data);
    return failed;
}

int main(int argc, char **argv)
{
    unsigned seeds = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        struct dirent *entry = NULL;
        while (folder != NULL && (entry = readdir(folder)) != NULL) {
            char path[4096];
            int length = snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof path) {
                continue;
            }
            (void)printf("%s\n", path);
            if (replay_file(path) != 0) {
                return EXIT_FAILURE;
            }
            seeds++;
        }
        if (folder != NULL) {
            (void)closedir(folder);
        }
    }
    (void)printf("%u seeds\n", seeds);
    return seeds > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
