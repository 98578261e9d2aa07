#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# extract.sh DOCUMENT - the C text between the fences of a Markdown document.
set -eu
awk '/^```/ { is_code = $0 == "```c"; next } is_code' "$1"
