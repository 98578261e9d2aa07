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
import subprocess

import borg_run as borg
import program
import pytest
import trees

pytestmark = pytest.mark.skipif(not borg.is_available(), reason="borg is not installed")

KEYED = ["authenticated", "authenticated-blake2", "repokey", "repokey-blake2", "keyfile",
         "keyfile-blake2"]
ALL_LEVELS = ["none", "lz4", "zstd,3", "zstd,19", "zlib,6", "lzma,6", "auto,zstd,10"]
IS_ALL = bool(os.environ.get("CADV_ORACLE_ALL"))
# Named as in the command that reports print, so that both archives note the same command.
REPO = "REPO"


def rolling(root):
    """1.35 GB, 1.2 of it incompressible: three segments at none, as many at lz4."""
    rng = random.Random(1)
    os.makedirs(root)
    for i in range(8):
        with open(os.path.join(root, "noise%d" % i), "wb") as out:
            for _ in range(5):
                out.write(rng.randbytes(30 << 20))
            out.write(b"nothing new, said line %d\n" % i * 700000)


def tiny(root):
    """50,000 files of 10 to 900 bytes in 250 folders."""
    rng = trees.generate.Stream(1, "tiny-files")
    prose = trees.generate.Prose(rng)
    text = prose.text(rng, 1 << 20)
    for i in range(250):
        folder = os.path.join(root, "folder-%03d" % i)
        os.makedirs(folder)
        for j in range(200):
            size = rng.skewed(10, 900)
            at = rng.below(len(text) - size)
            with open(os.path.join(folder, "some-file-%d" % j), "wb") as out:
                out.write(text[at:at + size])


def quietly(*command):
    """False when the file system or our rights do not allow it."""
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def attributes(root):
    """Attributes, lists and flags on all kinds of entries; what the place allows of it."""
    os.makedirs(os.path.join(root, "sub"))
    rng = random.Random(3)
    for i in range(40):
        path = os.path.join(root, "sub", "f%d" % i)
        trees.write(path, rng.randbytes(10 + i))
        os.setxattr(path, "user.z%d" % i, rng.randbytes(i * 10))
        os.setxattr(path, "user.a", b"first by name, though set last")
    os.setxattr(root, "user.of.a.folder", b"x" * 300)
    os.link(os.path.join(root, "sub", "f9"), os.path.join(root, "again"))
    os.symlink("sub", os.path.join(root, "link"))
    os.mkfifo(os.path.join(root, "fifo"))
    for name in ("access", "inherited", "both", "minimal"):
        os.mkdir(os.path.join(root, name))
    made = [
        quietly("setfacl", "-m", "u:daemon:rwx,u:54321:r,g:daemon:rw", root + "/sub/f1"),
        quietly("setfacl", "-m", "g:1:---,m:rx", root + "/access"),
        quietly("setfacl", "-d", "-m", "u:0:rwx", root + "/inherited"),
        quietly("setfacl", "-m", "u:0:r,d:g:12345:x", root + "/both"),
        quietly("setfacl", "-m", "u::r,g::r,o::-", root + "/minimal"),
        quietly("setfacl", "-m", "u:daemon:r", root + "/fifo"),
        quietly("chattr", "+d", root + "/sub/f2"),
        quietly("chattr", "+d", root + "/both"),
    ]
    if os.geteuid() == 0:
        os.setxattr(root + "/link", "trusted.link", b"of a link", follow_symlinks=False)
        os.mknod(root + "/device", 0o020600, os.makedev(1, 3))
        quietly("setfacl", "-m", "u:daemon:r", root + "/device")
    return made


TREES = {"rolling": rolling, "tiny": tiny, "attributes": attributes}
IN_CI = {"rolling": ["none", "lz4"], "tiny": ["none", "zstd,3"], "attributes": ALL_LEVELS}


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
        shutil.rmtree(os.path.join(tool.folder, "base"))


def say(what, size, ours):
    print("%-45s real %11d  projected %+d (%+.4f %%), interval %+d .. %+d" % (
        what, size, ours["est"] - size, (ours["est"] - size) * 100 / size,
        ours["lo"] - size, ours["hi"] - size))


@pytest.mark.parametrize("name", sorted(TREES))
def test_without_a_key_the_size_is_the_real_one(tmp_path, name):
    TREES[name](str(tmp_path / "tree"))
    ours = projected(tmp_path, levels_of(name))
    for level, interval in ours.items():
        size, _ = real(tmp_path, level)
        say("%s none %s" % (name, level), size, interval)
        assert abs(interval["est"] - size) <= max(16384, 0.0005 * size)
        assert interval["lo"] <= size <= interval["hi"]
    shutil.rmtree(tmp_path / "tree")


def test_attributes_are_packed_to_the_byte(tmp_path):
    """At none nothing is compressed, so each byte of the items counts; dates have fixed lengths."""
    attributes(str(tmp_path / "tree"))
    ours = projected(tmp_path, ["none"])["none"]
    size, _ = real(tmp_path, "none")
    assert ours["est"] == size


def make_small(root, rng):
    """8 MB of small files, which no key cuts."""
    prose = trees.generate.Prose(rng)
    text = prose.text(rng, 3 << 20)
    for i in range(600):
        size = rng.skewed(100, 60000)
        at = rng.below(len(text) - size)
        trees.write(os.path.join(root, "d%d" % (i % 9), "f%d" % i), text[at:at + size])


@pytest.fixture(scope="module")
def few_cuts(tmp_path_factory):
    """Small files, and noise of several chunks that no codec shrinks: 16 MB."""
    folder = tmp_path_factory.mktemp("few_cuts")
    rng = trees.generate.Stream(5, "few-cuts")
    make_small(str(folder / "tree"), rng)
    trees.write(str(folder / "tree" / "noise"), rng.take(8 << 20))
    return folder


@pytest.fixture(scope="module")
def many_cuts(tmp_path_factory):
    """Small files, and programs of several chunks, one of them half repeated: 28 MB."""
    folder = tmp_path_factory.mktemp("many_cuts")
    rng = trees.generate.Stream(6, "many-cuts")
    make_small(str(folder / "tree"), rng)
    prose = trees.generate.Prose(rng)
    machine = trees.generate.Machine(rng)
    first = machine.program(rng, 8 << 20, prose)
    trees.write(str(folder / "tree" / "first"), first)
    trees.write(str(folder / "tree" / "second"), machine.program(rng, 4 << 20, prose) + first)
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
