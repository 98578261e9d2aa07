# SPDX-License-Identifier: BSD-2-Clause
"""The generator keeps the promises that corpora/README.md makes about it."""
import os
import re
import sqlite3
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


def test_databases_are_sound_and_have_free_pages_of_zeros(tmp_path):
    for name in "ab":
        subprocess.run([sys.executable, os.path.join(CORPORA, "sqlite_files.py"), "--scale", "0.2",
                        str(tmp_path / name)], check=True)
    for path in sorted((tmp_path / "a").iterdir()):
        data = path.read_bytes()
        assert data == (tmp_path / "b" / path.name).read_bytes()
        database = sqlite3.connect(path)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        free = database.execute("PRAGMA freelist_count").fetchone()[0]
        database.close()
        empty = sum(not any(data[at:at + 4096]) for at in range(0, len(data), 4096))
        # But for the pages that list the free ones.
        assert free > 10 and empty >= free * 0.9
    assert len(list((tmp_path / "a").iterdir())) == 3


def test_an_image_holds_the_files_and_holes(tmp_path):
    for name, data in (("a", b"a" * 5000), ("b", os.urandom(3000000))):
        (tmp_path / name / "etc").mkdir(parents=True)
        (tmp_path / name / "etc" / name).write_bytes(data)
    image = tmp_path / "out" / "disk.img"
    subprocess.run([os.path.join(CORPORA, "image.sh"), str(image), str(64 << 20),
                    str(tmp_path / "a"), str(tmp_path / "b")], check=True)
    assert image.stat().st_size == 64 << 20
    assert image.stat().st_blocks * 512 < 16 << 20
    for name in "ab":
        found = subprocess.run(["/usr/sbin/debugfs", "-R", "cat /etc/" + name, str(image)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        assert found.stdout == (tmp_path / name / "etc" / name).read_bytes()
    assert os.listdir(tmp_path / "out") == ["disk.img"]


BENCH = os.path.join(os.path.dirname(__file__), "..", "truth", "corpora.py")


def bench(*arguments):
    return subprocess.run([sys.executable, BENCH, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, text=True)


def test_a_corpus_of_the_bench_is_made_once(tmp_path):
    first = bench(tmp_path, "few-small")
    assert (first.returncode, first.stdout) == (0, "few-small 60 3662985\n")
    assert sorted(os.listdir(tmp_path)) == ["few-small", "few-small.done"]
    kept = tmp_path / "few-small" / "kept"
    kept.touch()
    assert bench(tmp_path, "few-small").stdout == first.stdout
    assert kept.exists()


def test_a_corpus_without_its_stamp_is_made_anew(tmp_path):
    for left in ("few-small", "few-small.part", "few-small.scratch"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "left").touch()
    assert bench(tmp_path, "few-small").stdout == "few-small 60 3662985\n"
    assert sorted(os.listdir(tmp_path)) == ["few-small", "few-small.done"]
    assert not (tmp_path / "few-small" / "left").exists()


def test_an_unknown_corpus_stops_before_anything_is_made(tmp_path):
    run = bench(tmp_path / "out", "few-small", "nonsense")
    assert run.returncode != 0 and "nonsense" in run.stderr
    assert not (tmp_path / "out").exists()


def test_the_list_has_every_corpus_with_what_it_is():
    lines = bench("--list").stdout.splitlines()
    assert len(lines) == 14 and all(len(line.split()) > 2 for line in lines)
