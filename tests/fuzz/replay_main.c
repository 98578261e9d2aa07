/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TARGET COUNT [FILE...] - runs a fuzz target without libFuzzer, in every build: first on COUNT
 * inputs drawn from a fixed seed, then on the files, such as seeds and inputs that once failed.
 */
#include <stdio.h>

#include "fuzz_target.h"
#include "support/noise.h"
#include "support/readfile.h"

enum { INPUT_MAX = 4096 };

static void run_random(unsigned long count)
{
    struct noise noise = {1};
    for (unsigned long i = 0; i < count; i++) {
        size_t size = (size_t)noise_below(&noise, i % 2 == 0 ? INPUT_MAX : 64);
        /* Of exactly this size, so that sanitizers see the smallest step too far. */
        uint8_t *input = malloc(size > 0 ? size : 1);
        FUZZ_CHECK(input != NULL);
        noise_fill(&noise, input, size);
        (void)LLVMFuzzerTestOneInput(input, size);
        free(input);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "usage: %s COUNT [FILE...]\n", argv[0]);
        return EXIT_FAILURE;
    }
    run_random(strtoul(argv[1], NULL, 10));
    for (int i = 2; i < argc; i++) {
        size_t size = 0;
        uint8_t *input = readfile(argv[i], &size);
        (void)printf("%s\n", argv[i]);
        (void)LLVMFuzzerTestOneInput(input, size);
        free(input);
    }
    return EXIT_SUCCESS;
}
