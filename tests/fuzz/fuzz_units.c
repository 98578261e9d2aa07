/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any text as a size and as a rate: refused with a message of one line and nothing changed, or a
 * number that what is printed of it comes near to.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "compadvise/units.h"
#include "fuzz_target.h"

static void check_refusal(const struct cadv_error *err)
{
    FUZZ_CHECK(err->status == CADV_ERR_USAGE && err->message[0] != '\0');
    FUZZ_CHECK(strchr(err->message, '\n') == NULL);
}

static void check_bytes(const char *text)
{
    uint64_t bytes = 12345;
    struct cadv_error err = {0};
    if (cadv_bytes_parse(text, &bytes, &err) != CADV_OK) {
        check_refusal(&err);
        FUZZ_CHECK(bytes == 12345);
        return;
    }
    char printed[UNITS_TEXT_MAX];
    FUZZ_CHECK(strlen(units_format_bytes(bytes, 4, printed)) < UNITS_TEXT_MAX);
    /* Written out in full, it is the same again. */
    char full[24];
    uint64_t again = 0;
    (void)snprintf(full, sizeof full, "%llu", (unsigned long long)bytes);
    FUZZ_CHECK(cadv_bytes_parse(full, &again, NULL) == CADV_OK && again == bytes);
}

static void check_rate(const char *text)
{
    double rate = 0.5;
    struct cadv_error err = {0};
    if (cadv_rate_parse(text, &rate, &err) != CADV_OK) {
        check_refusal(&err);
        FUZZ_CHECK(rate >= 0.5 && rate <= 0.5);
        return;
    }
    FUZZ_CHECK(isfinite(rate) && rate >= 0.0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    char *text = malloc(data_bytes + 1);
    FUZZ_CHECK(text != NULL);
    if (data_bytes > 0) {
        memcpy(text, data, data_bytes);
    }
    text[data_bytes] = '\0';
    check_bytes(text);
    check_rate(text);
    free(text);
    return 0;
}
