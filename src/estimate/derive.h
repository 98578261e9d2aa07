/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * estimate/derive.h - trials of derived levels, worked out from trials that were made. What `auto`
 * stores of a chunk follows from what lz4 and the codec left of it; what `obfuscate` stores, from
 * what it pads. So these levels cost nothing, are exact where the others are, and the rest of the
 * module need not know them.
 *
 * May include: base, record.
 */
#ifndef ESTIMATE_DERIVE_H
#define ESTIMATE_DERIVE_H

#include "base/error.h"
#include "estimate/estimate.h"
#include "record/derived.h"

/** How the target makes one level of others. */
struct derive_rules {
    estimate_stored_fn stored;
    record_choose_fn choose;
    record_padding_fn padding;
};

/**
 * Fills the trials of every derived level of `levels` (a record's list, with all that they are
 * derived from) as far as those go that it needs, replacing what an earlier call filled in. The
 * derived `raw_bytes` is what is stored, without the part of padding that is the same for every
 * chunk. CADV_ERR_NOMEM is the only failure.
 */
enum cadv_status derive_trials(struct record_population *population,
                               const struct cadv_level_list *levels,
                               const struct derive_rules *rules, struct cadv_error *err);

/** What an obfuscated level is padded upon: the level without its obfuscation. */
struct cadv_level derive_inner(struct cadv_level level);

/**
 * Adds to the sizes of obfuscated levels what derive_trials() left out, and to their intervals
 * the padding's own chance, which is that of all unique chunks and not only of the sampled ones.
 * `sizes` is what estimate_sizes() gave.
 */
void derive_add_padding(const struct record_population *population,
                        const struct cadv_level_list *levels, const struct derive_rules *rules,
                        struct estimate *sizes);

#endif
