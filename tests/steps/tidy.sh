#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tidy.sh DIR - clang-tidy over the program's own sources; a check for each file.
. tests/steps/lib.sh

# The compile commands are clang's, because gcc's options are not all known to clang-tidy.
cmake -G Ninja -S . -B "$1" -DCMAKE_C_COMPILER=clang -DCADV_TESTS=OFF
mkdir -p "$1/tidy"
rm -f "$1"/tidy/*

# One process per file, so that several run beside each other; each leaves its verdict.
export CADV_TIDY_DIR="$1"
# shellcheck disable=SC2016 # expanded by the inner shell
find src -name '*.c' | sort | xargs -P "$CADV_STEP_JOBS" -I '{}' sh -c '
    out=$CADV_TIDY_DIR/tidy/$(echo "$1" | tr / _)
    clang-tidy -p "$CADV_TIDY_DIR" --quiet "$1" >"$out.log" 2>&1 && mv "$out.log" "$out.ok"
    true' tidy '{}'

for source in $(find src -name '*.c' | sort); do
    result=$1/tidy/$(echo "$source" | tr / _)
    if [ -f "$result.ok" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL clang-tidy $source"
        cat "$result.log"
    fi
done
verdict
