/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codecdump LEVELS IN OUT-PREFIX - compresses the file IN at each level of the list and writes
 * each raw result to OUT-PREFIX followed by the level's name, for comparison with Borg.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codec/codec.h"
#include "support/readfile.h"

static int dump(struct cadv_level level, const uint8_t *data, size_t data_bytes,
                const char *prefix)
{
    const struct codec *codec = codec_get(level.codec);
    size_t bound = codec->bound(data_bytes);
    uint8_t *out = malloc(bound);
    if (out == NULL) {
        return EXIT_FAILURE;
    }
    size_t size = codec->compress(data, data_bytes, out, bound, level.level);

    char path[4096];
    char name[CADV_LEVEL_NAME_MAX];
    (void)snprintf(path, sizeof path, "%s%s", prefix, cadv_level_name(level, name));
    FILE *file = fopen(path, "wb");
    int result =
        file != NULL && size > 0 && fwrite(out, 1, size, file) == size && fclose(file) == 0
            ? EXIT_SUCCESS
            : EXIT_FAILURE;
    free(out);
    return result;
}

int main(int argc, char **argv)
{
    struct cadv_level_list list = {.count = 0};
    struct cadv_error err;
    if (argc != 4) {
        (void)fprintf(stderr, "usage: codecdump LEVELS IN OUT-PREFIX\n");
        return EXIT_FAILURE;
    }
    if (cadv_levels_add(&list, argv[1], &err) != CADV_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 2;
    }

    size_t data_bytes = 0;
    uint8_t *data = readfile(argv[2], &data_bytes);
    int result = EXIT_SUCCESS;
    for (size_t i = 0; i < list.count && result == EXIT_SUCCESS; i++) {
        result = dump(list.items[i], data, data_bytes, argv[3]);
    }
    free(data);
    return result;
}
