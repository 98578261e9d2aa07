# SPDX-License-Identifier: BSD-2-Clause
"""What --max-memory promises, and the formula of docs/architecture.md, held against the peak."""
import os
import random
import re
import resource
import subprocess

import program
import pytest
import trees


def least_memory(*args):
    done = program.run("--max-memory", "1M", *args)
    assert done.returncode == 2
    found = re.search(r"at least ([0-9.]+) ([MG])B;", program.error_line(done))
    return round(float(found.group(1)) * {"M": 10**6, "G": 10**9}[found.group(2)])


CHUNKS = 6 << 20


@pytest.fixture(scope="module")
def many_chunks(tmp_path_factory):
    """In chunks of 64 bytes, no two of which are equal."""
    folder = tmp_path_factory.mktemp("many")
    chance = random.Random(7)
    trees.write(str(folder / "random"),
                b"".join(chance.randbytes(1 << 20) for _ in range(CHUNKS * 64 >> 20)))
    return str(folder)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_memory_stays_within_its_limit(many_chunks, jobs):
    """Six million chunks need more than the least that a run can do with."""
    args = ("--jobs", jobs, "--levels", "zstd:1", "--chunker-params", "fixed,64", many_chunks)
    limit = least_memory(*args)
    report = program.report_of("--max-memory", str(limit), *args)
    assert report["stop"] == {"reason": "memory", "signal": None}
    assert report["complete"] is False and report["dataset"]["scan_complete"] is False
    assert report["dataset"]["original_size"] + report["dataset"]["unread_bytes"] == CHUNKS * 64
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
    assert levels == "lzma:9" or peak > limit / 5


@pytest.mark.parametrize("more", [1.5, 3])
def test_more_memory_is_used_and_not_passed(many_chunks, more):
    args = ("--jobs", "2", "--levels", "zstd:1", "--chunker-params", "fixed,64", many_chunks)
    limit = int(least_memory(*args) * more)
    report = program.report_of("--max-memory", str(limit), *args)
    assert report["timing"]["peak_memory_bytes"] <= limit


# Chunk lists: in chunks of 64 bytes, what items name of each would take 201 MB.
ZEROS = 512 * MIB
SMALLEST = ("--levels", "zstd:1", "--chunker-params", "fixed,64")


@pytest.fixture(scope="module")
def zeros(tmp_path_factory):
    """A file without end to its list of chunks, alone and under two names."""
    folder = tmp_path_factory.mktemp("zeros")
    for name in ("alone", "linked"):
        (folder / name).mkdir()
        with open(folder / name / "zeros", "wb") as out:
            out.truncate(ZEROS)
    os.link(folder / "linked" / "zeros", folder / "linked" / "again")
    subprocess.run(["tar", "-C", folder, "-S", "-cf", folder / "zeros.tar", "alone"], check=True)
    return folder


def little_room():
    resource.setrlimit(resource.RLIMIT_AS, (256 * MIB, 256 * MIB))


@pytest.mark.parametrize("args, items, links", [
    (("alone",), 2, 0), (("linked",), 3, 1), (("--tar", "zeros.tar"), 2, 0),
    (("--stdin-name", "zeros", "-"), 1, 0)], ids=["tree", "links", "tar", "stdin"])
def test_a_file_of_any_number_of_chunks_takes_little_memory(zeros, args, items, links):
    with open(zeros / "alone" / "zeros", "rb") as stream:
        report = program.report_of("--jobs", "1", *SMALLEST, *args, cwd=str(zeros), stdin=stream,
                                   preexec_fn=little_room)
    data = report["dataset"]
    assert (data["nfiles"], data["nitems"], data["hardlinks"]) == (1, items, links)
    assert data["original_size"] == ZEROS and data["total_chunks"] == ZEROS // 64
    assert data["unique_size"] == 64 and data["total_unique_chunks"] == 1
    # Without the lists it takes some 40 MB.
    assert report["timing"]["peak_memory_bytes"] < 100 * MIB


def test_a_file_of_any_number_of_chunks_stays_within_the_limit(zeros):
    args = ("--jobs", "2", *SMALLEST, str(zeros / "alone"))
    limit = least_memory(*args)
    report = program.report_of("--max-memory", str(limit), *args)
    assert report["stop"] is None and report["complete"] is True
    assert report["timing"]["peak_memory_bytes"] <= limit


def test_lists_of_hard_links_stay_within_the_limit(tmp_path):
    """Which link carries a list is chance, so they are counted apart; 134 MB here."""
    for i in range(16):
        with open(tmp_path / ("file%d" % i), "wb") as out:
            out.truncate(24 * MIB)
        os.link(tmp_path / ("file%d" % i), tmp_path / ("link%d" % i))
    args = ("--jobs", "1", *SMALLEST, str(tmp_path))
    limit = least_memory(*args)
    plain, limited = program.report_of(*args), program.report_of("--max-memory", str(limit), *args)
    assert limited["stop"] is None and limited["complete"] is True
    assert limited["timing"]["peak_memory_bytes"] <= limit
    # Not even an estimate suffers: 16 files' lists, or their heads, are alike.
    assert limited["dataset"] == plain["dataset"]
    sizes = [program.level(report, "none")["repository_size"]["est"] for report in (plain, limited)]
    assert abs(sizes[1] - sizes[0]) < 0.01 * sizes[0]


# Of a block's files so many chunks are listed, as the record module has it.
LISTED = (8 * MIB) // 24


@pytest.fixture(scope="module")
def around_the_bound(tmp_path_factory):
    """A file that lists all of its chunks, and one with one chunk more; both with a second name."""
    folder = tmp_path_factory.mktemp("bound")
    for name, chunks in (("within", LISTED), ("beyond", LISTED + 1)):
        trees.write(str(folder / name / "file"), random.Random(chunks).randbytes(64 * chunks))
        os.link(folder / name / "file", folder / name / "linked")
    return folder


def bound_report(folder, jobs, *args):
    return program.report_of("--jobs", jobs, "--levels", "none", "--no-baseline", "--exact",
                             "--chunker-params", "fixed,64", *args, cwd=str(folder))


def test_a_list_that_has_room_is_exact(around_the_bound):
    report = bound_report(around_the_bound, "2", "within")
    assert report["dataset"]["total_chunks"] == LISTED
    size = program.level(report, "none")["repository_size"]
    # What dates and salts may make up.
    assert size["hi"] - size["lo"] == 2 * 256


def test_what_is_not_listed_is_not_called_exact(around_the_bound):
    """Items note two sizes of each chunk, which may be longer than they were counted with."""
    one, two = (bound_report(around_the_bound, jobs, "beyond") for jobs in ("1", "2"))
    assert program.steady(one) == program.steady(two)
    assert one["dataset"]["total_chunks"] == LISTED + 1
    assert one["dataset"]["original_size"] == 64 * (LISTED + 1)
    row = program.level(one, "none")
    assert row["data_size"]["est"] == 64 * (LISTED + 1)
    assert row["repository_size"]["hi"] - row["repository_size"]["est"] > LISTED
