#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# clang.sh DIR - the second compiler: its warnings, and the tests that depend on what it generates.
. tests/steps/lib.sh

must "clang builds without a warning" build_with_clang "$1"
ctest_in "$1" "$CADV_STEP_JOBS" 'unit|property|fuzz' -LE slow
verdict
