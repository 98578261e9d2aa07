# SPDX-License-Identifier: BSD-2-Clause
"""Small chunks, counted and weighed alone, are those of a real repository."""
import os

import program
import pytest
import realborg
import trees

LIMITS = (524288, 786432)
LEVELS = ("lz4", "zstd,3")

pytestmark = pytest.mark.skipif(not realborg.available(), reason="borg is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Small files, and large ones whose chunks are of every size: their last ones are short."""
    folder = tmp_path_factory.mktemp("small")
    os.makedirs(folder / "tree")
    trees.small_files(str(folder / "tree" / "small"))
    trees.large_binaries(str(folder / "tree" / "large"))
    return str(folder)


@pytest.fixture(scope="module")
def ours(folder):
    return program.report_of("--exact", "--levels", "lz4,zstd:3", "tree", cwd=folder)


@pytest.mark.parametrize("level", LEVELS)
def test_their_counts_and_stored_sizes_are_borgs(folder, ours, level):
    chunks = realborg.create(folder, "tree", level).unique_chunks
    row = program.level(ours, level)
    for index, limit in enumerate(LIMITS):
        below = [(size, stored) for size, stored in chunks if size < limit]
        assert 0 < len(below) < len(chunks)
        assert ours["dataset"]["small_chunks"][index] == {
            "limit_bytes": limit, "chunks": len(below), "bytes": sum(size for size, _ in below)}
        stored = sum(stored for _, stored in below)
        assert row["small_chunk_data_size"][index] == {
            "est": stored, "lo": stored, "hi": stored}


def test_what_does_not_shrink_is_what_borg_stored_whole(folder, ours):
    """At lz4, and at the level that is recommended for archives, whichever it is."""
    archive = ours["advice"]["archive"]["level"]
    for level, part in (("lz4", ours["dataset"]), ("lz4", program.level(ours, "lz4")),
                        (archive, program.level(ours, archive))):
        chunks = realborg.create(folder, "tree", level).unique_chunks
        whole = sum(size for size, stored in chunks if stored >= size)
        assert 0 < whole
        assert part["incompressible_bytes"] == {"est": whole, "lo": whole, "hi": whole}


def test_a_sample_knows_them_within_its_interval(folder, ours):
    sampled = program.report_of("--sample-budget", "1M", "--chunker-params",
                                "buzhash,19,23,21,4095", "--levels", "lz4,zstd:3", "tree",
                                cwd=folder)
    assert sampled["dataset"]["small_chunks"] == ours["dataset"]["small_chunks"]
    for level in LEVELS:
        for index in range(len(LIMITS)):
            interval = program.level(sampled, level)["small_chunk_data_size"][index]
            exact = program.level(ours, level)["small_chunk_data_size"][index]["est"]
            # Two intervals wide: one in twenty may miss, and the salt is fixed.
            half = max(interval["hi"] - interval["est"], interval["est"] - interval["lo"])
            assert abs(interval["est"] - exact) <= 2 * half, (level, index)
    for row in sampled["levels"]:
        for seconds in row["timing"]["small_chunk_compress_seconds"]:
            assert 0 <= seconds["lo"] <= seconds["est"] <= seconds["hi"]
