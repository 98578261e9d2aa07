# SPDX-License-Identifier: BSD-2-Clause
"""A signal ends the run early with a valid report that says so."""
import os
import signal

import program
import pytest
import trees
import watch

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# To stop is to finish the chunk in hand: at most 8 MiB at the dearest level, on a busy machine.
PROMPT = 60


def interrupted(child, number):
    child.send_signal(number)
    out, err = child.communicate(timeout=PROMPT)
    assert child.returncode == 128 + number, (child.returncode, err)
    return out


@pytest.fixture(scope="module")
def dear(tmp_path_factory):
    """Data whose exact trials take many seconds, in chunks that take few at most."""
    folder = tmp_path_factory.mktemp("dear")
    trees.mixed(str(folder), 5, 0.1)
    return str(folder)


@pytest.fixture
def endless(tmp_path):
    """A scan that takes many minutes: a terabyte of zeros that takes no room."""
    trees.write(str(tmp_path / "small"), b"content" * 1000)
    with open(tmp_path / "zeros", "wb") as out:
        out.truncate(1 << 40)
    return str(tmp_path)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", SIGNALS)
def test_during_the_trials_the_report_is_partial(dear, number, jobs):
    with watch.running("--jobs", jobs, "--exact", "--levels", "zstd:1,zstd:19", dear) as child:
        watch.until_cpu_used(child, 1.5)
        report = program.parse(interrupted(child, number))
    assert report["complete"] is False
    assert report["dataset"]["original_size"] > 0
    assert {row["name"] for row in report["levels"]} <= {"none", "lz4", "zstd,1", "zstd,19"}
    assert program.level(report, "none")["data_size"]["est"] > 0


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", SIGNALS)
def test_during_the_scan_the_report_is_partial(endless, number, jobs):
    with watch.running("--jobs", jobs, "--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        report = program.parse(interrupted(child, number))
    assert report["complete"] is False
    assert report["dataset"]["original_size"] < 1 << 40


def test_the_partial_report_goes_to_the_output_file(endless, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    target = folder / "report.json"
    with watch.running("-o", str(target), "--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        assert interrupted(child, signal.SIGTERM) == b""
    assert program.parse(target.read_bytes())["complete"] is False
    assert os.listdir(folder) == ["report.json"]


def test_the_table_says_that_it_is_partial(endless):
    with watch.running("--format", "table", "--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        text = interrupted(child, signal.SIGINT).decode()
    assert "partial" in text.lower()


def test_two_signals_are_as_good_as_one(endless):
    with watch.running("--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        child.send_signal(signal.SIGTERM)
        report = program.parse(interrupted(child, signal.SIGTERM))
    assert report["complete"] is False
