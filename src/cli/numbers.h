/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/numbers.h - numbers of options; what is wrong is CADV_ERR_USAGE and names the option. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdint.h>

#include "compadvise/error.h"

/** A whole decimal number from `lowest` to `highest`. */
enum cadv_status cli_parse_u64(const char *option, const char *text, uint64_t lowest,
                               uint64_t highest, uint64_t *value, struct cadv_error *err);

/** A chunk seed: 32 bits, decimal or 0x; negative ones as Borg prints them. */
enum cadv_status cli_parse_seed(const char *text, uint32_t *seed, struct cadv_error *err);

/** A rate, more than nothing. */
enum cadv_status cli_parse_rate(const char *option, const char *text, double *rate,
                                struct cadv_error *err);

/** A plain number, at least 0. */
enum cadv_status cli_parse_price(const char *option, const char *text, double *price,
                                 struct cadv_error *err);

#endif
