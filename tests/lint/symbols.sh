#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# symbols.sh static LIBRARY.a - no variable that several files can change.
# symbols.sh shared LIBRARY.so - exports what the public headers declare: names with cadv_.
set -eu

static_library() {
    # Tables of pointers lie in .data.rel.ro: written once by the loader, constant after. They look
    # writable to nm, so the sections are asked instead.
    objdump -t "$1" | awk '
        /file format/ { file = $1 }
        $2 == "g" && $4 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ &&
            $4 !~ /^\.data\.rel\.ro/ { print file " " $NF " in " $4 }'
}

shared_library() {
    # Absolute symbols are version names of the linker script.
    nm -D --defined-only "$1" | awk '$2 != "A" && $3 !~ /^cadv_/ { print $3 " is exported" }'
}

case "$1" in
static) found=$(static_library "$2") ;;
shared) found=$(shared_library "$2") ;;
*) exit 2 ;;
esac

[ -z "$found" ] || echo "$found"
[ -z "$found" ]
