/* SPDX-License-Identifier: BSD-2-Clause */
/* session/widest.h - how good the worst of the rows is by now: for progress, decides nothing. */
#ifndef SESSION_WIDEST_H
#define SESSION_WIDEST_H

#include "record/record.h"

/** `ctx` is the struct run, whose `widest` it sets. For struct trial_control. */
void widest_of_content(void *ctx, const struct record_population *now);

#endif
