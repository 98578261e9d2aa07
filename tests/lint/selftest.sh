#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# selftest.sh - each lint is seen to pass on a small sound tree, and to fail on the same tree with
# one violation in it.
set -eu
lint=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

failures=0
spdx='/* SPDX-License-Identifier: BSD-2-Clause */'

sound_tree() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/corpora" "$tree/docs" "$tree/include/compadvise" "$tree/src/base" \
        "$tree/src/index" "$tree/tests"
    touch "$tree/CMakeLists.txt" "$tree/LICENSE"
    echo "# SPDX-License-Identifier: BSD-2-Clause" >"$tree/CMakeLists.txt"
    echo "Open src/base/a.c, src/*/index.h and src/codec/codec_NAME.c; run ./tests/." >"$tree/README.md"
    printf '%s\n#include "base/a.h"\n' "$spdx" >"$tree/src/base/a.c"
    printf '%s\n/*\n * May include: the public\n * headers.\n */\n' "$spdx" >"$tree/src/base/a.h"
    printf '%s\n#include "base/a.h"\n/* May include: base,\n * par. */\n' "$spdx" \
        >"$tree/src/index/index.h"
}

# passes LINT ARGUMENTS..., fails LINT ARGUMENTS...
passes() {
    "$@" >"$tree.log" 2>&1 || {
        echo "should pass: $*"
        cat "$tree.log"
        failures=$((failures + 1))
    }
    rm -f "$tree.log"
}
fails() {
    if "$@" >/dev/null 2>&1; then
        echo "should fail: $*"
        failures=$((failures + 1))
    fi
}

for name in layers doc-paths sizes spdx top-level; do
    sound_tree
    passes sh "$lint/$name.sh" "$tree"
done

sound_tree
echo '#include "index/index.h"' >>"$tree/src/base/a.c"
fails sh "$lint/layers.sh" "$tree"
sound_tree
echo '#include "a.h"' >>"$tree/src/base/a.c"
fails sh "$lint/layers.sh" "$tree"
sound_tree
printf '/*\n * May include: base,\n * session.\n */\n' >>"$tree/src/base/a.h"
fails sh "$lint/layers.sh" "$tree"
sound_tree
mkdir "$tree/src/misc"
fails sh "$lint/layers.sh" "$tree"

sound_tree
echo 'See "src/base/gone.c".' >>"$tree/README.md"
fails sh "$lint/doc-paths.sh" "$tree"
sound_tree
echo 'See [how](tests/gone/*.c).' >"$tree/docs/a.md"
fails sh "$lint/doc-paths.sh" "$tree"

sound_tree
yes '' | head -n 500 >>"$tree/src/base/a.c"
fails sh "$lint/sizes.sh" "$tree"
sound_tree
yes '' | head -n 250 >>"$tree/src/base/a.h"
fails sh "$lint/sizes.sh" "$tree"

sound_tree
echo 'int cadv_x;' >"$tree/src/base/b.c"
fails sh "$lint/spdx.sh" "$tree"

sound_tree
touch "$tree/Makefile"
fails sh "$lint/top-level.sh" "$tree"
sound_tree
rm "$tree/LICENSE"
fails sh "$lint/top-level.sh" "$tree"

# program OPTION...: a program whose --help lists these.
program() {
    printf '#!/bin/sh\necho "  -o, --output=FILE  As --usage says."\n' >"$tree/program"
    printf 'echo "      %s  Text"\n' "$@" >>"$tree/program"
    chmod +x "$tree/program"
}
printf '.It Fl o Ar file , Fl \\-output Ar file\n.It Fl \\-usage\n.It Fl \\-no-baseline\n' >"$tree/manual.1"
program --no-baseline
passes sh "$lint/manual.sh" "$tree/program" "$tree/manual.1"
program --no-baseline --new
fails sh "$lint/manual.sh" "$tree/program" "$tree/manual.1"
program --baseline
fails sh "$lint/manual.sh" "$tree/program" "$tree/manual.1"

# symbols.sh reads libraries: one with constants and one counter of its own file, then worse ones.
# library NAME: compiles standard input into NAME.o and NAME.so.
library() {
    cat >"$tree/$1.c"
    cc -fPIC -c -o "$tree/$1.o" "$tree/$1.c"
    cc -shared -o "$tree/$1.so" "$tree/$1.o"
}
library good <<'C'
static int count;
int cadv_count(void) { return ++count; }
extern int (*const cadv_table[])(void);
int (*const cadv_table[])(void) = {cadv_count};
C
library variable <<'C'
int cadv_verbosity = 1;
C
library zeroed <<'C'
int cadv_verbosity;
C
library exported <<'C'
int helper(void) { return 1; }
C
passes sh "$lint/symbols.sh" static "$tree/good.o"
passes sh "$lint/symbols.sh" shared "$tree/good.so"
fails sh "$lint/symbols.sh" static "$tree/variable.o"
fails sh "$lint/symbols.sh" static "$tree/zeroed.o"
fails sh "$lint/symbols.sh" shared "$tree/exported.so"

[ "$failures" -eq 0 ]
