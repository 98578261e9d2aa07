#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""speed.py PROGRAM DIR... - how long the scan and the whole advice take, beside reading and Borg.

Alternates RUNS times (default 3): reading all files with one `cat` per core; compadvise at its default
levels with --sample-budget BUDGET (default 100M); one `borg create -C lz4` and one `-C zstd,3` into fresh
repositories. Prints medians of wall seconds as a Markdown table, and ratios to Borg's lz4 run. Files are
in the page cache as the run before left them: Borg drops what it reads, so each round starts with `cat`.
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

RUNS = int(os.environ.get("RUNS", "3"))
BUDGET = os.environ.get("BUDGET", "100M")


def timed(call):
    start = time.monotonic()
    result = call()
    return time.monotonic() - start, result


def read_all(directory):
    subprocess.run(
        ["sh", "-c", 'find "$1" -type f -print0 | xargs -0 -r -n 64 -P "$(nproc)" cat >/dev/null',
         "sh", directory], check=False, stderr=subprocess.DEVNULL)


def advise(program, directory):
    out = subprocess.run([program, "--format", "json", "--sample-budget", BUDGET, directory],
                         check=False, stdout=subprocess.PIPE).stdout
    return json.loads(out)


def back_up(scratch, level, directory):
    folder = os.path.join(scratch, "borg")
    real = borg.Borg(folder)
    os.makedirs(folder)
    real.init()
    seconds, _ = timed(lambda: real.create(directory, compression=level, may_warn=True))
    shutil.rmtree(folder)
    return seconds


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, directories = sys.argv[1], sys.argv[2:]
    print("| data | bytes | files | `cat`, all cores | scan | whole advice | trials, CPU "
          "| borg lz4 | borg zstd,3 | scan / borg lz4 |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as scratch:
        for directory in directories:
            rows = []
            for _ in range(RUNS):
                read_all(directory)
                cat_s, _ = timed(lambda: read_all(directory))
                whole_s, report = timed(lambda: advise(program, directory))
                rows.append((cat_s, report["timing"]["scan_seconds"], whole_s,
                             report["timing"]["trial_cpu_seconds"],
                             back_up(scratch, "lz4", directory),
                             back_up(scratch, "zstd,3", directory)))
            cat_s, scan_s, whole_s, trial_s, lz4_s, zstd_s = map(statistics.median, zip(*rows))
            dataset = report["dataset"]
            print(f"| {directory} | {dataset['original_size'] / 1e9:.2f} GB | {dataset['nfiles']:,} "
                  f"| {cat_s:.1f} s | {scan_s:.1f} s | {whole_s:.1f} s | {trial_s:.0f} s "
                  f"| {lz4_s:.1f} s | {zstd_s:.1f} s | {scan_s / lz4_s:.2f} |", flush=True)


if __name__ == "__main__":
    main()
