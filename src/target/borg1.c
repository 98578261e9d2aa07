/* SPDX-License-Identifier: BSD-2-Clause */
/* borg1.c - the row for Borg 1.x, and the rules that fit in a line. */
#include "target/borg1.h"

/* Borg 1.x knows no negative zstd levels. */
#define ZSTD_LOWEST 1
#define ZSTD_HIGHEST 22

static bool accepts(struct cadv_level level)
{
    switch (level.codec) {
    case CADV_CODEC_NONE:
    case CADV_CODEC_LZ4:
    case CADV_CODEC_ZLIB:
    case CADV_CODEC_LZMA:
        return true;
    case CADV_CODEC_ZSTD:
        return level.level >= ZSTD_LOWEST && level.level <= ZSTD_HIGHEST;
    case CADV_CODEC_COUNT:
        break;
    }
    return false;
}

/*
 * All but `zlib` fall back to the raw chunk when compressing does not shrink it. Nor has a zlib
 * stream the two bytes that name its codec; since every object is counted with them, they are
 * taken off here. `auto` never keeps what is longer than the chunk, and padding has no limit that
 * the chunk sets.
 */
static uint64_t stored_bytes(uint32_t chunk_bytes, uint32_t raw_bytes, struct cadv_level level)
{
    if (level.obfuscate != 0) {
        return raw_bytes;
    }
    if (level.codec == CADV_CODEC_NONE) {
        return chunk_bytes;
    }
    if (level.codec == CADV_CODEC_ZLIB && !level.is_auto) {
        return raw_bytes > BORG1_CODEC_ID_BYTES ? raw_bytes - BORG1_CODEC_ID_BYTES : 0;
    }
    return raw_bytes < chunk_bytes ? raw_bytes : chunk_bytes;
}

/* Borg's csize counts the envelope and the codec's name, not the object's head. */
static uint64_t noted_csize(uint64_t stored, const struct target_setup *setup)
{
    return stored + setup->encryption->envelope_bytes + BORG1_CODEC_ID_BYTES;
}

/* Fixed in Borg's source. The seed belongs to the repository's key, so content shares it. */
static struct cadv_chunker_params items_chunker(const struct cadv_chunker_params *content)
{
    return (struct cadv_chunker_params){
        .kind = CADV_CHUNKER_BUZHASH,
        .min_exp = 15,
        .max_exp = 19,
        .mask_bits = 17,
        .window_bytes = 4095,
        .seed = content->seed,
    };
}

const struct target target_borg1 = {
    .name = "borg1",
    .title = "Borg 1.x",
    .encryption = borg1_encryption,
    .encryption_names = borg1_encryption_names,
    .accepts = accepts,
    .stored_bytes = stored_bytes,
    .choose = borg1_choose,
    .padding = borg1_padding,
    .repository_bytes = borg1_repository_bytes,
    .margin_bytes = borg1_margin_bytes,
    .upper_bound_bytes = borg1_upper_bound_bytes,
    .checkpoints = borg1_checkpoints,
    .time = borg1_time,
    .items_chunker = items_chunker,
    .pack_item = borg1_pack_item,
    .pack_chunk = borg1_pack_chunk,
    .noted_csize = noted_csize,
    .pack_object = borg1_pack_object,
    .command = borg1_command,
    .stream_command = borg1_stream_command,
};
