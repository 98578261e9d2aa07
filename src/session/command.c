/* SPDX-License-Identifier: BSD-2-Clause */
/* The line to paste: one command for all trees, one for each archive and for standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/run.h"

/* Adds a command to the line; false when there is no room, and nothing was added. */
static bool join(char *line, size_t line_bytes, const char *command)
{
    const char *between = line[0] == '\0' ? "" : " && ";
    size_t used = strlen(line);
    int wanted = snprintf(line + used, line_bytes - used, "%s%s", between, command);
    if (wanted < 0 || (size_t)wanted >= line_bytes - used) {
        line[used] = '\0';
        return false;
    }
    return true;
}

enum cadv_status run_collect_trees(struct run *run, struct cadv_error *err)
{
    const struct cadv_options *options = &run->options;
    const char **trees = calloc(options->path_count, sizeof *trees);
    size_t count = 0;
    if (trees == NULL) {
        return error_nomem(err, "starting");
    }
    for (size_t i = 0; i < options->path_count; i++) {
        if (options->inputs == NULL || options->inputs[i] == CADV_INPUT_TREE) {
            trees[count++] = options->paths[i];
        }
    }
    run->trees = trees;
    run->tree_count = count;
    return CADV_OK;
}

static bool add_stream(const struct run *run, struct cadv_level level, size_t root, char *line,
                       size_t line_bytes)
{
    const struct cadv_options *options = &run->options;
    char command[1024];
    struct target_stream stream = {.path = options->paths[root],
                                   .input = options->inputs[root],
                                   .stdin_name = options->stdin_name};
    if (root < run->record.archive_count) {
        stream.is_tar = run->record.archives[root].is_tar;
        stream.is_package = run->record.archives[root].is_package;
        stream.filter = run->record.archives[root].filter;
    }
    (void)run->target->stream_command(level, &run->setup, &stream, command, sizeof command);
    return join(line, line_bytes, command);
}

const char *run_command(const struct run *run, struct cadv_level level, char *out,
                        size_t out_bytes)
{
    const struct cadv_options *options = &run->options;
    out[0] = '\0';
    if (run->tree_count > 0) {
        (void)run->target->command(level, &run->setup, run->trees, run->tree_count, out,
                                   out_bytes);
    }
    bool has_room = true;
    for (size_t i = 0; options->inputs != NULL && i < options->path_count && has_room; i++) {
        if (options->inputs[i] != CADV_INPUT_TREE) {
            has_room = add_stream(run, level, i, out, out_bytes);
        }
    }
    if (!has_room) {
        (void)join(out, out_bytes, "...");
    }
    return out;
}

unsigned run_command_count(const struct run *run)
{
    size_t streams = run->options.path_count - run->tree_count;
    return (unsigned)streams + (run->tree_count > 0 ? 1 : 0);
}
