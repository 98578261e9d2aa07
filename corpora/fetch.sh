#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real data out of Debian packages: downloads with apt-get, unpacks, installs nothing, so that it
# works as any user. Each NAME becomes OUTDIR/NAME. Without names: all of them, about 2.5 GB.
set -eu

usage() {
    cat <<'TEXT'
usage: fetch.sh OUTDIR [NAME...]

  kernel     sources of the kernel, unpacked: 80,000 small text files
  office     an office suite: large shared libraries
  compiler   a C compiler: large executables, headers, static libraries
  fonts      fonts: middling binaries that compress a little
  manual     a manual: HTML and pictures
  packages   the packages above as they are: compressed already
TEXT
}

# packages_of NAME: what to download for it.
packages_of() {
    case $1 in
    kernel) echo linux-source-6.1 ;;
    office) echo libreoffice-core ;;
    compiler) echo gcc-12 cpp-12 libgcc-12-dev libstdc++-12-dev ;;
    fonts) echo fonts-noto-core ;;
    manual) echo debian-handbook ;;
    packages) echo linux-source-6.1 libreoffice-core gcc-12 fonts-noto-core debian-handbook ;;
    *) echo "fetch.sh: unknown name: $1" >&2 && usage >&2 && exit 2 ;;
    esac
}

# fetch PACKAGE: downloads it into the shared folder once.
fetch() {
    set -- "$1" "$downloads/$1"
    [ -d "$2" ] && return
    mkdir -p "$2.part"
    (cd "$2.part" && apt-get -q -o APT::Sandbox::User="$(id -un)" download "$1") || {
        echo "fetch.sh: cannot download $1 (are the package lists there? apt-get update)" >&2
        exit 3
    }
    mv "$2.part" "$2"
}

# unpack NAME PACKAGE: its files below OUTDIR/NAME; archives of sources are unpacked as well.
unpack() {
    if [ "$1" = packages ]; then
        cp "$downloads/$2"/*.deb "$out/$1.part/"
        return
    fi
    dpkg-deb -x "$downloads/$2"/*.deb "$out/$1.part"
    find "$out/$1.part" -path '*/usr/src/*.tar.xz' -type f | while IFS= read -r archive; do
        tar -C "$out/$1.part" --no-same-owner -xf "$archive"
        rm -f "$archive"
    done
}

case ${1-} in
'' | -*) usage && exit 2 ;;
esac
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- kernel office compiler fonts manual packages
downloads=$out/.downloads
mkdir -p "$downloads"

for name; do
    packages=$(packages_of "$name")
    if [ -d "$out/$name" ]; then
        echo "$name: there already" >&2
        continue
    fi
    rm -rf "$out/$name.part"
    mkdir "$out/$name.part"
    for package in $packages; do
        fetch "$package"
        unpack "$name" "$package"
    done
    mv "$out/$name.part" "$out/$name"
    echo "$name: $(find "$out/$name" -type f | wc -l) files, $(du -sb "$out/$name" | cut -f1) bytes" >&2
done
