#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# sizes.sh ROOT - no source over 500 lines, no header over 250: beyond that, a file holds two ideas.
set -eu
cd "$1"

# over LIMIT PATTERN: the files with more lines.
over() {
    find src include tests -name "$2" -exec awk -v limit="$1" '
        END { if (FNR > limit) print FILENAME ": " FNR " lines, at most " limit }' '{}' \;
}

found=$(over 500 '*.c' && over 250 '*.h')
[ -z "$found" ] || echo "$found"
[ -z "$found" ]
