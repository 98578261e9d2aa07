/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/pairs.h"

#include <string.h>

size_t pairs_needed(const char *name, uint32_t value_bytes)
{
    return strlen(name) + 1 + sizeof value_bytes + value_bytes;
}

uint8_t *pairs_put(uint8_t *at, const char *name, const void *value, uint32_t value_bytes)
{
    size_t name_bytes = strlen(name) + 1;
    memcpy(at, name, name_bytes);
    memcpy(at + name_bytes, &value_bytes, sizeof value_bytes);
    at += name_bytes + sizeof value_bytes;
    if (value_bytes > 0) {
        memcpy(at, value, value_bytes);
    }
    return at + value_bytes;
}

bool pairs_next(const uint8_t **at, const uint8_t *end, struct pair *pair)
{
    if (*at == end) {
        return false;
    }
    pair->name = (const char *)*at;
    const uint8_t *behind = *at + strlen(pair->name) + 1;
    memcpy(&pair->value_bytes, behind, sizeof pair->value_bytes);
    pair->value = behind + sizeof pair->value_bytes;
    *at = pair->value + pair->value_bytes;
    return true;
}
