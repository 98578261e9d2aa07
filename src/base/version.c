/* SPDX-License-Identifier: BSD-2-Clause */
/* version.c - the version the library was built as. */
#include "compadvise/version.h"

const char *cadv_version(void)
{
    return CADV_VERSION;
}
