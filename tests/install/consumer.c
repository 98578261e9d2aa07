/* SPDX-License-Identifier: BSD-2-Clause */
/* consumer.c - what a stranger writes against an installed compadvise: public calls only. */
#include <compadvise/compadvise.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const uint8_t data[3000];
    static struct cadv_level_list levels;
    struct cadv_chunker_params params;
    struct cadv_error err;

    if (cadv_levels_add(&levels, "none,zstd:1-3", &err) != CADV_OK || levels.count != 4 ||
        cadv_chunker_parse("fixed,1024", &params, &err) != CADV_OK) {
        return 1;
    }
    struct cadv_cutter *cutter = cadv_cutter_new(&params);
    if (cutter == NULL) {
        return 1;
    }
    cadv_cutter_start(cutter);
    size_t first = cadv_cutter_next(cutter, data, sizeof data, true);
    size_t last = cadv_cutter_next(cutter, data + 2048, sizeof data - 2048, true);
    cadv_cutter_free(cutter);

    puts(cadv_version());
    return first == 1024 && last == 952 && strcmp(cadv_version(), CADV_VERSION) == 0 ? 0 : 1;
}
