/* SPDX-License-Identifier: BSD-2-Clause */
/* Content of any kind: read in order into a sliding buffer, cut, chunk by chunk. */
#include <string.h>

#include "scan/pipeline.h"

/* The part of the content that is in the buffer. */
struct span {
    size_t start;
    size_t end;
    bool is_last;
};

/* Moves what is left to the front and reads behind it. What the reader said. */
static int refill(struct scan_worker *worker, scan_read_fn read, void *ctx, struct span *span)
{
    memmove(worker->buffer, worker->buffer + span->start, span->end - span->start);
    span->end -= span->start;
    span->start = 0;
    size_t wanted = worker->buffer_bytes - span->end;
    size_t got = 0;
    int problem = read(ctx, worker->buffer + span->end, wanted, &got);
    span->end += got;
    span->is_last = problem != 0 || got < wanted;
    return problem;
}

enum cadv_status scan_content(struct scan_worker *worker, uint64_t links, scan_read_fn read,
                              void *ctx, int *problem, struct cadv_error *err)
{
    struct span span = {0};
    chunk_list_begin(&worker->list, links);
    *problem = refill(worker, read, ctx, &span);
    cadv_cutter_start(worker->cutter);
    while (!scan_is_stopped(worker->scan)) {
        par_pool_checkpoint(worker->scan->pool);
        size_t have = span.end - span.start;
        size_t length =
            cadv_cutter_next(worker->cutter, worker->buffer + span.start, have, span.is_last);
        if (length > 0) {
            enum cadv_status status =
                scan_chunk(worker, worker->buffer + span.start, (uint32_t)length, err);
            if (status != CADV_OK) {
                return status;
            }
            span.start += length;
        } else if (span.is_last) {
            break;
        } else {
            *problem = refill(worker, read, ctx, &span);
        }
    }
    return CADV_OK;
}
