#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# doc-paths.sh ROOT - every path into the tree that README.md or docs/*.md names exists. A name
# with NAME in it stands for a file that the reader is about to write.
set -eu
cd "$1"

failures=0
for document in README.md docs/*.md; do
    [ -f "$document" ] || continue
    # shellcheck disable=SC2013 # paths without spaces
    # Words made of path characters; a trailing full stop is punctuation.
    for path in $(grep -oE '[A-Za-z0-9_./*+-]+' "$document" | sed 's|^\./||; s/\.*$//' |
        grep -E '^(src|include|tests|docs|corpora)/.' | grep -v NAME | sort -u); do
        found=no
        # Unquoted: a pattern is right when anything matches it.
        for candidate in $path; do
            [ ! -e "$candidate" ] || found=yes
        done
        if [ "$found" = no ]; then
            echo "$document: no such file: $path"
            failures=$((failures + 1))
        fi
    done
done
[ "$failures" -eq 0 ]
