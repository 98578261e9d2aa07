#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# style.sh DIR - formatting, shell scripts, spelling. DIR is not used.
. tests/steps/lib.sh

c_files_are_formatted() {
    find src include tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
}

shell_scripts_are_sound() {
    find tests corpora .ci -name '*.sh' -print0 -o -path .ci/run -print0 | xargs -0 shellcheck -x
}

# Words that are right here: the names of things in Borg, in C, and in the statistics.
spelling_is_right() {
    codespell --skip='*.json,*.hex,*/__pycache__,*/corpus' \
        --ignore-words=tests/steps/spelling.txt src include tests docs README.md .ci
}

check "clang-format" c_files_are_formatted
check "shellcheck" shell_scripts_are_sound
check "codespell" spelling_is_right
verdict
