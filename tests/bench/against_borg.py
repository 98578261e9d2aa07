#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""against_borg.py PROGRAM [DIR...] - what compadvise projects, beside what Borg 1.x then does.

For each directory and each encryption of MODES: one run of PROGRAM (further options after `--`), then
a real `borg init` and `borg create` at each level of LEVELS. Prints a Markdown table: projected
repository with its interval, the sum of all files of the real one, the difference in bytes and in
percent, and projected and real wall seconds. Real times are the median of RUNS runs (default 1), the
files read before by the scan in the same order of things. DIR may be tree:NAME, one of the trees that
the oracle tests use; the default is tree:few_cuts, of 16 MB.

  LEVELS=lz4,zstd:3 RUNS=3 tests/bench/against_borg.py build/src/compadvise /usr/share
  MODES="repokey keyfile" tests/bench/against_borg.py build/src/compadvise tree:few_cuts -- --exact
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import borg_run as borg  # noqa: E402
import repository_trees  # noqa: E402

LEVELS = os.environ.get("LEVELS", "none,lz4,zstd:1,zstd:3,zstd:9")
RUNS = int(os.environ.get("RUNS", "1"))
MODES = os.environ.get("MODES", "none").replace(",", " ").split()
# Named as in the command that reports print, so that both archives note the same command.
REPO = "REPO"


def project(program, options, mode, folder, path):
    out = subprocess.run(
        [program, "--format", "json", "--levels", LEVELS, "--encryption", mode, *options, path],
        check=False, stdout=subprocess.PIPE, cwd=folder,
    )
    if out.returncode not in (0, 1):
        sys.exit(f"{program} failed on {path}")
    return json.loads(out.stdout)


def back_up(folder, level, mode, path):
    """Size of the repository, and wall seconds of create."""
    real = borg.Borg(folder, REPO)
    real.init(mode)
    start = time.monotonic()
    real.create_as_printed(path, level, may_warn=True)
    seconds = time.monotonic() - start
    size = real.size()
    shutil.rmtree(real.repo)
    shutil.rmtree(real.base)
    return size, seconds


def compare(program, options, mode, folder, path, name):
    report = project(program, options, mode, folder, path)
    for row in report["levels"]:
        if not row["offered"]:
            continue
        runs = [back_up(folder, row["name"], mode, path) for _ in range(RUNS)]
        size = runs[0][0]
        guess = row["repository_size"]
        inside = guess["lo"] <= size <= guess["hi"]
        print(
            f"| {name} | {mode} | {row['name']} | {guess['est']:,} "
            f"| {guess['lo'] - guess['est']:+,} {guess['hi'] - guess['est']:+,} | {size:,} "
            f"| {guess['est'] - size:+,} | {guess['est'] / size - 1:+.4%} "
            f"| {'yes' if inside else 'no'} | {row['timing']['wall_seconds']:.1f} s "
            f"| {statistics.median(seconds for _, seconds in runs):.1f} s |",
            flush=True,
        )


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    if not arguments:
        sys.exit(__doc__)
    program = os.path.abspath(arguments[0])
    print("| data | encryption | level | projected | 95 % interval | real repository | off "
          "| off, % | inside | wall projected | wall real |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in arguments[1:] or ["tree:few_cuts"]:
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
            path = os.path.abspath(name)
            if name.startswith("tree:"):
                path = "tree"
                os.makedirs(os.path.join(folder, path))
                repository_trees.BUILDERS[name[len("tree:"):]](os.path.join(folder, path))
            for mode in MODES:
                compare(program, options, mode, folder, path, name)


if __name__ == "__main__":
    main()
