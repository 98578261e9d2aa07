# SPDX-License-Identifier: BSD-2-Clause
"""Counts and exact sizes equal those of a real `borg create` on five trees.

Each difference of a repository's size is printed (pytest -s). CADV_ORACLE_ALL=1 in the environment
runs every compressor.
"""
import io
import os
import random
import re

import program
import pytest
import realborg
import trees

LEVELS = ["none", "lz4", "zstd,3", "zstd,19"]
if os.environ.get("CADV_ORACLE_ALL"):
    LEVELS += ["zlib,6", "lzma,6", "auto,zstd,10"]
COUNTS = ("original_size", "total_chunks", "total_unique_chunks", "unique_size")
# Bytes, or a share, whichever is more; the command that Borg notes differs a little from ours.
REPOSITORY_TOLERANCE_BYTES = 16384
REPOSITORY_TOLERANCE = 0.0005

pytestmark = pytest.mark.skipif(not realborg.available(), reason="borg is not installed")


@pytest.fixture(scope="module", params=sorted(trees.TREES))
def tree(request, tmp_path_factory):
    """(the folder to work in, the tree's relative path); Borg and we are given the same words."""
    folder = tmp_path_factory.mktemp(request.param)
    os.mkdir(folder / "tree")
    trees.TREES[request.param](str(folder / "tree"))
    return str(folder), "tree"


@pytest.fixture(scope="module")
def ours(tree):
    folder, path = tree
    wanted = ",".join(re.sub(r"(\w),(\d)", r"\1:\2", level) for level in LEVELS)
    return program.report_of("--exact", "--levels", wanted, path, cwd=folder)


@pytest.fixture(scope="module")
def borgs(tree):
    folder, path = tree
    return {level: realborg.create(folder, path, level) for level in LEVELS}


def test_the_four_counts_are_borgs(ours, borgs):
    expected = {name: getattr(borgs["lz4"], name) for name in COUNTS}
    assert {name: ours["dataset"][name] for name in COUNTS} == expected


def test_hard_links_are_those_that_borg_stores_as_references(ours, borgs):
    assert ours["dataset"]["hardlinks"] == borgs["lz4"].hardlinks


def test_files_read_are_those_that_borg_read(ours, borgs):
    assert ours["dataset"]["nfiles"] == borgs["lz4"].nfiles


@pytest.mark.parametrize("level", LEVELS)
def test_exact_data_size_is_what_borg_stored(ours, borgs, level):
    size = borgs[level].data_size
    assert program.level(ours, level)["data_size"] == {"est": size, "lo": size, "hi": size}


@pytest.mark.parametrize("level", LEVELS)
def test_repository_size_is_close_to_the_real_one(tree, ours, borgs, level):
    real = borgs[level].repository_size
    projected = program.level(ours, level)["repository_size"]["est"]
    print("%-45s real %11d  projected %+d (%+.4f %%)" % (
        "%s none %s" % (os.path.basename(tree[0]), level), real, projected - real,
        (projected - real) * 100 / real))
    assert abs(projected - real) <= max(REPOSITORY_TOLERANCE_BYTES, REPOSITORY_TOLERANCE * real)


@pytest.mark.parametrize("level", LEVELS)
def test_the_real_repository_lies_in_the_interval(ours, borgs, level):
    interval = program.level(ours, level)["repository_size"]
    assert interval["lo"] <= borgs[level].repository_size <= interval["hi"]


@pytest.mark.parametrize("params", ["buzhash,10,16,13,4095", "buzhash,15,19,17,63", "fixed,65536",
                                    "fixed,4096,512"])
def test_the_counts_are_borgs_with_other_chunker_parameters(tmp_path, params):
    for build in (trees.duplicates, trees.odd_entries):
        folder = tmp_path / build.__name__
        os.makedirs(folder / "tree")
        build(str(folder / "tree"))
        expected = realborg.create(str(folder), "tree", "lz4", "--chunker-params", params)
        report = program.report_of("--exact", "--levels", "lz4", "--chunker-params", params,
                                   "tree", cwd=str(folder))
        assert ({name: report["dataset"][name] for name in COUNTS}
                == {name: getattr(expected, name) for name in COUNTS})
        assert program.level(report, "lz4")["data_size"]["est"] == expected.data_size


@pytest.fixture(scope="module")
def linked(tmp_path_factory):
    """d/{f,f2,lf,far,sub/{g,x/h}} and other, link, fifo: hard and symbolic links in and out."""
    folder = tmp_path_factory.mktemp("linked")
    for name in ("d/f", "d/sub/g", "d/sub/x/h"):
        trees.write(str(folder / name), name.encode() * 3000)
    for name in ("d/f2", "other"):
        os.link(folder / "d" / "f", folder / name)
    for target, name in (("d", "link"), ("f", "d/lf"), ("sub/x", "d/far")):
        os.symlink(target, folder / name)
    os.mkfifo(folder / "fifo")
    return str(folder)


@pytest.mark.parametrize("roots", [
    "d d", "d d/sub", "d/sub d", "d/f d/f", "d/f d", "d d/f", "d/f2 d/f", "other d", "link/ d",
    "d/lf d/lf d/f", ".", "d .", ". d", "d/..", "d/far/..", "./d/./sub//", "fifo fifo d", "d/f/ d",
    "/dev/null d",
])
def test_what_several_roots_hold_is_counted_as_borg_does(linked, roots):
    names = (*COUNTS, "nfiles", "hardlinks", "nitems")
    expected = realborg.create(linked, roots.split(), "lz4")
    report = program.report_of("--exact", "--levels", "lz4", *roots.split(), cwd=linked)
    assert ({name: report["dataset"][name] for name in names}
            == {name: getattr(expected, name) for name in names})
    size = program.level(report, "lz4")["repository_size"]["est"]
    assert abs(size - expected.repository_size) <= 256


@pytest.mark.parametrize("text, seed", [
    ("-1", -1), ("0xffffffff", -1), ("4294967295", -1), ("-2147483648", -2147483648),
    ("010", 10), ("0x10", 16),
])
def test_a_chunk_seed_cuts_as_borgs_chunker_with_it(tmp_path, text, seed):
    chunker = pytest.importorskip("borg.chunker").Chunker(seed, 10, 16, 13, 4095)
    data = random.Random(7).randbytes(2 << 20)
    trees.write(str(tmp_path / "file"), data)
    report = program.report_of("--levels", "lz4", "--chunker-params", "buzhash,10,16,13,4095",
                               "--chunk-seed=" + text, str(tmp_path))
    count = sum(1 for _ in chunker.chunkify(io.BytesIO(data)))
    assert count > 100 and report["dataset"]["total_chunks"] == count
