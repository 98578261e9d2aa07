#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# layers.sh ROOT - modules include only the modules below them, and say so in their headers.
# The table is the one in docs/architecture.md: module, then what it may include besides itself
# and the public headers. A new module needs its row here.
set -eu
cd "$1/src"

table='
base
par base
walk base par
source base
chunk base
index base par
codec base
record base
sample base par record
scan base par walk source chunk index codec record sample trial target
plan base record estimate
trial base par codec record sample
estimate base record
target base record
advise base
report base
session base par walk source chunk index codec sample record scan plan trial estimate target advise report
cli
'

failures=0
fail() {
    echo "$1"
    failures=$((failures + 1))
}

# allowed FROM TO: true when the table lets FROM include TO.
allowed() {
    [ "$1" = "$2" ] || [ "$2" = compadvise ] ||
        echo "$table" | grep -Eq "^$1( .*)? $2( |\$)"
}

for folder in */; do
    module=${folder%/}
    echo "$table" | grep -Eq "^$module( |\$)" || fail "src/$module: not in the table of layers.sh"

    for file in $(find "$module" -name '*.[ch]' | sort); do
        # shellcheck disable=SC2013 # module names are words
        # A name without a folder would be of this module; names in <> are of the system.
        for other in $(sed -n 's|^ *# *include *"\([a-z0-9_]*\)/.*|\1|p' "$file" | sort -u); do
            allowed "$module" "$other" || fail "src/$file: $module may not include $other"
        done
        ! grep -n '^ *# *include *"[^/"]*"' "$file" || fail "src/$file: write the module in #include"
        ! grep -n '^ *# *include *"[^"]*\.\./' "$file" || fail "src/$file: no .. in #include"
    done

    # "May include: base, record." ends with the full stop; words that are no modules are prose.
    for header in $(find "$module" -name '*.h' | sort); do
        promised=$(tr -cs 'A-Za-z.:' ' ' <"$header" | sed -n 's/.*May include:\([^.]*\)\..*/\1/p')
        for other in $promised; do
            if echo "$table" | grep -Eq "^$other( |\$)" && ! allowed "$module" "$other"; then
                fail "src/$header: promises to include $other, which the table does not allow"
            fi
        done
    done
done
[ "$failures" -eq 0 ]
