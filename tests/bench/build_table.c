/* SPDX-License-Identifier: BSD-2-Clause */
/* bench/build_table.c - build_table OUT LEVELS MAX_MB FILE...: makes a table for simulate. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/level_table.h"

int main(int argc, char **argv)
{
    struct level_table table = {0};
    if (argc < 5 || !table_parse_levels(&table, argv[2])) {
        (void)fprintf(stderr, "usage: build_table OUT LEVELS MAX_MB FILE...\n");
        return 2;
    }
    uint64_t bytes_max = strtoull(argv[3], NULL, 10) * 1000000U;
    bool is_done = table_build(&table, argv + 4, (size_t)argc - 4, bytes_max) &&
                   table_write(&table, argv[1]);
    (void)fprintf(stderr, "%zu unique chunks\n", table.row_count);
    table_fini(&table);
    return is_done ? 0 : 3;
}
