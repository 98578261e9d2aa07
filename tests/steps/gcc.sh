#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# gcc.sh DIR - the build as users make it, all tests in it: also the slow ones.
. tests/steps/lib.sh

must "gcc builds without a warning" build_in "$1" -DCMAKE_C_COMPILER=gcc
check "public headers compile alone" \
    cmake --build "$1" --target all_verify_interface_header_sets
check "a package can be made" cpack --config "$1/CPackConfig.cmake" -B "$1/package"
# Two at a time even where steps have one CPU each: this is the step that the others wait for.
ctest_in "$1" $((CADV_STEP_JOBS + 1)) '.*'
verdict
