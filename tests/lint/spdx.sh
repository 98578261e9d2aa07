#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# spdx.sh ROOT - each file of ours says its licence in the first line, after #! where there is one.
set -eu
cd "$1"

found=$(find CMakeLists.txt src include tests corpora -type f \
    \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name CMakeLists.txt \) \
    -exec awk 'FNR == 1 && /^#!/ { next }
        { if ($0 !~ /SPDX-License-Identifier: BSD-2-Clause/) print FILENAME ": no SPDX line"
          exit }' '{}' \;)
[ -z "$found" ] || echo "$found"
[ -z "$found" ]
