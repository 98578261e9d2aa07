#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fuzz.sh DIR - a short libFuzzer run of every target, starting from its seeds in the tree; what
# it finds stays in DIR. $CADV_FUZZ_SECONDS (10) for each target.
. tests/steps/lib.sh

# fuzz_one TARGET: new inputs are kept in the work folder, never in the source tree.
fuzz_one() {
    found=$work/found/$(basename "$1")
    mkdir -p "$found"
    set -- "$1" "$found"
    seeds=tests/fuzz/corpus/$(basename "$1")
    [ ! -d "$seeds" ] || set -- "$@" "$seeds"
    "$@" -max_total_time="${CADV_FUZZ_SECONDS:-10}" -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$work/found/crash-"
}

work=$1
if ! ls tests/fuzz/fuzz_*.c >/dev/null 2>&1; then
    echo "no fuzz targets"
    verdict
    exit 0
fi
must "builds with libFuzzer" build_with_clang "$work" -DCADV_FUZZ=ON \
    -DCADV_SANITIZE=address,undefined
for source in tests/fuzz/fuzz_*.c; do
    target=$(basename "$source" .c)
    check "fuzz $target" fuzz_one "$work/tests/fuzz/$target"
done
verdict
