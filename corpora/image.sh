#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# image.sh IMAGE BYTES FOLDER... - an ext4 file system as a virtual machine's disk holds it, filled
# from the folders, as any user. What is free is a hole. Its identity and the times of its own
# structures are fixed; the order of entries and the times of changes are those of the folders here,
# so that no bytes are promised.
set -eu

[ $# -ge 3 ] || {
    echo "usage: image.sh IMAGE BYTES FOLDER..." >&2
    exit 2
}
image=$1
bytes=$2
shift 2
PATH=$PATH:/usr/sbin:/sbin
command -v mke2fs >/dev/null || {
    echo "image.sh: mke2fs is missing: Debian's package e2fsprogs" >&2
    exit 3
}
mkdir -p "$(dirname "$image")"
tree=$image.tree
rm -rf "$tree" "$image.part"
mkdir "$tree"
trap 'rm -rf "$tree"' EXIT
for folder; do
    # Linked, not copied: the file system gets a copy soon enough.
    cp -al "$folder/." "$tree/"
done

id=5eed5eed-0001-4001-8001-5eed5eed5eed
E2FSPROGS_FAKE_TIME=1000000000 mke2fs -q -t ext4 -b 4096 -U "$id" -L root -m 0 \
    -E "hash_seed=$id,lazy_itable_init=0,root_owner=0:0" -d "$tree" "$image.part" "$((bytes / 1024))k"
mv "$image.part" "$image"
