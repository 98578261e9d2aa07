/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A record of what a scan has so far, while it goes on. It is what an end at this moment would leave,
 * but for the files in hand: their chunks count, their items do not yet. Counts and the sample are
 * copied; items, archives and problems are borrowed from the scan, whose workers rest meanwhile.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "scan/pipeline.h"

static enum cadv_status fill(struct scan *scan, struct record *now)
{
    struct record_population *content = &now->populations[0];
    const struct record_population *original = &scan->record->populations[0];
    now->levels = scan->record->levels;
    now->salt = scan->record->salt;
    now->population_count = 1;
    content->name = original->name;
    content->purpose = original->purpose;
    content->chunker = original->chunker;
    for (unsigned i = 0; i < scan->config->jobs; i++) {
        scan_add_up(&scan->workers[i], content, now);
    }
    scan_count_unread(scan, content, now);
    now->scan_s = clock_wall_s() - scan->start_s;
    now->items.blocks = scan->collector.blocks;
    now->items.block_count = scan->collector.count;
    now->items.is_whole = scan->collector.is_whole;
    now->items.unlisted_chunks += scan->collector.unlisted_chunks;
    now->problems = *scan->problems;
    now->archives = scan->archives;
    now->archive_count = scan->record->archive_count;
    return sample_peek(scan->sample, content, scan->config->inline_levels, NULL);
}

void scan_show(struct scan *scan)
{
    struct record *now = malloc(sizeof *now);
    if (now == NULL) {
        return;
    }
    record_init(now);
    par_pool_pause(scan->pool);
    if (fill(scan, now) == CADV_OK) {
        scan->config->interim(scan->config->tick_ctx, now);
    }
    now->items = (struct record_items){0};
    now->problems = (struct record_problems){0};
    now->archives = NULL;
    now->archive_count = 0;
    par_pool_resume(scan->pool);
    record_fini(now);
    free(now);
}
