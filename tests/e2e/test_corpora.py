# SPDX-License-Identifier: BSD-2-Clause
"""The generator keeps the promises that corpora/README.md makes about it."""
import os
import re
import subprocess
import sys

import pytest

CORPORA = os.path.join(os.path.dirname(__file__), "..", "..", "corpora")
ROW = re.compile(r"^\| ([a-z-]+) \| (\d+) \| (\d+) \| `([0-9a-f]{64})` \|$", re.M)


def documented(scale):
    with open(os.path.join(CORPORA, "README.md"), encoding="utf-8") as readme:
        section = readme.read().split("Seed 1, scale %s:" % scale)[1].split("Seed 1")[0]
    return ROW.findall(section)


def generated(folder, *options):
    run = subprocess.run(
        [sys.executable, os.path.join(CORPORA, "generate.py"), "--facts", *options, "all", folder],
        stdout=subprocess.PIPE, check=True, text=True)
    return ROW.findall(run.stdout)


@pytest.mark.parametrize("scale", ["1", "0.05"])
def test_facts_are_as_documented(tmp_path, scale):
    facts = documented(scale)
    assert len(facts) == 8
    assert generated(str(tmp_path), "--scale", scale) == facts


def test_files_on_disk_are_as_many_and_as_large_as_the_facts_say(tmp_path):
    generated(str(tmp_path), "--scale", "0.05")
    for kind, count, total, _ in documented("0.05"):
        files = [os.path.join(top, name)
                 for top, _, names in os.walk(tmp_path / kind) for name in names]
        assert len(files) == int(count)
        assert sum(os.path.getsize(path) for path in files) == int(total)


def test_another_seed_gives_other_bytes(tmp_path):
    facts = generated(str(tmp_path), "--scale", "0.05", "--seed", "2")
    for old, new in zip(documented("0.05"), facts):
        assert old[0] == new[0] and old[3] != new[3]


def test_an_existing_folder_is_never_written_over(tmp_path):
    (tmp_path / "text").mkdir()
    run = subprocess.run(
        [sys.executable, os.path.join(CORPORA, "generate.py"), "text", str(tmp_path)],
        stderr=subprocess.PIPE, check=False, text=True)
    assert run.returncode != 0 and "exists" in run.stderr
    assert os.listdir(tmp_path / "text") == []
