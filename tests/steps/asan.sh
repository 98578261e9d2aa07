#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# asan.sh DIR - memory errors, leaks and undefined behaviour.
. tests/steps/lib.sh

must "builds with ASan and UBSan" build_with_clang "$1" \
    -DCADV_SANITIZE=address,undefined
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
ctest_in "$1" "$CADV_STEP_JOBS" 'unit|property|e2e|fuzz' -LE slow \
    -E 'test_(cli|completions|corpora|schema)$'
verdict
