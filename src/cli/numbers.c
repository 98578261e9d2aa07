/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compadvise/units.h"

enum cadv_status cli_parse_u64(const char *option, const char *text, uint64_t lowest,
                               uint64_t highest, uint64_t *value, struct cadv_error *err)
{
    char *end = NULL;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || number < lowest ||
        number > highest) {
        return cadv_error_set(err, CADV_ERR_USAGE, 0,
                              "%s '%s' is not a whole number from %" PRIu64 " to %" PRIu64,
                              option, text, lowest, highest);
    }
    *value = number;
    return CADV_OK;
}

enum cadv_status cli_parse_seed(const char *text, uint32_t *seed, struct cadv_error *err)
{
    char *end = NULL;
    errno = 0;
    const char *digits = text[0] == '-' ? text + 1 : text;
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    long long number = strtoll(text, &end, is_hex ? 16 : 10);
    if (!isdigit((unsigned char)digits[0]) || *end != '\0' || errno != 0 ||
        number < INT32_MIN || number > (long long)UINT32_MAX) {
        return cadv_error_set(err, CADV_ERR_USAGE, 0,
                              "--chunk-seed '%s' is not a 32-bit number, decimal or 0x", text);
    }
    *seed = (uint32_t)number;
    return CADV_OK;
}

enum cadv_status cli_parse_rate(const char *option, const char *text, double *rate,
                                struct cadv_error *err)
{
    double number = 0.0;
    enum cadv_status status = cadv_rate_parse(text, &number, err);
    if (status == CADV_OK && number <= 0.0) {
        return cadv_error_set(err, CADV_ERR_USAGE, 0, "%s '%s' must be more than nothing",
                              option, text);
    }
    if (status == CADV_OK) {
        *rate = number;
    }
    return status;
}

enum cadv_status cli_parse_price(const char *option, const char *text, double *price,
                                 struct cadv_error *err)
{
    char *end = NULL;
    errno = 0;
    double number = strtod(text, &end);
    /* strtod() would also take spaces before, "nan", "inf" and hexadecimal. */
    bool is_decimal = strspn(text, "0123456789.eE+-") == strlen(text);
    if (!is_decimal || end == text || *end != '\0' || errno != 0 || !isfinite(number) ||
        number < 0.0 || number > 1e12) {
        return cadv_error_set(err, CADV_ERR_USAGE, 0, "%s '%s' is not a number from 0 to 1e12",
                              option, text);
    }
    *price = number;
    return CADV_OK;
}
