#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run-all.sh [STEP...] - every test and check, from a clean clone to a verdict: installs the
# packages that are missing, runs the steps below (or those named) beside each other, and prints
# how many passed and failed. Exit status 0 only when nothing failed.
#
# A step is one file in tests/steps/; it is called with a folder of its own to work in, prints a
# log, and ends with a line `verdict PASSED FAILED`. A step that ends without one has failed.
# The folder is build-tests/STEP, kept from run to run, so that a second run rebuilds little.
set -eu
cd "$(dirname "$0")/.."

# Longest first, so that the last one to finish is a short one.
steps="gcc asan tidy tsan clang fuzz style"
[ $# -eq 0 ] || steps=$*

work=$PWD/build-tests
cpus=$(nproc)

# One process per CPU up to the number of steps; machines with more give each step several.
CADV_STEP_JOBS=$(((cpus + 3) / 4))
export CADV_STEP_JOBS

run_step() {
    name=$1
    mkdir -p "$work/$name"
    log=$work/$name.log
    started=$(date +%s)
    sh "tests/steps/$name.sh" "$work/$name" >"$log" 2>&1 </dev/null && status=0 || status=$?
    seconds=$(($(date +%s) - started))

    verdict=$(sed -n 's/^verdict \([0-9]* [0-9]*\)$/\1/p' "$log" | tail -n 1)
    [ -n "$verdict" ] || verdict="0 1"
    passed=${verdict% *}
    failed=${verdict#* }
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    echo "$passed $failed" >"$work/$name.verdict"
    # What cmake and ninja say while all is well would hide what is not.
    [ "$failed" -eq 0 ] ||
        sed "/^-- /d; /^\[[0-9]*\/[0-9]*\] [BL]/d; s/^/$name: /" "$log" | tail -n 150
    printf '%-6s %4d passed, %d failed (%d s)\n' "$name" "$passed" "$failed" "$seconds"
}

if [ "${CADV_ONE_STEP:-}" ]; then
    run_step "$CADV_ONE_STEP"
    exit 0
fi

sh tests/packages.sh test
for name in $steps; do
    if [ ! -f "tests/steps/$name.sh" ]; then
        echo "run-all.sh: no step $name; there are: $(cd tests/steps && echo *.sh)" >&2
        exit 2
    fi
    rm -f "$work/$name.verdict"
done
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $steps | xargs -P "$cpus" -I '{}' env CADV_ONE_STEP='{}' sh tests/run-all.sh

passed=0
failed=0
for name in $steps; do
    read -r step_passed step_failed <"$work/$name.verdict" || step_passed=0 step_failed=1
    passed=$((passed + step_passed))
    failed=$((failed + step_failed))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
