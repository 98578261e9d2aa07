/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the defaults. Each number is explained where it is set. */
#include "compadvise/options.h"

struct cadv_options cadv_options_default(void)
{
    struct cadv_options options = {0};
    options.has_baseline = true;

    /* Borg 1.x's own default, chunk seed 0 as in a repository without a key. */
    options.chunker = (struct cadv_chunker_params){.kind = CADV_CHUNKER_BUZHASH,
                                                   .min_exp = 19,
                                                   .max_exp = 23,
                                                   .mask_bits = 21,
                                                   .window_bytes = 4095};

    /* About five core-minutes of zstd,19 at 2 MB/s: more narrows the intervals, and costs it.
     */
    options.sample_budget_bytes = 600000000;
    options.target = "borg1";
    options.encryption = "none";
    options.archive_name = "a";
    /* Borg's own default. */
    options.stdin_name = "stdin";

    /* Between cold object storage (0.004) and hot (0.023), per GB and month. */
    options.storage_price = 0.01;
    /* A shared cloud core by the hour. */
    options.cpu_price = 0.04;
    options.keep_months = 12;
    return options;
}
