# SPDX-License-Identifier: BSD-2-Clause
"""Repository sizes of --exact against all files of real repositories.

The five trees of test_totals.py are held against repositories there; here are those that need more
room or rights: segments that roll, 50,000 tiny files, attributes and ACLs, and every mode with a
key. Each difference is printed (pytest -s). CADV_ORACLE_ALL=1 in the environment runs every level.
"""
import os
import random
import re
import shutil
import statistics

import borg_run as borg
import program
import pytest
import repository_trees

pytestmark = pytest.mark.skipif(not borg.is_available(), reason="borg is not installed")

KEYED = ["authenticated", "authenticated-blake2", "repokey", "repokey-blake2", "keyfile",
         "keyfile-blake2"]
ALL_LEVELS = ["none", "lz4", "zstd,3", "zstd,19", "zlib,6", "lzma,6", "auto,zstd,10"]
IS_ALL = bool(os.environ.get("CADV_ORACLE_ALL"))
# Dates and salts compress a little differently each time; ids and all else are known.
KEYLESS_TOLERANCE = 96
# Named as in the command that reports print, so that both archives note the same command.
REPO = "REPO"


IN_CI = {"rolling": ["none", "lz4"], "tiny": ["zstd,3"], "attributes": ALL_LEVELS}


def levels_of(name):
    return ALL_LEVELS if IS_ALL else IN_CI[name]


def projected(folder, levels, *options):
    """Our repository sizes by level."""
    wanted = ",".join(re.sub(r"(\w),(\d)", r"\1:\2", level) for level in levels)
    report = program.report_of("--exact", "--no-baseline", "--levels", wanted, *options, "tree",
                               cwd=str(folder))
    return {level: program.level(report, level)["repository_size"] for level in levels}


def real(folder, level, encryption="none"):
    """The size of a repository made there, and its key's seed (None without one)."""
    tool = borg.Borg(folder, REPO)
    tool.init(encryption)
    try:
        tool.create_as_printed("tree", level)
        return tool.size(), tool.chunk_seed() if encryption != "none" else None
    finally:
        shutil.rmtree(tool.repo)
        shutil.rmtree(tool.base)


def say(what, size, ours):
    print("%-45s real %11d  projected %+d (%+.4f %%), interval %+d .. %+d" % (
        what, size, ours["est"] - size, (ours["est"] - size) * 100 / size,
        ours["lo"] - size, ours["hi"] - size))


@pytest.mark.parametrize("name", sorted(IN_CI))
def test_without_a_key_the_size_is_the_real_one(tmp_path, name):
    repository_trees.BUILDERS[name](str(tmp_path / "tree"))
    ours = projected(tmp_path, levels_of(name))
    for level, interval in ours.items():
        size, _ = real(tmp_path, level)
        say("%s none %s" % (name, level), size, interval)
        assert abs(interval["est"] - size) <= KEYLESS_TOLERANCE
        assert interval["lo"] <= size <= interval["hi"]
    shutil.rmtree(tmp_path / "tree")


def test_attributes_are_packed_to_the_byte(tmp_path):
    """At none nothing is compressed, so each byte of the items counts; dates have fixed lengths."""
    repository_trees.attributes(str(tmp_path / "tree"))
    ours = projected(tmp_path, ["none"])["none"]
    size, _ = real(tmp_path, "none")
    assert ours["est"] == size


@pytest.fixture(scope="module")
def few_cuts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few_cuts")
    repository_trees.few_cuts(str(folder / "tree"))
    return folder


@pytest.fixture(scope="module")
def many_cuts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many_cuts")
    repository_trees.many_cuts(str(folder / "tree"))
    return folder


def check_keyed(folder, mode, levels, unknown_share):
    """Without the seed within the interval and `unknown_share`; with it, as near as without a key."""
    unknown = projected(folder, levels, "--encryption", mode)
    for level in levels:
        size, seed = real(folder, level, mode)
        known = projected(folder, [level], "--encryption", mode, "--chunk-seed=%d" % seed)[level]
        say("%s %s %s" % (folder.name, mode, level), size, unknown[level])
        say("%s %s %s, seed known" % (folder.name, mode, level), size, known)
        assert abs(known["est"] - size) <= max(16384, 0.0005 * size)
        assert unknown[level]["lo"] <= size <= unknown[level]["hi"]
        assert abs(unknown[level]["est"] - size) <= unknown_share * size


@pytest.mark.parametrize("mode", KEYED)
def test_with_a_key_the_size_is_near_and_within_the_interval(few_cuts, mode):
    check_keyed(few_cuts, mode, ALL_LEVELS if IS_ALL else ["none", "zstd,3"], 0.001)


@pytest.mark.parametrize("level", ALL_LEVELS if IS_ALL else ["zstd,3"])
def test_where_a_key_moves_many_cuts_the_interval_says_so(many_cuts, level):
    check_keyed(many_cuts, "repokey", [level], 0.15)


SEEDS = [1 + 7919 * i for i in range(12)]


@pytest.mark.parametrize("name, level", [
    ("few_cuts", "zstd,3"), ("many_cuts", "none"), ("duplicates", "none"),
    *([("large_binaries", "lz4"), ("large_binaries", "zstd,3")] if IS_ALL else [])])
def test_the_interval_of_an_unknown_seed_covers_what_seeds_make(tmp_path, name, level):
    """Nobody knows the seed of a key to come, so the sizes that seeds make are the truth here; that
    each such size is a real one is what the tests with keys show. Of 12, one or two may lie beyond."""
    repository_trees.BUILDERS[name](str(tmp_path / "tree"))
    unknown = projected(tmp_path, [level], "--encryption", "repokey")[level]
    sizes = [projected(tmp_path, [level], "--encryption", "repokey",
                       "--chunk-seed=%d" % seed)[level]["est"] for seed in SEEDS]
    covered = sum(unknown["lo"] <= size <= unknown["hi"] for size in sizes)
    deviation = statistics.stdev(sizes + [unknown["est"]])
    half = (unknown["hi"] - unknown["lo"]) / 2
    print("%s %s: %d, half %d, %.1f deviations, %d of %d covered" % (
        name, level, unknown["est"], half, half / deviation, covered, len(SEEDS)))
    assert covered >= len(SEEDS) - 2
    # And not because it holds everything.
    assert half <= 8 * deviation + 16384


@pytest.mark.parametrize("level", ["none", "zstd,3"])
def test_an_item_stream_that_repeats_itself_is_stored_once(tmp_path, level):
    """One chunk of zeros, listed 300,000 times: the stream has a period of some 40 bytes."""
    (tmp_path / "tree").mkdir()
    with open(tmp_path / "tree" / "holes", "wb") as out:
        out.truncate(300000 * 4096)
    cut = ("--chunker-params", "fixed,4096")
    ours = projected(tmp_path, [level], *cut)[level]
    tool = borg.Borg(tmp_path, REPO)
    tool.init("none")
    tool.create("tree", compression=level, options=cut, cwd=str(tmp_path))
    size = tool.size()
    say("repeated none %s" % level, size, ours)
    assert abs(ours["est"] - size) <= 1024
    assert ours["lo"] <= size <= ours["hi"]


# What is listed of the chunks of a file: 8 MiB of 24 bytes each.
LISTED = (8 << 20) // 24


def test_metadata_of_chunks_that_are_not_listed_is_counted(tmp_path):
    """A file with more chunks than its item lists: how many there are is all that is known of the rest,
    and all that a size needs. Half of this repository is metadata."""
    chunks = LISTED + 30000
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "file").write_bytes(random.Random(3).randbytes(64 * chunks))
    cut = ("--chunker-params", "fixed,64")
    ours = projected(tmp_path, ["none"], *cut)["none"]
    tool = borg.Borg(tmp_path, REPO)
    tool.init("none")
    tool.create("tree", compression="none", options=cut, cwd=str(tmp_path))
    size = tool.size()
    say("not listed none none", size, ours)
    content = chunks * (64 + 44)
    assert size - content > 38 * chunks
    assert abs(ours["est"] - size) <= 1024
    assert ours["lo"] <= size <= ours["hi"]
