#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# consumer.sh static|shared BUILD SOURCE - installs the library to a scratch prefix, moves that
# prefix, and builds and runs consumer.c against it with pkg-config alone. `static` installs from
# BUILD; `shared` makes a build of its own beside it, and looks at what the library exports.
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
# shellcheck disable=SC2086 # compiler options are words
cc -std=c17 -Wall -Wextra -Wpedantic -Werror "$source/tests/install/consumer.c" $flags \
    -o "$scratch/consumer"
"$scratch/consumer"

# The program finds its library when started from the build or with the library's folder known.
program=$scratch/moved/bin/compadvise
if [ -x "$program" ]; then
    LD_LIBRARY_PATH=$library_folder "$program" --version
fi
