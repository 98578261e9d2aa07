/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/option_set.h"

#include <stdlib.h>
#include <string.h>

#include "cli/numbers.h"

/* Longest spelling of an option in a message. */
enum { SPELLING_MAX = 40 };

/* The field is the row's to name; every field is an object of the type the setter is for. */
static void *field_of(const struct cli_option *row, struct cli_arguments *arguments)
{
    return (char *)arguments + row->offset;
}

/* "--name", for messages. */
static const char *spelling(const struct cli_option *row, char out[SPELLING_MAX])
{
    (void)snprintf(out, SPELLING_MAX, "--%s", row->name);
    return out;
}

CLI_SETTER(cli_set_true)
{
    (void)text;
    (void)err;
    *(bool *)field_of(row, arguments) = true;
    return CADV_OK;
}

CLI_SETTER(cli_set_false)
{
    (void)text;
    (void)err;
    *(bool *)field_of(row, arguments) = false;
    return CADV_OK;
}

CLI_SETTER(cli_set_text)
{
    (void)err;
    *(const char **)field_of(row, arguments) = text;
    return CADV_OK;
}

CLI_SETTER(cli_set_plus)
{
    (void)text;
    (void)err;
    *(int *)field_of(row, arguments) = 1;
    return CADV_OK;
}

CLI_SETTER(cli_set_minus)
{
    (void)text;
    (void)err;
    *(int *)field_of(row, arguments) = -1;
    return CADV_OK;
}

enum cadv_status cli_list_add(struct cli_list *list, const char *text, struct cadv_error *err)
{
    const char **longer = realloc(list->items, (list->count + 1) * sizeof *longer);
    if (longer == NULL) {
        return cadv_error_set(err, CADV_ERR_NOMEM, 0,
                              "out of memory while reading the arguments");
    }
    longer[list->count++] = text;
    list->items = longer;
    return CADV_OK;
}

CLI_SETTER(cli_set_append)
{
    return cli_list_add(field_of(row, arguments), text, err);
}

enum cadv_status cli_path_add(struct cli_arguments *arguments, const char *path,
                              enum cadv_input input, struct cadv_error *err)
{
    size_t count = arguments->paths.count;
    enum cadv_input *inputs = realloc(arguments->inputs, (count + 1) * sizeof *inputs);
    if (inputs == NULL) {
        return cadv_error_set(err, CADV_ERR_NOMEM, 0,
                              "out of memory while reading the arguments");
    }
    inputs[count] = input;
    arguments->inputs = inputs;
    return cli_list_add(&arguments->paths, path, err);
}

CLI_SETTER(cli_set_archive)
{
    (void)row;
    return cli_path_add(arguments, text, CADV_INPUT_ARCHIVE, err);
}

CLI_SETTER(cli_set_u64)
{
    char name[SPELLING_MAX];
    return cli_parse_u64(spelling(row, name), text, row->lowest, row->highest,
                         field_of(row, arguments), err);
}

CLI_SETTER(cli_set_unsigned)
{
    char name[SPELLING_MAX];
    uint64_t number = 0;
    enum cadv_status status =
        cli_parse_u64(spelling(row, name), text, row->lowest, row->highest, &number, err);
    if (status == CADV_OK) {
        *(unsigned *)field_of(row, arguments) = (unsigned)number;
    }
    return status;
}

CLI_SETTER(cli_set_bytes)
{
    uint64_t bytes = 0;
    enum cadv_status status = cadv_bytes_parse(text, &bytes, err);
    if (status == CADV_OK && bytes < row->lowest) {
        char least[CADV_UNITS_TEXT_MAX];
        return cadv_error_set(err, CADV_ERR_USAGE, 0, "--%s must be at least %s", row->name,
                              cadv_bytes_format(row->lowest, CADV_UNITS_SI, 3, least));
    }
    if (status == CADV_OK) {
        *(uint64_t *)field_of(row, arguments) = bytes;
    }
    return status;
}

CLI_SETTER(cli_set_duration)
{
    return cadv_duration_parse(text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_rate)
{
    char name[SPELLING_MAX];
    return cli_parse_rate(spelling(row, name), text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_number)
{
    char name[SPELLING_MAX];
    return cli_parse_price(spelling(row, name), text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_levels)
{
    return cadv_levels_add(field_of(row, arguments), text, err);
}

CLI_SETTER(cli_set_chunker)
{
    struct cadv_chunker_params *chunker = field_of(row, arguments);
    uint32_t seed = chunker->seed;
    enum cadv_status status = cadv_chunker_parse(text, chunker, err);
    chunker->seed = seed;
    return status;
}

CLI_SETTER(cli_set_seed)
{
    return cli_parse_seed(text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_format)
{
    return cadv_format_parse(text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_units)
{
    return cadv_units_parse(text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_column)
{
    return cadv_column_parse(text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_columns)
{
    return cadv_columns_parse(text, field_of(row, arguments), err);
}

CLI_SETTER(cli_set_when)
{
    static const char *const names[] = {[CLI_WHEN_AUTO] = "auto",
                                        [CLI_WHEN_ALWAYS] = "always",
                                        [CLI_WHEN_NEVER] = "never",
                                        [CLI_WHEN_JSON] = "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names && i <= row->highest; i++) {
        if (strcmp(text, names[i]) == 0) {
            *(enum cli_when *)field_of(row, arguments) = (enum cli_when)i;
            return CADV_OK;
        }
    }
    return cadv_error_set(err, CADV_ERR_USAGE, 0, "--%s '%.64s' is none of: %s", row->name,
                          text, row->values);
}
