/* SPDX-License-Identifier: BSD-2-Clause */
/* support/unit.h - cmocka with the headers it needs, in the order it needs them. */
#ifndef SUPPORT_UNIT_H
#define SUPPORT_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
