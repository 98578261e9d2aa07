#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real data out of Debian packages: downloads with apt-get, unpacks, installs nothing, so that it
# works as any user. Each NAME becomes OUTDIR/NAME. Without names: the first six, about 2 GB.
# Packages are kept in OUTDIR/.downloads, or in the folder that $CORPORA_DOWNLOADS names.
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
  desktop    programs, libraries, icons and data beside the four above: most of a /usr
  server     databases, containers, interpreters: what fills an image of a server
  debs       nineteen packages from 0.1 to 15 MB as they are
  pictures   photographs and drawings, sounds
  documents  manuals as PDF and HTML
  project    sources of one project, in Python
  downloads  four packages as they are
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
    desktop) echo openjdk-17-jre-headless python3-numpy python3-scipy python3-django \
        libboost1.74-dev adwaita-icon-theme perl-modules-5.36 vim-runtime emacs-common locales \
        iso-codes inkscape wordnet-base libicu72 ;;
    server) echo libc6 systemd postgresql-15 mariadb-server-core libnode108 docker.io containerd \
        libllvm14 golang-1.19-src libruby3.1 samba-libs snapd r-base-core libwebkit2gtk-4.0-37 \
        apache2-bin php8.2-cli git ;;
    debs) echo libc6 systemd tzdata iso-codes apache2-bin locales samba-libs git libicu72 \
        libboost1.74-dev libnode108 emacs-common python3-scipy perl-modules-5.36 \
        mythes-en-us dict-wn hunspell-en-us php8.2-cli libruby3.1 ;;
    pictures) echo gnome-backgrounds tuxpaint-data frozen-bubble-data ;;
    documents) echo r-doc-pdf r-doc-html ;;
    project) echo python3-django ;;
    downloads) echo git vim-runtime perl-modules-5.36 tzdata ;;
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
    case $1 in
    packages | debs | downloads)
        cp "$downloads/$2"/*.deb "$out/$1.part/"
        return
        ;;
    esac
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
downloads=${CORPORA_DOWNLOADS:-$out/.downloads}
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
