/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cutdump PARAMS SEED [FILE...] - prints the lengths of the chunks of each file, one line per
 * file, for comparison with Borg. Without a file it only checks PARAMS and prints them as
 * understood. Exit code 2: PARAMS are not acceptable.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compadvise/chunker.h"
#include "support/readfile.h"

static void dump(struct cadv_cutter *cutter, const char *path)
{
    size_t data_bytes = 0;
    uint8_t *data = readfile(path, &data_bytes);
    cadv_cutter_start(cutter);
    for (size_t at = 0; at < data_bytes;) {
        size_t length = cadv_cutter_next(cutter, data + at, data_bytes - at, true);
        (void)printf("%zu ", length);
        at += length;
    }
    (void)printf("\n");
    free(data);
}

int main(int argc, char **argv)
{
    struct cadv_chunker_params params;
    struct cadv_error err;
    char text[CADV_CHUNKER_TEXT_MAX];
    if (argc < 3) {
        (void)fprintf(stderr, "usage: cutdump PARAMS SEED [FILE...]\n");
        return EXIT_FAILURE;
    }
    if (cadv_chunker_parse(argv[1], &params, &err) != CADV_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    params.seed = (uint32_t)strtoul(argv[2], NULL, 10);
    if (argc == 3) {
        (void)printf("%s\n", cadv_chunker_format(&params, text));
        return EXIT_SUCCESS;
    }

    struct cadv_cutter *cutter = cadv_cutter_new(&params);
    if (cutter == NULL) {
        return EXIT_FAILURE;
    }
    for (int i = 3; i < argc; i++) {
        dump(cutter, argv[i]);
    }
    cadv_cutter_free(cutter);
    return EXIT_SUCCESS;
}
