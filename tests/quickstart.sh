#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# quickstart.sh [DIR] - from a clean clone to a report: installs the packages that are missing,
# builds a release into build/, and runs it on DIR (default /usr/share).
set -eu

dataset=$(realpath -- "${1:-/usr/share}")
cd "$(dirname "$0")/.."

sh tests/packages.sh build

# A build folder made with another generator is kept as it is.
generator=
[ -f build/CMakeCache.txt ] || generator="-G Ninja"
# shellcheck disable=SC2086 # empty, or two words
cmake $generator -S . -B build -DCMAKE_BUILD_TYPE=Release -DCADV_TESTS=OFF >/dev/null
if ! cmake --build build --target compadvise >build/build.log 2>&1; then
    cat build/build.log >&2
    exit 3
fi

echo "build/src/compadvise $dataset"
exec build/src/compadvise "$dataset"
