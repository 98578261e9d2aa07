/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/chunk_list.h"

#include <stdlib.h>

#include "base/array.h"

void chunk_list_init(struct chunk_list *list, size_t refs_max,
                     size_t (*pack_chunk)(uint32_t chunk_bytes, uint64_t csize))
{
    *list = (struct chunk_list){.refs_max = refs_max, .pack_chunk = pack_chunk};
    chunk_list_begin(list, 1);
}

void chunk_list_fini(struct chunk_list *list)
{
    free(list->refs);
    *list = (struct chunk_list){0};
}

void chunk_list_clear(struct chunk_list *list)
{
    list->count = 0;
    list->own_count = 0;
    chunk_list_begin(list, 1);
}

void chunk_list_begin(struct chunk_list *list, uint64_t links)
{
    list->is_linked = links > 1;
    list->first = list->count;
    size_t used = list->is_linked ? list->count - list->own_count : list->own_count;
    list->room = list->refs_max - used;
    list->bytes = 0;
    list->unlisted = (struct record_unlisted){0};
}

enum cadv_status chunk_list_add(struct chunk_list *list, struct record_digest digest,
                                uint32_t bytes, struct cadv_error *err)
{
    list->bytes += bytes;
    if (list->count - list->first == list->room) {
        list->unlisted.chunks++;
        list->unlisted.bytes += bytes;
        list->unlisted.packed_bytes += list->pack_chunk(bytes, bytes);
        return CADV_OK;
    }
    struct record_chunk_ref *refs =
        array_reserve(list->refs, &list->capacity, list->count + 1, sizeof *refs);
    if (refs == NULL) {
        return error_nomem(err, "listing the chunks of a file");
    }
    list->refs = refs;
    refs[list->count++] = (struct record_chunk_ref){.digest = digest, .bytes = bytes};
    list->own_count += !list->is_linked;
    return CADV_OK;
}

void chunk_list_end(struct chunk_list *list, struct record_item *item)
{
    item->chunk_count = list->count - list->first;
    item->chunks = item->chunk_count > 0 ? list->refs + list->first : NULL;
    item->unlisted = list->unlisted;
    chunk_list_begin(list, 1);
}

void chunk_list_settle(const struct chunk_list *list, struct record_item *items, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        items[i].chunks = items[i].chunk_count > 0 ? list->refs + at : NULL;
        at += items[i].chunk_count;
    }
}
