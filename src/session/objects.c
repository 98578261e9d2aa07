/* SPDX-License-Identifier: BSD-2-Clause */
/* The objects that an archive has one of: packed as the target packs them, compressed for real. */
#include <stdlib.h>

#include "session/run.h"
#include "session/stored.h"

#define LARGEST_BYTES ((size_t)64 * 1024 * 1024)

enum cadv_status run_objects(struct target_load *load, const struct target *target,
                             struct cadv_error *err)
{
    struct trial_workspace workspace = {0};
    enum cadv_status status = CADV_OK;
    for (size_t i = 0; i < TARGET_OBJECT_COUNT && status == CADV_OK; i++) {
        enum target_object object = (enum target_object)i;
        size_t bytes = target->pack_object(object, load, NULL, 0);
        load->object_stored_bytes[i] = bytes;
        /* More is in no repository: Borg itself refuses an archive object of 20 MiB. */
        if (bytes > LARGEST_BYTES) {
            continue;
        }
        struct stored stored = {0};
        uint8_t *packed = malloc(bytes);
        if (packed == NULL) {
            status = error_nomem(err, "packing the archive");
        } else {
            (void)target->pack_object(object, load, packed, bytes);
            status = stored_make(&workspace, target, load->level, packed, (uint32_t)bytes,
                                 &stored, err);
        }
        if (status == CADV_OK) {
            load->object_stored_bytes[i] = stored.bytes;
            load->object_padding_variance += stored.padding_variance;
        }
        free(packed);
    }
    trial_workspace_fini(&workspace);
    return status;
}
