# SPDX-License-Identifier: BSD-2-Clause
"""Borg's other compressors: zlib, lzma, auto and obfuscate, against a real `borg create`."""
import os
import random
import re
import statistics

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
    for i in range(60):
        # lz4 takes off the zeros; what repeats 70 kB later only the codec sees, 1 % of it all.
        noise = rng.randbytes(70_000)
        trees.write(os.path.join(folder, "gain-%d" % i),
                    noise + bytes(4000) + noise[:400 + 10 * i])


#: Small, for half of these compressors take a second for each few megabytes; and one tree of them
#: all, for a real borg takes three seconds for however little.
BUILDERS = {"borderline": borderline, "odd_entries": trees.odd_entries,
            "tiny_mixed": trees.tiny_mixed}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The folder that holds the tree called `tree`."""
    folder = tmp_path_factory.mktemp("compressors")
    for name, build in BUILDERS.items():
        os.makedirs(folder / "tree" / name)
        build(str(folder / "tree" / name))
    return str(folder)


def test_exact_data_size_is_what_borg_stored(tree):
    ours = program.report_of("--exact", "--levels", LIST, "tree", cwd=tree)
    for level in EXACT:
        size = realborg.create(tree, "tree", level).data_size
        row = program.level(ours, level)
        assert row["data_size"] == {"est": size, "lo": size, "hi": size}, level
        assert row["exact"] and row["offered"], level
        assert row["auto"] == level.startswith("auto") and row["obfuscate"] == 0, level
        assert level.endswith(row["codec"] + (",%d" % row["level"] if row["codec"] != "lz4" else ""))


def test_auto_decides_as_borg_at_its_thresholds(tmp_path):
    """Chunk by chunk, where a byte more or less changes the choice; see borderline()."""
    compress = pytest.importorskip("borg.compress")
    borderline(str(tmp_path))
    data = [(tmp_path / name).read_bytes() for name in sorted(os.listdir(tmp_path))]
    auto = compress.CompressionSpec("auto,zstd,10").compressor
    kinds = [auto.compress(chunk)[0] for chunk in data]
    assert kinds.count(compress.LZ4.ID[0]) > 3 and kinds.count(compress.ZSTD.ID[0]) > 3
    report = program.report_of("--exact", "--levels", "auto,zstd:10", str(tmp_path))
    assert (program.level(report, "auto,zstd,10")["data_size"]["est"]
            == sum(len(auto.compress(chunk)) - 2 for chunk in data))


@pytest.mark.parametrize("spec", ["obfuscate,1,lz4", "obfuscate,2,auto,zstd,3",
                                  "obfuscate,110,zlib,6", "obfuscate,117,none"])
def test_obfuscated_size_is_the_mean_of_what_borg_pads(tmp_path, spec):
    """Many draws of Borg's own padding: the estimate is their mean, the interval holds them."""
    compress = pytest.importorskip("borg.compress")
    rng = random.Random(5)
    data = [rng.randbytes(rng.randrange(1, 3000)).hex().encode() + rng.randbytes(200)
            for _ in range(60)]
    for i, chunk in enumerate(data):
        trees.write(str(tmp_path / ("file%d" % i)), chunk)
    compressor = compress.CompressionSpec(spec).compressor
    draws = [sum(len(compressor.compress(chunk)) - 2 for chunk in data) for _ in range(300)]
    ours = re.sub(r",(?=\d)", ":", spec)
    report = program.report_of("--exact", "--levels", ours, str(tmp_path))
    error = statistics.stdev(draws) / len(draws) ** 0.5
    row = program.level(report, spec)
    assert row["obfuscate"] == int(spec.split(",")[1]) and not row["exact"]
    size = row["data_size"]
    print(spec, size, statistics.mean(draws), error)
    assert abs(statistics.mean(draws) - size["est"]) < 4.5 * error
    inside = sum(size["lo"] <= draw <= size["hi"] for draw in draws) / len(draws)
    assert inside > 0.9
    # And not because it holds everything; with a heavy tail it may.
    if spec.startswith("obfuscate,11"):
        assert inside < 0.995


@pytest.mark.parametrize("spec", ["zlib,0", "obfuscate,3,none", "obfuscate,120,zlib,6"])
def test_levels_that_make_data_longer_stay_below_the_bound(tmp_path, spec):
    """Noise does not shrink and nothing is repeated, so whatever is added goes beyond the data."""
    rng = random.Random(9)
    for i in range(5):
        trees.write(str(tmp_path / "tree" / ("f%d" % i)), rng.randbytes(600_000 + i))
    ours = re.sub(r",(?=\d)", ":", spec)
    levels = ["none", ours]
    bounds = [program.report_of("--exact", "--levels", level, "tree", cwd=str(tmp_path))
              ["upper_bound"] for level in levels]
    real = realborg.create(str(tmp_path), "tree", spec).repository_size
    assert bounds[0] < real <= bounds[1]


def test_obfuscated_levels_are_never_mixed_into_the_advice():
    path = os.path.dirname(os.path.abspath(__file__))
    advice = program.report_of("--levels", "obfuscate:110,zstd:3,lz4", path)["advice"]
    assert not advice["daily"]["level"].startswith("obfuscate")
    assert not advice["archive"]["level"].startswith("obfuscate")
    advice = program.report_of("--levels", "obfuscate:110,zstd:3-9", path)["advice"]
    assert advice["daily"]["level"].startswith("obfuscate")
    assert advice["archive"]["level"].startswith("obfuscate")
    assert "--compression obfuscate,110,zstd," in advice["archive"]["command"]
