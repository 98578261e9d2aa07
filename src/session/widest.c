/* SPDX-License-Identifier: BSD-2-Clause */
#include "session/widest.h"

#include <math.h>
#include <stdlib.h>

#include "session/run.h"

/* Of the rows that the codecs themselves make; what is derived from them is no wider by much. */
static double widest_row(const struct run *run, const struct estimate *sizes)
{
    double widest = 0.0;
    for (size_t i = 0; i < run->rows.count; i++) {
        struct cadv_level plain = cadv_level_plain(run->rows.items[i]);
        size_t level = record_level_index(&run->record.levels, plain);
        if (level == SIZE_MAX || !sizes[level].is_known) {
            return -1.0;
        }
        const struct estimate *size = &sizes[level];
        if (size->est > 0.0) {
            widest = fmax(widest, (size->hi - size->lo) / (2.0 * size->est));
        }
    }
    return widest;
}

void widest_of_content(void *ctx, const struct record_population *now)
{
    struct run *run = ctx;
    struct estimate *sizes = calloc(CADV_LEVELS_MAX, sizeof *sizes);
    if (sizes != NULL && estimate_sizes(now, &run->record.levels, run->target->stored_bytes,
                                        sizes, NULL) == CADV_OK) {
        run->widest = widest_row(run, sizes);
    }
    free(sizes);
}
