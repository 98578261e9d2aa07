# SPDX-License-Identifier: BSD-2-Clause
"""Progress on stderr: on a terminal only, not too often, within its width; or as JSON lines."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import program
import pytest
import trees

# Long enough for several lines, whatever the machine.
SLOW = ("--levels", "zstd:1-9", "--sample-budget", "10M", "-o", "/dev/null")


@pytest.fixture(scope="module")
def big_tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("big")
    for i in range(3):
        trees.write(str(folder / ("file%d" % i)), os.urandom(3000000) + b"%d" % i * 4000000)
    return str(folder)


def writes_on_terminal(*args, columns=80, env=None):
    """Each write to a terminal of that width, in order."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([program.PROGRAM, *args], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=side,
                             env={**os.environ, "TERM": "xterm", **(env or {})})
    os.close(side)
    got = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        got += piece
    os.close(main)
    assert child.wait() == 0
    return got


def drawn(output):
    """The texts that stood on the line, each checked to be redrawn without clearing it first."""
    assert output.endswith(b"\r\x1b[K")
    texts = output[:-len(b"\r\x1b[K")].split(b"\r")
    assert texts[0] == b""
    for text in texts[1:]:
        assert text.endswith(b"\x1b[K") and text.count(b"\x1b") == 1 and b"\n" not in text
    return [text[:-len(b"\x1b[K")].decode("ascii") for text in texts[1:]]


def test_a_terminal_shows_what_is_done_and_what_is_left(big_tree):
    texts = drawn(writes_on_terminal(*SLOW, big_tree))
    assert any(re.match(r"trying levels: .* % of the planned work", text) for text in texts)
    assert all(before != after for before, after in zip(texts, texts[1:]))
    assert not any("100" in text and "100 %" in text for text in texts[:-1])


@pytest.mark.parametrize("columns", [20, 40])
def test_the_line_fits_the_terminal(big_tree, columns):
    texts = drawn(writes_on_terminal(*SLOW, big_tree, columns=columns))
    assert max(map(len, texts)) == columns - 1


def test_nothing_is_shown_when_unwanted(big_tree):
    quick = ("--levels", "zstd:1", "--sample-budget", "1M", "-o", "/dev/null")
    for args, env in ((["-q"], {}), (["--progress", "never"], {}), ([], {"TERM": "dumb"})):
        assert writes_on_terminal(*args, *quick, big_tree, env=env) == b""
    assert program.run(*quick, big_tree).stderr == b""


def test_without_a_terminal_always_means_lines(big_tree):
    done = program.run("--progress", "always", *SLOW, big_tree)
    lines = done.stderr.decode("ascii").splitlines()
    assert lines and all(line.startswith(("reading: ", "trying levels: ")) for line in lines)
    assert b"\r" not in done.stderr and b"\x1b" not in done.stderr


def test_json_lines_end_with_done_and_come_ten_a_second(big_tree):
    done = program.run("--progress", "json", "-q", *SLOW, big_tree)
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stderr.decode().splitlines()]
    phases = [line["phase"] for line in lines]
    assert phases[-1] == "done" and phases.count("done") == 1 and "trials" in phases
    order = ["scan", "trials", "done"]
    assert [order.index(phase) for phase in phases] == sorted(order.index(phase) for phase in phases)
    times = [line["elapsed_seconds"] for line in lines]
    # The last one comes when it comes; milliseconds are cut off.
    assert all(after - before >= 0.098 for before, after in zip(times[:-1], times[1:-1]))
    for name in ("files", "bytes", "unique_bytes", "problems"):
        counts = [line[name] for line in lines]
        assert counts == sorted(counts)
    last = lines[-1]
    sizes = [os.path.getsize(os.path.join(big_tree, name)) for name in os.listdir(big_tree)]
    assert last["walk_done"] is True
    assert (last["files"], last["files_found"]) == (len(sizes), len(sizes))
    assert last["bytes"] == last["bytes_found"] == sum(sizes)


def test_the_widest_interval_so_far_is_told_and_shrinks_to_what_the_report_says(big_tree):
    """Every few seconds while levels are tried: so the work is made long enough for some."""
    seconds = 12
    done = program.run("--progress", "json", "--format", "json", "--jobs", "1", "--no-baseline",
                       "--levels", "zstd:3,zstd:19", "--sample-budget", "20G",
                       "--max-time", "%ds" % seconds, big_tree)
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    tried_s = max(line["elapsed_seconds"] for line in lines) - min(
        line["elapsed_seconds"] for line in lines if line["phase"] == "trials")
    told = [line["widest_half_width"] for line in lines if line["widest_half_width"] is not None]
    assert tried_s < 7 or told
    assert all(0 <= width for width in told)
    rows = json.loads(done.stdout)["levels"]
    if told and len(rows) == 2:
        last = max((row["data_size"]["hi"] - row["data_size"]["lo"]) / 2 / row["data_size"]["est"]
                   for row in rows)
        assert last <= told[0] * 1.05 + 1e-6


def test_links_and_unreadable_files_are_not_left_to_read(tmp_path, unprivileged):
    folder = tmp_path / "tree"
    trees.write(str(folder / "file"), b"x" * 5000)
    os.link(folder / "file", folder / "again")
    trees.write(str(folder / "secret"), b"y" * 7000)
    os.chmod(folder / "secret", 0)
    for path in (tmp_path, *tmp_path.parents):
        if str(path).startswith("/tmp/") and os.stat(path).st_uid == os.getuid():
            os.chmod(path, 0o755)
    done = program.run("--progress", "json", "--levels", "zstd:1", str(folder), **unprivileged)
    last = json.loads(done.stderr.splitlines()[-1])
    assert done.returncode == 1
    assert (last["files_found"], last["bytes_found"], last["problems"]) == (1, 5000, 1)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_there_is_to_read_is_known_early(tmp_path, jobs):
    """Holes in several folders: many minutes to read, no time to list."""
    for i in range(10):
        folder = tmp_path / ("folder%d" % i) / "deeper"
        os.makedirs(folder)
        with open(folder / "zeros", "wb") as out:
            out.truncate(1 << 40)
    done = program.run("--progress", "json", "--jobs", jobs, "--levels", "zstd:1", "--max-time", "2s",
                       str(tmp_path))
    lines = [json.loads(line) for line in done.stderr.decode().splitlines()]
    reading = [line for line in lines if line["phase"] == "scan"]
    assert done.returncode == 0 and len(reading) >= 3
    for line in reading[2:]:
        assert line["walk_done"] is True
        assert (line["files_found"], line["bytes_found"]) == (10, 10 << 40)
        # Those in hand when the time is up count as far as they were read.
        assert line["files"] <= int(jobs) and line["bytes"] < 1 << 40


def test_a_stream_counts_as_found_as_it_comes(tmp_path):
    text = os.urandom(1000000) * 3
    done = program.run("--progress", "json", "--levels", "zstd:1", "--stdin-name", "text",
                       "-", stdin=None, input=text)
    last = json.loads(done.stderr.splitlines()[-1])
    assert done.returncode == 0 and last["walk_done"] is True
    assert (last["files"], last["files_found"]) == (1, 1)
    assert last["bytes"] == last["bytes_found"] == len(text)


def test_a_run_that_fails_still_says_done(tmp_path):
    done = program.run("--progress", "json", str(tmp_path))
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 3
    assert json.loads(lines[-2])["phase"] == "done"
    assert lines[-1].startswith("compadvise: ")
