# SPDX-License-Identifier: BSD-2-Clause
"""What --max-memory promises, and the formula of docs/architecture.md, held against the peak."""
import random
import re

import program
import pytest
import trees


def least_memory(*args):
    done = program.run("--max-memory", "1M", *args)
    assert done.returncode == 2
    found = re.search(r"at least ([0-9.]+) ([MG])B;", program.error_line(done))
    return round(float(found.group(1)) * {"M": 10**6, "G": 10**9}[found.group(2)])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_memory_stays_within_its_limit(tmp_path, jobs):
    """Two million chunks need more than the least that a run can do with."""
    trees.write(str(tmp_path / "random"), random.Random(7).randbytes(128 << 20))
    args = ("--jobs", jobs, "--levels", "zstd:1", "--chunker-params", "fixed,64", str(tmp_path))
    limit = least_memory(*args)
    report = program.report_of("--max-memory", str(limit), *args)
    assert report["stop"] == {"reason": "memory", "signal": None}
    assert report["complete"] is False and report["dataset"]["scan_complete"] is False
    assert report["dataset"]["original_size"] + report["dataset"]["unread_bytes"] == 128 << 20
    assert [row["name"] for row in report["levels"]] == ["none", "lz4", "zstd,1"]
    assert report["timing"]["peak_memory_bytes"] <= limit


# What each worker and the whole program take at least, by the formula of docs/architecture.md.
MIB = 1 << 20
WORK = {"zstd:1": 2, "zstd:1-22": 130, "lzma:6": 95, "lzma:9": 675}


def formula(jobs, levels):
    chunk = 8 * MIB
    results = 2 * chunk + chunk // 128 + MIB
    worker = max(2 * chunk + results + MIB, chunk + results + WORK[levels] * MIB)
    return 72 * MIB + jobs * worker + 32 * MIB


@pytest.fixture(scope="module")
def large_chunks(tmp_path_factory):
    """Chunks of 8 MiB, which codecs take the most memory for; more of them than are kept in memory."""
    folder = tmp_path_factory.mktemp("large")
    words = [random.Random(1).randbytes(40) for _ in range(5000)]
    chance = random.Random(2)
    for i in range(6):
        text = b"".join(chance.choices(words, k=210000))
        trees.write(str(folder / ("file%d" % i)), text[:8 * MIB])
    return str(folder)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("levels", sorted(WORK))
def test_memory_stays_within_the_least_that_the_formula_gives(large_chunks, levels, jobs):
    """And not far below what it counts as in use: or it would refuse limits that are enough."""
    args = ("--jobs", str(jobs), "--levels", levels, "--sample-budget", "8M",
            "--chunker-params", "fixed,%d" % (8 * MIB), large_chunks)
    limit = least_memory(*args)
    assert formula(jobs, levels) <= limit <= formula(jobs, levels) * 1.01
    report = program.report_of("--max-memory", str(limit), *args)
    assert report["stop"] is None and report["complete"] is True
    peak = report["timing"]["peak_memory_bytes"]
    assert peak <= limit
    # lzma reserves far more at 9 than chunks of this size make it touch.
    assert levels == "lzma:9" or peak > limit / 4


@pytest.mark.parametrize("more", [1.5, 3])
def test_more_memory_is_used_and_not_passed(tmp_path, more):
    trees.write(str(tmp_path / "random"), random.Random(7).randbytes(128 << 20))
    args = ("--jobs", "2", "--levels", "zstd:1", "--chunker-params", "fixed,64", str(tmp_path))
    limit = int(least_memory(*args) * more)
    report = program.report_of("--max-memory", str(limit), *args)
    assert report["timing"]["peak_memory_bytes"] <= limit
