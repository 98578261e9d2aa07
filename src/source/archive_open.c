/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening an archive: what it is, and one clear line when it is nothing that can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/archive_state.h"

/* "standard input", or the path in quotes; a long path is cut. */
enum { CALLED_MAX = 256 };

static const char *call(const char *path, char out[CALLED_MAX])
{
    bool is_stdin = strcmp(path, "-") == 0;
    (void)snprintf(out, CALLED_MAX, is_stdin ? "%s" : "'%s'",
                   is_stdin ? "standard input" : path);
    return out;
}

/* The one line for what is no archive, or none that can be read this way. */
static enum cadv_status refuse(const struct source_archive *archive, const char *path,
                               struct cadv_error *err)
{
    struct archive *top = source_layer_top(&archive->origin);
    bool is_stdin = strcmp(path, "-") == 0;
    char name[CALLED_MAX];
    call(path, name);
    if (source_origin_read_bytes(&archive->origin) == 0) {
        return error_set(err, CADV_ERR_INPUT,
                         "%s is empty: no archive arrived; check what makes it", name);
    }
    if (archive_filter_count(top) > SOURCE_FILTERS_MAX + 1) {
        return error_set(err, CADV_ERR_INPUT,
                         "%s is compressed more than %d times over; unpack it first", name,
                         SOURCE_FILTERS_MAX);
    }
    bool is_compressed = archive_filter_count(top) > 1;
    return error_set(err, CADV_ERR_INPUT, "%s %s (tar, cpio, zip, 7z, iso, rpm, deb); %s", name,
                     is_compressed ? "is compressed, but what is in it is no archive"
                                   : "is no archive",
                     is_stdin ? "to take it as one file, give --stdin-name NAME"
                              : "to take it as one file, give it as a PATH");
}

/* Finds out what the input is, and reads the first header. */
static enum cadv_status begin(struct source_archive *archive, const char *path,
                              struct cadv_error *err)
{
    struct source_origin *origin = &archive->origin;
    int code = source_layer_push(origin);
    if (origin->depth == 0) {
        return error_nomem(err, "opening an archive");
    }
    archive->is_ahead = true;
    archive->first_code = ARCHIVE_FATAL;
    /* What cannot be positioned would be read another way, which tells less of the members. */
    if (code < ARCHIVE_WARN || origin->input.problem != 0) {
        enum source_event why = source_archive_why_over(archive);
        if (why == SOURCE_UNREADABLE) {
            return cadv_error_set(err, CADV_ERR_INPUT, origin->input.problem,
                                  "cannot read '%s'", path);
        }
        return why == SOURCE_STOPPED || why == SOURCE_LIMIT ? CADV_OK
                                                            : refuse(archive, path, err);
    }
    archive->first_code = source_archive_header(archive);
    if (archive->first_code == ARCHIVE_FATAL &&
        source_archive_is_format(archive, ARCHIVE_FORMAT_7ZIP) && origin->memory == NULL &&
        !origin->input.is_seekable && !source_archive_is_stopped(archive)) {
        char name[CALLED_MAX];
        return error_set(err, CADV_ERR_INPUT,
                         "%s is a 7z archive, which is read from its end; save it to a file "
                         "and give that with --tar FILE",
                         call(path, name));
    }
    return CADV_OK;
}

static struct source_archive *make(uint64_t max_bytes, const atomic_int *stop)
{
    struct source_archive *archive = calloc(1, sizeof *archive);
    if (archive == NULL) {
        return NULL;
    }
    archive->origin.input.fd = -1;
    archive->origin.max_bytes = max_bytes;
    archive->origin.stop = stop;
    archive->origin.block = malloc(SOURCE_BLOCK_BYTES);
    archive->entry = archive_entry_new();
    archive->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (archive->origin.block == NULL || archive->entry == NULL) {
        source_archive_close(archive);
        return NULL;
    }
    return archive;
}

static enum cadv_status finish_open(struct source_archive *made, const char *path,
                                    struct source_archive **archive, struct cadv_error *err)
{
    enum cadv_status status = begin(made, path, err);
    if (status == CADV_OK) {
        *archive = made;
    } else {
        source_archive_close(made);
    }
    return status;
}

enum cadv_status source_archive_open(const char *path, uint64_t max_bytes,
                                     const atomic_int *stop, struct source_archive **archive,
                                     struct cadv_error *err)
{
    struct source_archive *made = make(max_bytes, stop);
    if (made == NULL) {
        return error_nomem(err, "opening an archive");
    }
    int problem = source_input_open(&made->origin.input, path, stop);
    if (problem != 0) {
        source_archive_close(made);
        return cadv_error_set(err, CADV_ERR_INPUT, problem, "cannot open the archive '%s'",
                              path);
    }
    return finish_open(made, path, archive, err);
}

enum cadv_status source_archive_open_memory(const uint8_t *data, size_t bytes,
                                            uint64_t max_bytes, const atomic_int *stop,
                                            struct source_archive **archive,
                                            struct cadv_error *err)
{
    struct source_archive *made = make(max_bytes, stop);
    if (made == NULL) {
        return error_nomem(err, "opening an archive");
    }
    made->origin.memory = data;
    made->origin.memory_bytes = bytes;
    return finish_open(made, "memory", archive, err);
}

void source_archive_close(struct source_archive *archive)
{
    if (archive == NULL) {
        return;
    }
    while (archive->origin.depth > 0) {
        source_layer_pop(&archive->origin);
    }
    archive_entry_free(archive->entry);
    source_input_close(&archive->origin.input);
    if (archive->locale != (locale_t)0) {
        freelocale(archive->locale);
    }
    free(archive->origin.block);
    free(archive);
}
