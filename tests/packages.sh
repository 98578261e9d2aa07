#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# packages.sh build|test - installs what is missing to build, or to build and test, on Debian 12.
# Does nothing, and needs no rights, when all of it is there.
set -eu

build="build-essential cmake ninja-build pkg-config libarchive-dev libzstd-dev liblz4-dev liblzma-dev
    libxxhash-dev libjansson-dev libsmartcols-dev libssl-dev zlib1g-dev"
# The oracles, the second compiler with its sanitizers, the checks of style and manual, and what a program
# is linked with beside libarchive when it is linked with the static library.
more="acl borgbackup clang clang-format clang-tidy codespell cpio e2fsprogs fish libacl1-dev libarchive-tools
    libbz2-dev libclang-rt-dev libcmocka-dev libxml2-dev mandoc nettle-dev python3-hypothesis python3-jsonschema python3-pytest shellcheck zsh"

case "${1:-}" in
build) wanted=$build ;;
test) wanted="$build $more" ;;
*)
    echo "usage: packages.sh build|test" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "packages.sh: not a Debian system; needed are the equivalents of: $wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

# sudo passes no environment on, so what apt-get needs of it is said here.
apt="env DEBIAN_FRONTEND=noninteractive apt-get"
[ "$(id -u)" -eq 0 ] || apt="sudo $apt"
echo "installing:$missing"
# An image may come without package lists, or with lists older than the archive: then update.
# shellcheck disable=SC2086 # both are lists of words
if ! $apt install -y --no-install-recommends $missing </dev/null >/dev/null 2>&1; then
    $apt update </dev/null
    $apt install -y --no-install-recommends $missing </dev/null
fi
