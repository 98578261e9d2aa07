# SPDX-License-Identifier: BSD-2-Clause
"""A run may be ended, or looked into, at any time: limits, signals, reports in between."""
import os
import signal
import time

import program
import pytest
import trees
import watch

HOLE = 1 << 40
SMALL = b"content" * 1000
# Trials in hand, on a busy machine.
PROMPT = 120


@pytest.fixture
def endless(tmp_path):
    """A scan that takes many minutes: a terabyte of zeros that takes no room."""
    trees.write(str(tmp_path / "small"), SMALL)
    with open(tmp_path / "zeros", "wb") as out:
        out.truncate(HOLE)
    return str(tmp_path)


@pytest.fixture(scope="module")
def dear(tmp_path_factory):
    """Data that is read in no time, and whose trials take a minute or more."""
    folder = tmp_path_factory.mktemp("dear")
    trees.mixed(str(folder), 5, 0.05)
    return str(folder)


DEAR = ("--levels", "zstd:1,zstd:3,zstd:15-22", "--sample-budget", "100G")


@pytest.fixture(scope="module")
def modest(tmp_path_factory):
    """Data whose run takes a second or so."""
    folder = tmp_path_factory.mktemp("modest")
    trees.tiny_mixed(str(folder))
    return str(folder)


def file_bytes(folder):
    """Bytes of all files below, each inode once."""
    seen = {}
    for where, _, names in os.walk(folder):
        for name in names:
            status = os.lstat(os.path.join(where, name))
            if not os.path.islink(os.path.join(where, name)):
                seen[status.st_dev, status.st_ino] = status.st_size
    return sum(seen.values())


def names(report):
    return [row["name"] for row in report["levels"]]


def assert_covers_what_was_read(report):
    """Figures are of the bytes that were read, and the others are stated."""
    data = report["dataset"]
    assert report["complete"] is False
    assert data["scan_complete"] is False and data["walk_complete"] is True
    assert 0 < data["original_size"] < HOLE
    assert data["original_size"] + data["unread_bytes"] == HOLE + len(SMALL)
    assert program.level(report, "none")["data_size"]["est"] == data["unique_size"]
    assert report["upper_bound"] < HOLE


@pytest.mark.parametrize("limit, reason", [("--max-time", "time"), ("--max-cpu", "cpu")])
def test_a_limit_during_the_scan_leaves_room_for_trials(endless, limit, reason):
    report = program.report_of(limit, "2s", "--levels", "zstd:1-3", endless)
    assert report["stop"] == {"reason": reason, "signal": None}
    assert_covers_what_was_read(report)
    assert names(report) == ["none", "lz4", "zstd,1", "zstd,2", "zstd,3"]


def test_a_limit_is_in_the_options_and_in_the_text(endless):
    report = program.report_of("--max-time", "1.5s", "--max-cpu", "1h30m", "--max-memory", "4G",
                               "--levels", "zstd:1", endless)
    assert report["options"]["max_time"] == 1.5
    assert report["options"]["max_cpu"] == 5400
    assert report["options"]["max_memory_bytes"] == 4 * 10**9
    done = program.run("--max-time", "1s", "--levels", "zstd:1", endless)
    assert done.returncode == 0
    assert done.stdout.startswith(b"PARTIAL: stopped by --max-time;")
    assert b"extrapolated to the 1.10 TB that were not" in b" ".join(done.stdout.split())


@pytest.mark.parametrize("limit, reason", [("--max-time", "time"), ("--max-cpu", "cpu")])
def test_a_limit_during_the_trials_widens_intervals(dear, limit, reason):
    report = program.report_of(limit, "4s", *DEAR, dear)
    assert report["stop"] == {"reason": reason, "signal": None}
    assert report["dataset"]["scan_complete"] is True
    assert report["dataset"]["unread_bytes"] == 0
    assert report["dataset"]["original_size"] == file_bytes(dear)
    assert report["sample"]["complete"] is False and report["sample"]["exact"] is False
    assert {"none", "lz4", "zstd,1", "zstd,3"} <= set(names(report))
    size = program.level(report, "zstd,3")["repository_size"]
    assert size["lo"] < size["est"] < size["hi"]


def test_a_limit_that_is_not_reached_changes_nothing(modest):
    plain = program.report_of("--levels", "zstd:1-3", modest)
    limited = program.report_of("--levels", "zstd:1-3", "--max-time", "1h", "--max-cpu", "1h",
                                "--max-memory", "2G", modest)
    assert limited["stop"] is None and limited["complete"] is True
    assert program.steady(limited) == program.steady(plain)


@pytest.mark.parametrize("text", ["", "0", "0s", "-1s", "1x", "s", "10m1h", "1h2", "nan", "1e3"])
def test_what_is_no_duration_is_refused(modest, text):
    done = program.run("--max-time=" + text, modest)
    assert done.returncode == 2
    assert "duration" in program.error_line(done) or "no time" in program.error_line(done)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_the_trials_keeps_the_whole_scan(dear, number):
    with watch.running(*watch.WATCHED, *DEAR, dear) as child:
        watch.until_trials(child)
        child.send_signal(number)
        out, err = child.communicate(timeout=PROMPT)
    report = program.parse(out)
    assert report["stop"] == {"reason": "signal", "signal": number}
    assert report["dataset"]["scan_complete"] is True
    assert report["dataset"]["original_size"] == file_bytes(dear)
    assert report["complete"] is (len(report["levels"]) == 12)
    assert child.returncode == (0 if report["complete"] else 128 + number), err
    assert program.level(report, "lz4")["data_size"]["est"] > 0


def test_a_signal_during_the_scan_states_what_is_left(endless):
    with watch.running("--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=PROMPT)
    assert child.returncode == 128 + signal.SIGINT
    report = program.parse(out)
    assert report["stop"] == {"reason": "signal", "signal": signal.SIGINT}
    assert_covers_what_was_read(report)


def storm(args, out_path):
    """A run that is asked for a report all the time. A file takes what nobody reads meanwhile."""
    with open(out_path, "wb") as out, watch.running(*args, stdout=out) as child:
        while child.poll() is None:
            watch.when_caught(child, signal.SIGUSR1)
            child.send_signal(signal.SIGUSR1)
            time.sleep(0.05)
        err = child.communicate(timeout=PROMPT)[1]
    assert child.returncode == 0, err
    with open(out_path, "rb") as out:
        return program.parse_all(out.read())


@pytest.mark.parametrize("levels, more", [
    ("zstd:1-3,zstd:12", ()),
    # Derived levels: their trials are worked out anew for each report.
    ("auto,zstd:3,obfuscate:2,zstd:3,zstd:3", ("--encryption", "repokey")),
    ("zstd:1-3", ("--exact",)),
])
def test_reports_in_between_change_nothing(modest, tmp_path, levels, more):
    args = ("--levels", levels, *more, modest)
    plain = program.report_of(*args)
    *between, last = storm(args, str(tmp_path / "out"))
    assert between
    for report in between:
        assert report["stop"] == {"reason": "interim", "signal": None}
        assert report["dataset"]["original_size"] <= last["dataset"]["original_size"]
    assert last["stop"] is None
    assert program.steady(last) == program.steady(plain)


def test_a_report_in_between_tells_how_far_the_scan_is(endless, tmp_path_factory):
    target = tmp_path_factory.mktemp("out") / "report.json"
    with watch.running("-o", str(target), "--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        child.send_signal(signal.SIGUSR1)
        watch.until(target.exists, child, "writing a report")
        between = program.parse(target.read_bytes())
        # The report may have taken most of a second itself: it measures the machine.
        watch.until_cpu_used(child, watch.cpu_used(child) + 2)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=PROMPT)
    last = program.parse(target.read_bytes())
    assert_covers_what_was_read(between)
    assert_covers_what_was_read(last)
    assert between["dataset"]["original_size"] < last["dataset"]["original_size"]


def test_many_requests_in_a_row_give_few_reports(endless):
    with watch.running("--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        for _ in range(1000):
            child.send_signal(signal.SIGUSR1)
        watch.until_cpu_used(child, 2)
        child.send_signal(signal.SIGTERM)
        out, _ = child.communicate(timeout=PROMPT)
    assert 2 <= len(program.parse_all(out)) < 100


def test_a_report_in_between_replaces_the_output_file(endless, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    target = folder / "report.json"
    with watch.running("-o", str(target), "--levels", "zstd:1", endless) as child:
        watch.until_cpu_used(child, 0.5)
        child.send_signal(signal.SIGUSR1)
        watch.until(target.exists, child, "writing a report")
        assert program.parse(target.read_bytes())["stop"]["reason"] == "interim"
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=PROMPT)[0] == b""
    assert program.parse(target.read_bytes())["stop"]["reason"] == "signal"
    assert os.listdir(folder) == ["report.json"]


def test_a_signal_that_was_ignored_stays_ignored(modest):
    """As a shell makes SIGINT for what it runs in the background."""
    with watch.running("--levels", "zstd:1", modest,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as child:
        watch.when_caught(child, signal.SIGTERM)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PROMPT)
    assert child.returncode in (0, 1), err
    assert program.parse(out)["stop"] is None
