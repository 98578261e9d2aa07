/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_command.c - the lines to paste: a create for trees and for standard input, an import-tar
 * for archives.
 *
 * Borg imports tars only, and finds out how a file is compressed by its name alone; the line makes
 * up for both.
 */
#include "target/borg1.h"

#include <stdio.h>
#include <string.h>

#include "target/shell_line.h"

static bool is_default(const struct cadv_chunker_params *chunker)
{
    return chunker->kind == CADV_CHUNKER_BUZHASH && chunker->min_exp == 19 &&
           chunker->max_exp == 23 && chunker->mask_bits == 21 && chunker->window_bytes == 4095;
}

static void put_chunker(struct shell_line *line, const struct cadv_chunker_params *chunker)
{
    char text[CADV_CHUNKER_TEXT_MAX];

    if (!is_default(chunker)) {
        shell_line_text(line, " --chunker-params ");
        shell_line_text(line, cadv_chunker_format(chunker, text));
    }
}

/* What every line has after its verb. */
static void put_options(struct shell_line *line, struct cadv_level level,
                        const struct target_setup *setup)
{
    char name[CADV_LEVEL_NAME_MAX];

    shell_line_text(line, " --compression ");
    shell_line_text(line, cadv_level_name(level, name));
    put_chunker(line, setup->chunker);
    shell_line_word(line, "REPO::", setup->archive_name);
    shell_line_mark(line);
}

const char *borg1_command(struct cadv_level level, const struct target_setup *setup,
                          const char *const *paths, size_t path_count, char *out,
                          size_t out_bytes)
{
    struct shell_line line;

    shell_line_start(&line, out, out_bytes);
    shell_line_text(&line, "borg create");
    put_options(&line, level, setup);
    for (size_t i = 0; i < path_count && !line.is_full; i++) {
        shell_line_mark(&line);
        shell_line_path(&line, "", paths[i]);
    }
    return shell_line_finish(&line);
}

/* The filter that Borg picks by itself for a file of this name; NULL: none. */
static const char *filter_by_name(const char *path)
{
    static const struct {
        const char *ending;
        const char *filter;
    } known[] = {
        {".tar.gz", "gzip -d"}, {".tgz", "gzip -d"},     {".tar.bz2", "bzip2 -d"},
        {".tbz", "bzip2 -d"},   {".tar.xz", "xz -d"},    {".txz", "xz -d"},
        {".tar.lz4", "lz4 -d"}, {".tar.zst", "zstd -d"}, {".tar.zstd", "zstd -d"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t ending = strlen(known[i].ending);
        if (length >= ending && strcmp(path + length - ending, known[i].ending) == 0) {
            return known[i].filter;
        }
    }
    return NULL;
}

static bool is_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static bool is_stdin(const struct target_stream *stream)
{
    return strcmp(stream->path, "-") == 0;
}

/* What makes a tar of an archive that is none. */
static void put_converter(struct shell_line *line, const struct target_stream *stream)
{
    /* bsdtar reads the archive that is named behind an @. */
    const char *at = stream->is_package ? "" : "@";

    shell_line_text(line, stream->is_package ? "dpkg-deb --fsys-tarfile"
                                             : "bsdtar -cf - --format pax");
    if (is_stdin(stream)) {
        shell_line_word(line, at, stream->path);
    } else {
        shell_line_path(line, at, stream->path);
    }
    shell_line_text(line, " | ");
}

static void put_filter(struct shell_line *line, const struct target_stream *stream)
{
    const char *by_name = is_stdin(stream) ? NULL : filter_by_name(stream->path);

    if (!is_same(stream->filter, by_name)) {
        shell_line_text(line, " --tar-filter '");
        shell_line_text(line, stream->filter == NULL ? "cat" : stream->filter);
        shell_line_text(line, "'");
    }
}

static void put_import(struct shell_line *line, struct cadv_level level,
                       const struct target_setup *setup, const struct target_stream *stream)
{
    if (!stream->is_tar) {
        put_converter(line, stream);
    }
    shell_line_text(line, "borg import-tar");
    if (stream->is_tar) {
        put_filter(line, stream);
    }
    put_options(line, level, setup);
    if (!stream->is_tar || is_stdin(stream)) {
        shell_line_text(line, " -");
    } else {
        shell_line_path(line, "", stream->path);
    }
}

const char *borg1_stream_command(struct cadv_level level, const struct target_setup *setup,
                                 const struct target_stream *stream, char *out,
                                 size_t out_bytes)
{
    struct shell_line line;

    shell_line_start(&line, out, out_bytes);
    if (stream->input == CADV_INPUT_STREAM) {
        shell_line_text(&line, "borg create");
        shell_line_word(&line, "--stdin-name=", stream->stdin_name);
        put_options(&line, level, setup);
        shell_line_text(&line, " -");
    } else {
        put_import(&line, level, setup, stream);
    }
    return shell_line_finish(&line);
}
