/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chunk/buzhash_rule.h - which matching positions become cuts. The rule is Borg's:
 *
 *     start          start+min                     end-window      end
 *     [--- not looked at ---[---- first match here ----)------------)
 *
 * where `end` is the end of the file or start+max, whichever comes first. Without a match the
 * chunk goes up to `end`. So content cuts make chunks of min to max-window-1 bytes, forced ones
 * of exactly max, and only the last chunk of a file may be shorter than min.
 *
 * Two selectors apply it. The serial one (the row in the chunker table) searches as it goes and
 * never hashes the first min bytes of a chunk. The one here works on positions found
 * beforehand, list by list, for files whose segments several workers have searched. They agree;
 * the tests say so.
 */
#ifndef CHUNK_BUZHASH_RULE_H
#define CHUNK_BUZHASH_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chunk/buzhash.h"

struct buzhash_rule {
    /** Both at least 1, with min_bytes + window_bytes < max_bytes. */
    uint64_t min_bytes;
    uint64_t max_bytes;
    uint64_t window_bytes;
};

struct buzhash_rule buzhash_rule_of(const struct cadv_chunker_params *params);

/** Where one chunk may end; offsets from its start. */
struct buzhash_limits {
    /** A content cut lies in from <= p < to; from >= to when there can be none. */
    uint64_t from;
    uint64_t to;
    /** Without a content cut the chunk ends here ... */
    uint64_t end;
    /** ... provided that is known: false when the file may go on behind what is at hand. */
    bool is_end_known;
};

/** The limits of a chunk of which `rest` bytes are at hand; `is_last`: up to the file's end. */
struct buzhash_limits buzhash_limits_of(struct buzhash_rule rule, uint64_t rest, bool is_last);

/** The matching positions of one segment of a file, ascending, as offsets into the file. */
struct buzhash_candidates {
    /** Owned by the caller. */
    uint64_t *positions;
    size_t count;
    size_t capacity;
    /** Every position in from <= p < to was looked at. */
    uint64_t from;
    uint64_t to;
};

/**
 * Looks at all positions of a segment whose window lies inside it, and fills `found`, whose
 * positions and capacity (at least 1) the caller has set. `data` are the segment's `data_bytes`
 * bytes, `data_offset` is where they lie in the file. Segments overlap by window_bytes - 1, so
 * that no position is left out.
 *
 * When the array is full the search ends there: found->to then is the position to go on from,
 * with another array. Random data has about data_bytes / 2^mask_bits matches, but data made for
 * the purpose can match everywhere.
 */
void buzhash_collect(const struct buzhash *hash, const uint8_t *data, size_t data_bytes,
                     uint64_t data_offset, struct buzhash_candidates *found);

/** Cuts one file from lists of candidates. A plain value; set up as { .rule = ... }. */
struct buzhash_selector {
    struct buzhash_rule rule;
    /** Start of the next chunk, as an offset into the file. */
    uint64_t start;
    /** The next candidate to look at: list and index in it. */
    size_t list;
    size_t item;
};

/** In place of the file's size while its end has not been seen. */
#define BUZHASH_SIZE_UNKNOWN UINT64_MAX

/**
 * The length of the file's next chunk, or 0 at the end of the file, or while the lists do not
 * reach far enough to know. The lists follow each other without a gap, from position 0 on; more
 * may be added at the end between calls. Once `file_bytes` is given, lists covering all
 * positions below file_bytes - window_bytes suffice for every chunk.
 */
uint64_t buzhash_select(struct buzhash_selector *selector,
                        const struct buzhash_candidates *lists, size_t list_count,
                        uint64_t file_bytes);

#endif
