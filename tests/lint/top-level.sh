#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# top-level.sh ROOT - the top of the tree holds what it is meant to hold, and nothing else. Names
# with a dot in front are free; build folders (build*, as in .gitignore) are not part of the tree.
set -eu
cd "$1"

expected="CMakeLists.txt LICENSE README.md corpora docs include src tests"
failures=0

for name in *; do
    case " $expected build " in
    *" $name "*) continue ;;
    esac
    if [ -d "$name" ] && [ "${name#build}" != "$name" ]; then
        continue
    fi
    echo "unexpected at the top level: $name"
    failures=$((failures + 1))
done
for name in $expected; do
    if [ ! -e "$name" ]; then
        echo "missing at the top level: $name"
        failures=$((failures + 1))
    fi
done
[ "$failures" -eq 0 ]
