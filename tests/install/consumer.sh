#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# consumer.sh static|shared BUILD SOURCE - installs the library to a scratch prefix, moves that
# prefix, and builds and runs consumer.c and the example of docs/library.md against it with
# pkg-config alone. `static` installs from BUILD; `shared` makes a build of its own beside it, and looks at what the library exports.
set -eu
kind=$1
build=$2
source=$3

scratch=$build/install-$kind
rm -rf "$scratch/prefix" "$scratch/moved"
mkdir -p "$scratch"

if [ "$kind" = shared ]; then
    build=$scratch/build
    cmake -G Ninja -S "$source" -B "$build" -DBUILD_SHARED_LIBS=ON -DCADV_TESTS=OFF
    cmake --build "$build"
fi
for component in bin dev; do
    cmake --install "$build" --prefix "$scratch/prefix" --component "$component"
done
mv "$scratch/prefix" "$scratch/moved"

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name compadvise.pc)")
export PKG_CONFIG_PATH
library_folder=$(dirname "$PKG_CONFIG_PATH")
if [ "$kind" = static ]; then
    flags=$(pkg-config --static --cflags --libs compadvise)
else
    flags="$(pkg-config --cflags --libs compadvise) -Wl,-rpath,$library_folder"
    sh "$source/tests/lint/symbols.sh" shared "$library_folder/libcompadvise.so"
fi
# What a document shows must compile as it stands.
sh "$source/tests/install/extract.sh" "$source/docs/library.md" >"$scratch/example.c"
cp "$source/tests/install/consumer.c" "$scratch/"
for name in consumer example; do
    # shellcheck disable=SC2086 # compiler options are words
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror "$scratch/$name.c" $flags -o "$scratch/$name"
done
"$scratch/consumer"

"$scratch/example" "$source/docs" >"$scratch/example.out" 2>"$scratch/example.err"
grep -Eq '^(none|lz4|"?zstd,[1-9]"?): .* between [0-9]+ and [0-9]+ bytes$' "$scratch/example.out"
[ "$(grep -c '^"zstd,' "$scratch/example.out")" -eq 9 ]
grep -Eq '^read [1-9][0-9]* files$' "$scratch/example.err"

# The program finds its library when started from the build or with the library's folder known.
program=$scratch/moved/bin/compadvise
if [ -x "$program" ]; then
    LD_LIBRARY_PATH=$library_folder "$program" --version
fi
