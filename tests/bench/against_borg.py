#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""against_borg.py PROGRAM DIR... - what compadvise projects, beside what Borg 1.x then does.

For each directory: one run of PROGRAM (further options after `--`), then a real `borg init` and
`borg create` at each level of LEVELS. Prints a Markdown table: projected repository with its interval,
the sum of all files of the real one, the difference, and projected and real wall seconds. Real times are
the median of RUNS runs (default 1), the files read before by the scan in the same order of things.

  LEVELS=lz4,zstd:3 RUNS=3 tests/bench/against_borg.py build/src/compadvise /usr/share
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

LEVELS = os.environ.get("LEVELS", "none,lz4,zstd:1,zstd:3,zstd:9")
RUNS = int(os.environ.get("RUNS", "1"))


def project(program, options, directory):
    out = subprocess.run(
        [program, "--format", "json", "--levels", LEVELS, *options, directory],
        check=False, stdout=subprocess.PIPE,
    )
    if out.returncode not in (0, 1):
        sys.exit(f"{program} failed on {directory}")
    return json.loads(out.stdout)


def back_up(scratch, level, directory):
    """Size of the repository, and wall seconds of create."""
    folder = os.path.join(scratch, "borg")
    real = borg.Borg(folder)
    os.makedirs(folder)
    real.init()
    start = time.monotonic()
    real.create(directory, compression=level, may_warn=True)
    seconds = time.monotonic() - start
    size = sum(
        os.lstat(os.path.join(where, name)).st_size
        for where, _, names in os.walk(real.repo) for name in names
    )
    shutil.rmtree(folder)
    return size, seconds


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    program, directories = arguments[0], arguments[1:]
    print("| data | level | projected | 95 % interval | real repository | off | inside "
          "| wall projected | wall real |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as scratch:
        for directory in directories:
            report = project(program, options, directory)
            for row in report["levels"]:
                if not row["offered"]:
                    continue
                runs = [back_up(scratch, row["name"], directory) for _ in range(RUNS)]
                size = runs[0][0]
                guess = row["repository_size"]
                inside = guess["lo"] <= size <= guess["hi"]
                half = (guess["hi"] - guess["lo"]) / 2
                margin = "exact" if row["exact"] else f"±{half / guess['est']:.2%}"
                print(
                    f"| {directory} | {row['name']} | {guess['est']:,} | {margin} | {size:,} "
                    f"| {guess['est'] / size - 1:+.3%} | {'yes' if inside else 'no'} "
                    f"| {row['timing']['wall_seconds']:.1f} s "
                    f"| {statistics.median(r[1] for r in runs):.1f} s |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
