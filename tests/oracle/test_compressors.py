# SPDX-License-Identifier: BSD-2-Clause
"""Borg's other compressors: zlib, lzma, auto and obfuscate, against a real `borg create`."""
import json
import os
import random
import subprocess

import program
import pytest
import realborg
import trees

#: As Borg spells them, and as one list for us.
EXACT = ("zlib,0", "zlib,6", "lzma,6", "auto,zstd,10", "auto,lzma,2", "auto,zlib,9", "auto,lz4")
LIST = "zlib:0,zlib:6,lzma:6,auto,zstd:10,auto,lzma:2,auto,zlib:9,auto,lz4"

pytestmark = pytest.mark.skipif(not realborg.available(), reason="borg is not installed")


def borderline(folder):
    """Files about the two thresholds of auto: lz4 leaves 95 to 99 %, and the codec hardly less."""
    rng = random.Random(11)
    for i in range(60):
        size = 20_000 + 37 * i
        shrinking = int(size * (0.02 + 0.001 * i))
        trees.write(os.path.join(folder, "edge-%d" % i),
                    rng.randbytes(size - shrinking) + bytes(shrinking))
    for i in range(20):
        trees.write(os.path.join(folder, "hex-%d" % i), rng.randbytes(5000 + i).hex().encode())


#: Small trees: half of these compressors take a second for each few megabytes.
BUILDERS = {"borderline": borderline, "odd_entries": trees.odd_entries,
            "tiny_mixed": trees.tiny_mixed}


@pytest.fixture(scope="module", params=sorted(BUILDERS))
def tree(request, tmp_path_factory):
    """The folder that holds the tree called `tree`."""
    folder = tmp_path_factory.mktemp(request.param)
    os.mkdir(folder / "tree")
    BUILDERS[request.param](str(folder / "tree"))
    return str(folder)


def test_exact_data_size_is_what_borg_stored(tree):
    ours = program.report_of("--exact", "--levels", LIST, "tree", cwd=tree)
    for level in EXACT:
        size = realborg.create(tree, "tree", level).data_size
        row = program.level(ours, level)
        assert row["data_size"] == {"est": size, "lo": size, "hi": size}, level
        assert row["exact"] and row["offered"], level
