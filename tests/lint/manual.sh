#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# manual.sh PROGRAM MANUAL - the manual page describes the long options that --help lists, all of
# them and no others.
set -eu

helped=$("$1" --help | grep -oE '(^|[ ,])--[a-z0-9-]+' | tr -d ' ,' | sort -u)
described=$(sed -n 's/^\.It .*Fl \\-\([a-z0-9-]*\).*/--\1/p' "$2" | sort -u)

failures=0
for option in $helped; do
    if ! echo "$described" | grep -q -x -e "$option"; then
        echo "not in the manual: $option"
        failures=$((failures + 1))
    fi
done
for option in $described; do
    if ! echo "$helped" | grep -q -x -e "$option"; then
        echo "not in --help: $option"
        failures=$((failures + 1))
    fi
done
[ -n "$helped" ] || echo "--help lists no options"
[ "$failures" -eq 0 ] && [ -n "$helped" ]
