/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial/gate.h"

#include "base/error.h"
#include "par/sync.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /** Guarded by lock. */
    uint64_t taken_bytes;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void gate_enter(uint64_t bytes)
{
    if (bytes == 0) {
        return;
    }
    par_lock(&gate.lock);
    while (gate.taken_bytes > 0 && gate.taken_bytes + bytes > GATE_MAX_BYTES) {
        par_wait(&gate.changed, &gate.lock);
    }
    gate.taken_bytes += bytes;
    par_unlock(&gate.lock);
}

void gate_leave(uint64_t bytes)
{
    if (bytes == 0) {
        return;
    }
    par_lock(&gate.lock);
    CADV_ASSERT(gate.taken_bytes >= bytes);
    gate.taken_bytes -= bytes;
    par_wake_all(&gate.changed);
    par_unlock(&gate.lock);
}
