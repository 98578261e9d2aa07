# SPDX-License-Identifier: BSD-2-Clause
"""The generator keeps the promises that corpora/README.md makes about it."""
import os
import re
import subprocess
import sys

import pytest

import program

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
    assert len(facts) == 15
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


def made(folder, kind, scale):
    subprocess.run([sys.executable, os.path.join(CORPORA, "generate.py"), "--scale", str(scale), kind,
                    str(folder)], check=True)
    return folder / kind


def file_ratios(folder):
    """How many bytes of each file zstd,3 makes one of."""
    ratios = []
    for path in (path for path in folder.rglob("*") if path.is_file()):
        report = program.report_of(str(path), "--levels", "zstd:3", "--exact")
        ratios.append(path.stat().st_size / program.level(report, "zstd,3")["data_size"]["est"])
    return ratios


def test_a_tenth_of_a_dump_changes_from_night_to_night_in_two_stretches(tmp_path):
    folder = made(tmp_path, "dumps", 0.5)
    nights = [re.findall(rb"\([^()]*\)", (folder / ("night-%d.sql" % night)).read_bytes())
              for night in range(6)]
    for old, new in zip(nights, nights[1:]):
        changed = [i for i, row in enumerate(old) if row != new[i]]
        starts = [i for n, i in enumerate(changed) if n == 0 or changed[n - 1] < i - 5]
        # Two stretches of a twentieth, which may overlap.
        assert 1 <= len(starts) <= 2
        assert len(old) * 0.05 <= len(changed) + 2 and len(changed) <= len(old) * 0.1
        assert len(new) == len(old) + len(old) // 100


def test_each_identical_file_is_one_chunk_many_times(tmp_path):
    folder = made(tmp_path, "identical", 0.5)
    found = program.report_of(str(folder), "--levels", "none")["dataset"]
    assert found["total_chunks"] == 2 * 2 and found["total_unique_chunks"] == 2


def test_few_are_a_few_dozen_chunks_that_compress_unlike_each_other(tmp_path):
    folder = made(tmp_path, "few", 3.3)
    found = program.report_of(str(folder), "--levels", "none")["dataset"]
    assert 24 <= found["total_unique_chunks"] <= 60
    ratios = file_ratios(folder)
    assert len(ratios) == 12 and min(ratios) == 1 and max(ratios) > 50
    assert len({round(ratio, 1) for ratio in ratios}) >= 8


def test_extremes_hold_random_bytes_and_what_compresses_500_to_1(tmp_path):
    folder = made(tmp_path, "extremes", 1)
    ratios = file_ratios(folder)
    assert min(ratios) == 1 and max(ratios) > 500
