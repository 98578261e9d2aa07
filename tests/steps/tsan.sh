#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tsan.sh DIR - data races and lock order.
. tests/steps/lib.sh

must "builds with TSan" build_with_clang "$1" -DCADV_SANITIZE=thread
export TSAN_OPTIONS=second_deadlock_stack=1
# Without what runs the same threads over and over, to look at texts, formats and limits.
ctest_in "$1" "$CADV_STEP_JOBS" 'unit|property|e2e' -LE slow \
    -E 'test_(bad_input|changes|cli|completions|corpora|formats|schema)$'
verdict
