/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/option_set.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/units.h"
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
        return error_nomem(err, "reading the arguments");
    }
    longer[list->count++] = text;
    list->items = longer;
    return CADV_OK;
}

CLI_SETTER(cli_set_append)
{
    return cli_list_add(field_of(row, arguments), text, err);
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
    enum cadv_status status = units_parse_bytes(text, &bytes, err);
    if (status == CADV_OK && bytes < row->lowest) {
        char least[UNITS_TEXT_MAX];
        return error_set(err, CADV_ERR_USAGE, "--%s must be at least %s", row->name,
                         units_format_bytes(row->lowest, 3, least));
    }
    if (status == CADV_OK) {
        *(uint64_t *)field_of(row, arguments) = bytes;
    }
    return status;
}

CLI_SETTER(cli_set_duration)
{
    return units_parse_duration(text, field_of(row, arguments), err);
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
