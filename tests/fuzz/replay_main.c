/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TARGET FILE-OR-FOLDER... - main() for a fuzz target in builds without libFuzzer: runs it once
 * on each seed, and on random inputs from a fixed state, so that every compiler and sanitizer
 * sees them. Inputs that once failed become seeds.
 */
#include <dirent.h>
#include <stdio.h>

#include "fuzz_target.h"
#include "support/noise.h"
#include "support/readfile.h"

enum { RANDOM_INPUTS = 1000, RANDOM_BYTES = 4096, SHORT_BYTES = 64 };

static void run_random(void)
{
    struct noise noise = {1};
    for (int i = 0; i < RANDOM_INPUTS; i++) {
        size_t size = (size_t)noise_below(&noise, i % 2 == 0 ? RANDOM_BYTES : SHORT_BYTES);
        /* Of exactly this size, so that sanitizers see the smallest step too far. */
        uint8_t *input = malloc(size > 0 ? size : 1);
        FUZZ_CHECK(input != NULL);
        noise_fill(&noise, input, size);
        (void)LLVMFuzzerTestOneInput(input, size);
        free(input);
    }
}

static void run_file(const char *path)
{
    size_t size = 0;
    uint8_t *data = readfile(path, &size);
    (void)printf("%s\n", path);
    (void)fflush(stdout);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
}

/* The number of seeds run. */
static unsigned run_folder(const char *folder, DIR *entries)
{
    unsigned seeds = 0;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[4096];
        if (entry->d_name[0] == '.') {
            continue;
        }
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FUZZ_CHECK(length > 0 && (size_t)length < sizeof path);
        run_file(path);
        seeds++;
    }
    return seeds;
}

int main(int argc, char **argv)
{
    unsigned seeds = 0;
    for (int i = 1; i < argc; i++) {
        DIR *entries = opendir(argv[i]);
        if (entries == NULL) {
            run_file(argv[i]);
            seeds++;
        } else {
            seeds += run_folder(argv[i], entries);
            (void)closedir(entries);
        }
    }
    run_random();
    (void)printf("%u seeds, %d random inputs\n", seeds, RANDOM_INPUTS);
    return seeds > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
