# SPDX-License-Identifier: BSD-2-Clause
"""CSV, Markdown, units, colours, columns and order, of results made by hand."""
import csv
import functools
import io
import json
import os
import pathlib
import pty
import re
import subprocess

import program
import pytest

CASES = ["typical", "exact", "partial", "stopped", "empty", "one", "many", "huge", "hostile",
         "unknown"]
PRINTER = pathlib.Path(os.environ["CADV_BUILD"]) / "tests" / "e2e" / "print_result"
COLUMNS = ["level", "size", "data", "ratio", "saved", "step", "cpu", "cpu-range", "wall", "cores",
           "restore", "trials", "bottleneck", "marks"]


@functools.lru_cache(maxsize=None)
def printed(case, form, *, verbosity="0", units="si", color="plain", sort="level", columns=None,
            locale="C.UTF-8"):
    args = [PRINTER, case, form, verbosity, units, color, sort, *([columns] if columns else [])]
    done = subprocess.run(args, capture_output=True, check=True, env={**os.environ, "LC_ALL": locale})
    assert done.stderr == b""
    return done.stdout.decode("utf-8")


def rows_of(case, **options):
    text = printed(case, "csv", **options)
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def table_of(case, **options):
    """Rows of the Markdown table, cell by cell, its heading first."""
    lines = [line for line in printed(case, "markdown", **options).splitlines()
             if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@pytest.mark.parametrize("case", CASES)
def test_csv_says_what_json_says(case):
    report = json.loads(printed(case, "json"))
    rows = rows_of(case)
    assert len(rows) == len(report["levels"])
    assert printed(case, "csv") == printed(case, "csv", locale="C", units="iec")
    for row, level in zip(rows, report["levels"]):
        assert (row["level"], row["codec"], int(row["codec_level"])) == (
            level["name"], level["codec"], level["level"])
        assert row["complete"] == str(report["complete"]).lower()
        assert int(row["trial_bytes"]) == level["trial_bytes"]
        for name in ("repository_size", "data_size"):
            parts = [row[name + end] for end in ("", "_lo", "_hi")]
            size = level[name]
            assert parts == (["", "", ""] if size is None else
                             [str(size[part]) for part in ("est", "lo", "hi")])
        timing = level["timing"] or {"wall_seconds": None, "cores": None, "restore_seconds": None}
        for name in ("wall_seconds", "cores", "restore_seconds"):
            assert (row[name] == "") == (timing[name] is None)
            if row[name]:
                assert float(row[name]) == pytest.approx(timing[name], abs=6e-4)
        for advice in ("knee", "daily", "archive", "kneedle"):
            chosen = report["advice"][advice]
            assert (row[advice] == "true") == (chosen is not None and chosen["level"] == row["level"])


def test_savings_in_csv_are_differences_in_bytes():
    by_level = {row["level"]: row for row in rows_of("typical")}
    assert by_level["none"]["saved_bytes"] == by_level["none"]["step_bytes"] == ""
    assert int(by_level["zstd,19"]["saved_bytes"]) == (1601 - 660) * 10**9
    assert int(by_level["zstd,19"]["step_bytes"]) == (920 - 660) * 10**9
    assert int(by_level["zstd,19"]["step_bytes_lo"]) == (920 - 660 - 1) * 10**9
    assert int(by_level["zstd,19"]["step_bytes_hi"]) == (920 - 660 + 1) * 10**9
    assert by_level["zstd,3"]["ratio"] == "2.1739"


def test_csv_quotes_a_comma_and_nothing_else():
    lines = printed("typical", "csv", columns="level,bottleneck").split("\r\n")
    assert lines[0] == "level,codec,codec_level,complete,bottleneck"
    assert lines[1] == "none,none,0,true,reading"
    assert lines[3] == '"zstd,3",zstd,3,true,reading'


def test_columns_choose_fields_and_their_order():
    header = printed("typical", "csv", columns="wall,size").split("\r\n")[0]
    assert header == "wall_seconds,repository_size,repository_size_lo,repository_size_hi"
    assert table_of("typical", columns="wall,level")[0] == ["wall", "level"]
    first = printed("typical", "table", verbosity="-1", columns="wall,level").splitlines()[0]
    assert first.split() == ["wall", "level"]


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_can_stand_alone_in_every_format(name):
    assert len(table_of("typical", columns=name)) == 2 + 4
    assert printed("typical", "csv", columns=name).count("\r\n") == 1 + 4
    assert printed("typical", "table", columns=name).count("\n") > 4


@pytest.mark.parametrize("columns", ["", "level,", "speed", "level,level", "Level"])
def test_a_wrong_column_is_refused_with_the_names(columns):
    done = subprocess.run([PRINTER, "typical", "csv", "0", "si", "plain", "level", columns],
                          capture_output=True, check=False)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    if columns != "level,level":
        for name in COLUMNS:
            assert name.encode() in done.stderr
    else:
        assert b"twice" in done.stderr


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_markdown_is_one_aligned_table(case, locale):
    lines = [line for line in printed(case, "markdown", locale=locale).splitlines()
             if line.startswith("|")]
    assert len(lines) == 2 + len(json.loads(printed(case, "json"))["levels"])
    # One place for every bar: the same number of cells, padded to the same width.
    bars = [[at for at, letter in enumerate(line) if letter == "|"] for line in lines]
    assert all(places == bars[0] for places in bars)
    assert re.fullmatch(r"(\| -+:? )+\|", lines[1].replace("-:", "-: ").replace(":  ", ": "))
    if locale == "C":
        assert printed(case, "markdown", locale=locale).isascii()


def test_markdown_aligns_numbers_to_the_right():
    lines = printed("typical", "markdown").splitlines()
    assert lines[0].split("|")[1].startswith(" level ")
    marks = [cell.strip() for cell in lines[1].split("|")[1:-1]]
    assert marks[0] == "-------" and marks[-1].strip("-") == ""
    assert all(mark.endswith(":") for mark in marks[1:-1])


def test_markdown_holds_the_figures_and_the_advice():
    text = printed("typical", "markdown")
    assert "| zstd,3  |       920 ± 8 GB | 2.17x |" in text
    assert "- Daily: **zstd,3**; the next step" in text
    assert "920 +-8 GB" in printed("typical", "markdown", locale="C")
    assert "Daily" not in printed("typical", "markdown", verbosity="-1")
    assert printed("partial", "markdown", verbosity="-1").startswith("PARTIAL: ")


def test_units_are_decimal_binary_or_bytes():
    # 920 * 10^9 / 2^30 = 856.8; 8 * 10^9 / 2^30 = 7.45, so 857 +- 8 covers both ends.
    for units, size, read in (("si", "920 ± 8 GB", "2.000 TB"), ("iec", "857 ± 8 GiB", "1.819 TiB"),
                              ("raw", "920000000000 ± 8000000000 B", "2000000000000 B")):
        text = printed("typical", "table", units=units)
        assert size in text and "%s original size" % read in text.replace("\n", " ")
        assert size in printed("typical", "markdown", units=units)


@pytest.mark.parametrize("units", ["si", "iec", "raw"])
@pytest.mark.parametrize("case", CASES)
def test_the_usual_table_fits_80_columns_in_all_units(case, units):
    for locale in ("C", "C.UTF-8"):
        for line in printed(case, "table", verbosity="-1", units=units, locale=locale).splitlines():
            assert len(line) <= 80, line
        heading = printed(case, "table", verbosity="-1", units=units, locale=locale).splitlines()
        if case != "empty" and not heading[0].startswith("PARTIAL"):
            assert {"level", "repository", "ratio", "CPU", "wall"} <= set(heading[0].split())


def test_colours_only_add_to_what_is_said():
    plain = printed("many", "table")
    colored = printed("many", "table", color="color")
    assert "\x1b[32m" in colored and "\x1b[2m" in colored and "\x1b" not in plain
    bare = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()
    for line in printed("typical", "table", color="color").splitlines():
        recommended = line.endswith(("daily\x1b[0m", "archive\x1b[0m", "knee\x1b[0m"))
        assert ("\x1b[32m" in line) == recommended
    # Without the marks, colour would speak alone.
    assert "\x1b" not in printed("many", "table", color="color", columns="level,size")
    assert "\x1b" not in printed("many", "markdown", color="color")


def test_rows_can_be_sorted_by_a_column():
    def levels(sort, case="typical"):
        return [row["level"] for row in rows_of(case, sort=sort)]
    assert levels("level") == ["none", "lz4", "zstd,3", "zstd,19"]
    assert levels("size") == ["zstd,19", "zstd,3", "lz4", "none"]
    assert levels("saved") == levels("ratio") == levels("wall") == levels("level")
    # What was not tried comes last, and what is not known after what is.
    assert levels("cpu", "unknown") == ["none", "zstd,3", "zstd,19", "lz4"]
    assert levels("restore", "unknown")[:2] == ["none", "zstd,19"]
    table = printed("typical", "table", sort="size")
    assert table.index("\nzstd,19") < table.index("\nzstd,3 ") < table.index("\nlz4")
    assert "step: with the level before" in table.replace("\n", " ")
    assert [row[0] for row in table_of("typical", sort="size")[2:]] == levels("size")


def test_a_legend_explains_the_columns_that_are_there():
    assert "ratio: original" in printed("typical", "table")
    assert "ratio:" not in printed("typical", "table", columns="level,size")
    assert "95 % interval" in printed("typical", "table", columns="level,size")


def colored(*args, **env):
    """What the program writes to a terminal as standard output."""
    main, side = pty.openpty()
    child = subprocess.Popen([program.PROGRAM, "--levels", "zstd:1", "--progress", "never", *args],
                             stdin=subprocess.DEVNULL, stdout=side,
                             env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **env})
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


def test_colour_is_for_terminals_that_want_it(tree):
    assert b"\x1b[" in colored(tree)
    assert b"\x1b[" not in colored(tree, NO_COLOR="1")
    assert b"\x1b[" in colored(tree, NO_COLOR="")
    assert b"\x1b[" in colored("--color", "always", tree, NO_COLOR="1")
    assert b"\x1b[" not in colored("--color", "never", tree)
    assert b"\x1b[" not in colored(tree, TERM="dumb")
    assert b"\x1b[" not in program.run("--levels", "zstd:1", tree).stdout
    assert b"\x1b[" in program.run("--levels", "zstd:1", "--color", "always", tree).stdout


def test_the_command_line_reaches_the_report(tree):
    done = program.run("--levels", "zstd:1-3", "--format", "csv", "--columns", "size,level",
                       "--sort", "size", tree)
    assert done.returncode == 0 and done.stderr == b""
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert len(rows) == 5 and list(rows[0])[0] == "repository_size"
    sizes = [int(row["repository_size"]) for row in rows]
    assert sizes == sorted(sizes)
    raw = program.run("-q", "--levels", "zstd:1", "--units", "raw", "--format", "markdown", tree)
    assert re.search(rb"\| none +\| +[0-9]{4,}( [^|]*)? B \|", raw.stdout)


@pytest.mark.parametrize("args", [("--columns", "speed"), ("--sort", "speed"), ("--units", "kb"),
                                  ("--color", "json"), ("--progress", "often"), ("--format", "xml")])
def test_a_wrong_word_is_one_clear_line(tree, args):
    done = program.run(*args, tree)
    assert done.returncode == 2 and done.stdout == b"" and done.stderr.count(b"\n") == 1
    assert args[1].encode() in done.stderr
