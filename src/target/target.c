/* SPDX-License-Identifier: BSD-2-Clause */
/* target.c - the table of targets. */
#include "target/target.h"

#include <string.h>

static const struct target *const targets[] = {&target_borg1};

const struct target *target_find(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(targets[i]->name, name) == 0) {
            return targets[i];
        }
    }
    return NULL;
}
