# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# lib.sh - what the steps share; sourced. Counts, and two ways to add to them.
set -eu
: "${CADV_STEP_JOBS:=$(nproc)}"
passed=0
failed=0

# check NAME COMMAND...: runs one check and counts it.
check() {
    check_name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok   $check_name"
    else
        failed=$((failed + 1))
        echo "FAIL $check_name"
    fi
}

# must NAME COMMAND...: a check without which the rest of the step makes no sense.
must() {
    check "$@"
    [ "$failed" -eq 0 ] || verdict || exit 1
}

# build_in DIR CMAKE_OPTIONS...: configures and builds everything; counts as one check.
build_in() {
    build_dir=$1
    shift
    cmake -G Ninja -S . -B "$build_dir" -DCADV_WERROR=ON "$@" &&
        cmake --build "$build_dir" -j "$CADV_STEP_JOBS"
}

# build_with_clang DIR CMAKE_OPTIONS...: the same with clang. Seventy programs are linked: gold, which
# comes with binutils, takes half as long as its usual linker, less with lines as the only debug info.
build_with_clang() {
    build_dir=$1
    shift
    build_in "$build_dir" -DCMAKE_C_COMPILER=clang -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold \
        "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -gline-tables-only -DNDEBUG" "$@"
}

# ctest_in DIR JOBS LABELS [CTEST_OPTIONS...]: runs the tests with one of the labels (a regular
# expression) and counts each of them. No tests at all counts as a failure.
ctest_in() {
    test_dir=$1
    test_jobs=$2
    test_labels=$3
    shift 3
    ctest --test-dir "$test_dir" -j "$test_jobs" -L "^($test_labels)\$" --no-tests=error \
        --output-on-failure "$@" >"$test_dir/ctest.log" 2>&1 && test_status=0 || test_status=$?
    cat "$test_dir/ctest.log"
    # "97% tests passed, 2 tests failed out of 61"
    counts=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' \
        "$test_dir/ctest.log")
    if [ -z "$counts" ]; then
        failed=$((failed + 1))
        return 0
    fi
    test_failed=${counts% *}
    test_total=${counts#* }
    [ "$test_status" -eq 0 ] || [ "$test_failed" -gt 0 ] || test_failed=1
    failed=$((failed + test_failed))
    passed=$((passed + test_total - test_failed))
}

# The last call of a step.
verdict() {
    echo "verdict $passed $failed"
    [ "$failed" -eq 0 ]
}
