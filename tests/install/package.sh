#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# package.sh BUILD SOURCE - makes the Debian packages, looks at what they say and hold, unpacks them
# into a scratch root, and runs the program from there.
set -eu
build=$1
source=$2

scratch=$build/install-package
rm -rf "$scratch"
mkdir -p "$scratch/made" "$scratch/root"
cpack --config "$build/CPackConfig.cmake" -B "$scratch/made" >"$scratch/cpack.log"
set -- "$scratch/made"/compadvise_*.deb
bin=$1
set -- "$scratch/made"/libcompadvise-dev_*.deb
dev=$1

failures=0
fail() {
    echo "$1"
    failures=$((failures + 1))
}

# says PACKAGE FIELD PATTERN: the field of the control file matches.
says() {
    dpkg-deb -f "$1" "$2" | grep -Eq -e "$3" ||
        fail "$(basename "$1"): $2 is '$(dpkg-deb -f "$1" "$2")', not $3"
}

# holds PACKAGE PATH: a file that is not empty, world-readable and root's.
holds() {
    dpkg-deb -c "$1" | awk -v path="./usr/$2" '
        $6 == path && $1 ~ /^-r..r..r../ && $2 == "root/root" && $3 > 0 { found = 1 }
        END { exit !found }' || fail "$(basename "$1") does not hold /usr/$2"
}

version=$(sed -n 's/^project(compadvise VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
for package in "$bin" "$dev"; do
    says "$package" Version "^$version\$"
    says "$package" Architecture "^$(dpkg --print-architecture)\$"
    says "$package" Description '^Backup compression level advisor'
    says "$package" Maintainer .
done
says "$bin" Package '^compadvise$'
says "$bin" Section '^admin$'
says "$dev" Package '^libcompadvise-dev$'
says "$dev" Section '^libdevel$'

# What the program is linked with, package by package, asked of the loader.
for library in $(ldd "$build/src/compadvise" | sed -n 's|.*=> \(/[^ ]*\) .*|\1|p'); do
    real=$(readlink -f "$library")
    package=$(dpkg -S "$real" "${real#/usr}" "$library" 2>/dev/null | sed -n '1s/:.*//p' || true)
    # Only what it links itself: what those link is theirs to ask for.
    if objdump -p "$build/src/compadvise" | grep -q "NEEDED *$(basename "$library")\$"; then
        says "$bin" Depends "(^|, )$package( |,|\$)"
    fi
done
# The static library leaves its own libraries to who links it: the package of each module's file.
# shellcheck disable=SC2013 # names of modules are words
for module in $(sed -n 's/^Requires.private: //p' "$build/src/compadvise.pc"); do
    file=$(pkg-config --variable=pcfiledir "$module")/$module.pc
    package=$(dpkg -S "$file" | sed 's/:.*//')
    says "$dev" Depends "(^|, )$package(,|\$)"
done
# And what those modules ask for in turn, which Debian's packages need not depend on.
for name in $(PKG_CONFIG_PATH=$build/src pkg-config --static --libs-only-l compadvise | tr ' ' '\n' |
    sed -n 's/^-l//p' | grep -vx -e compadvise); do
    file=$(cc -print-file-name="lib$name.so")
    [ -e "$file" ] || file=$(cc -print-file-name="lib$name.a")
    file=$(realpath -s "$file")
    package=$(dpkg -S "$file" "${file#/usr}" 2>/dev/null | sed -n '1s/:.*//p' || true)
    says "$dev" Depends "(^|, )${package:-the package of -l$name}(,|\$)"
done

for path in bin/compadvise share/man/man1/compadvise.1.gz share/doc/compadvise/copyright \
    share/bash-completion/completions/compadvise share/zsh/vendor-completions/_compadvise \
    share/fish/vendor_completions.d/compadvise.fish; do
    holds "$bin" "$path"
done
for header in "$source"/include/compadvise/*.h; do
    holds "$dev" "include/compadvise/$(basename "$header")"
done
holds "$dev" share/doc/libcompadvise-dev/copyright
both=$(for package in "$bin" "$dev"; do dpkg-deb -c "$package" | awk '$1 ~ /^-/ { print $6 }'; done |
    sort | uniq -d)
[ -z "$both" ] || fail "in both packages: $both"

dpkg-deb -x "$bin" "$scratch/root"
dpkg-deb -x "$dev" "$scratch/root"
library=$(find "$scratch/root" -name libcompadvise.a -size +0)
[ -n "$library" ] || fail "no library"
[ "$("$scratch/root/usr/bin/compadvise" --version | head -n 1)" = "compadvise $version" ] ||
    fail "the program is of another version"
"$scratch/root/usr/bin/compadvise" -q --levels zstd:1 "$source/docs" | grep -q '^zstd,1 ' ||
    fail "the program reports nothing"
gzip -dc "$scratch/root/usr/share/man/man1/compadvise.1.gz" >"$scratch/compadvise.1"
mandoc -T lint -W error "$scratch/compadvise.1" || fail "the manual is no manual"
[ "$failures" -eq 0 ]
