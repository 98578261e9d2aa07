/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borg1_import.c - the line to paste for an archive, or for standard input.
 *
 * Borg imports tars only, and finds out how a file is compressed by its name alone; the line makes
 * up for both. It is the line of a create with another verb, and with something before and after.
 */
#include "target/borg1.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

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

/* What makes a tar of an archive that is none. */
static const char *converter(const struct target_stream *stream)
{
    bool is_stdin = strcmp(stream->path, "-") == 0;
    if (stream->is_package) {
        return is_stdin ? "dpkg-deb --fsys-tarfile -" : "dpkg-deb --fsys-tarfile";
    }
    return is_stdin ? "bsdtar -cf - --format pax @-" : "bsdtar -cf - --format pax";
}

static bool needs_converter(const struct target_stream *stream)
{
    return stream->input == CADV_INPUT_ARCHIVE && !stream->is_tar;
}

const char *borg1_stream_command(struct cadv_level level, const struct target_setup *setup,
                                 const struct target_stream *stream, char *out,
                                 size_t out_bytes)
{
    static const char create[] = "borg create";
    const char *path = stream->path;
    bool is_stdin = strcmp(path, "-") == 0;
    char with_path[1024];
    char line[1024];
    (void)borg1_command(level, setup, &path, 1, with_path, sizeof with_path);
    (void)borg1_command(level, setup, &path, 0, line, sizeof line);
    /* The path as the shell takes it, a blank before it. */
    size_t length = strlen(line);
    const char *word = strlen(with_path) >= length ? with_path + length : "";
    const char *options =
        strncmp(line, create, strlen(create)) == 0 ? line + strlen(create) : "";

    if (stream->input == CADV_INPUT_STREAM) {
        const char *name = stream->stdin_name;
        (void)borg1_command(level, setup, &name, 1, with_path, sizeof with_path);
        word = strlen(with_path) >= length ? with_path + length : "";
        /* Without the blank, and what shields a path that begins like an option. */
        word += (word[0] == ' ' ? 1 : 0) + (name[0] == '-' ? 2 : 0);
        (void)snprintf(out, out_bytes, "%s --stdin-name=%s%s -", create, word, options);
    } else if (needs_converter(stream)) {
        /* bsdtar reads the archive that is named behind an @. */
        const char *at = stream->is_package || is_stdin ? "" : " @";
        const char *what = is_stdin ? "" : *at != '\0' && *word == ' ' ? word + 1 : word;
        (void)snprintf(out, out_bytes, "%s%s%s | borg import-tar%s -", converter(stream), at,
                       what, options);
    } else {
        bool is_known = is_same(stream->filter, is_stdin ? NULL : filter_by_name(path));
        (void)snprintf(out, out_bytes, "borg import-tar%s%s%s%s%s",
                       is_known ? "" : " --tar-filter '",
                       is_known ? "" : (stream->filter == NULL ? "cat" : stream->filter),
                       is_known ? "" : "'", options, is_stdin ? " -" : word);
    }
    return out;
}
