# SPDX-License-Identifier: BSD-2-Clause
"""The command line: help, version, output, what is scanned and what is left alone."""
import os
import subprocess

import places
import program
import pytest
import trees

FAST = ("--levels", "zstd:1")


def test_help_is_on_stdout_and_80_columns_wide():
    done = program.run("--help")
    assert done.returncode == 0 and done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("Usage: compadvise [OPTION")
    assert max(map(len, lines)) <= 80
    for option in ("--levels", "--no-baseline", "--jobs", "--chunker-params", "--chunk-seed", "--exact",
                   "--sample-budget", "--sample-salt", "--one-file-system", "--exclude", "--format",
                   "--output", "--quiet", "--verbose", "--version", "--read-rate", "--write-rate",
                   "--uplink", "--storage-price", "--cpu-price", "--keep"):
        assert any(option in line for line in lines), option


def test_help_does_not_depend_on_the_terminal():
    narrow = program.run("--help", env={**os.environ, "COLUMNS": "40", "ARGP_HELP_FMT": "rmargin=200"})
    assert max(map(len, narrow.stdout.decode().splitlines())) <= 80


def test_version_names_the_codec_libraries():
    done = program.run("--version")
    assert done.returncode == 0 and done.stderr == b""
    text = done.stdout.decode()
    assert text.startswith("compadvise ")
    for library in ("zstd", "lz4"):
        version = subprocess.run(["pkg-config", "--modversion", "lib" + library], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.strip()
        assert library in text and version in text


def test_table_is_the_default_and_complete_is_0(tree):
    done = program.run(*FAST, tree)
    assert done.returncode == 0
    assert done.stderr == b""
    text = done.stdout.decode()
    for row in ("none", "lz4", "zstd,1"):
        assert any(line.split()[:1] == [row] for line in text.splitlines()), row
    assert "borg create --compression" in text
    assert "never more than" in text.lower()


def test_steps_between_levels_are_known_better_than_levels(tmp_path):
    trees.mixed(str(tmp_path), 3, 0.1)
    options = ("--levels", "lz4,zstd:1-9", "--chunker-params", "buzhash,12,18,15,4095", str(tmp_path))
    sampled = program.report_of("--sample-budget", "500k", *options)
    exact = program.report_of("--exact", *options)
    held = 0
    narrowing = []
    for before, row, real in zip(sampled["levels"], sampled["levels"][1:], exact["levels"][1:]):
        step = row["step"]["saved_bytes"]
        assert row["step"]["over"] == before["name"]
        assert step["est"] == before["repository_size"]["est"] - row["repository_size"]["est"]
        assert step["lo"] <= step["est"] <= step["hi"]
        truth = real["step"]["saved_bytes"]
        assert truth["lo"] == truth["est"] == truth["hi"]
        held += step["lo"] <= truth["est"] <= step["hi"]
        both = sum(one["repository_size"]["hi"] - one["repository_size"]["lo"]
                   for one in (before, row))
        narrowing.append((step["hi"] - step["lo"]) / both)
    # One in twenty may miss, and the salt is fixed.
    assert held >= len(narrowing) - 1
    assert max(narrowing) < 1 and sum(narrowing) < len(narrowing) / 2, narrowing


def test_quiet_leaves_the_table_only(tree):
    plain, quiet = program.run(*FAST, tree).stdout, program.run("-q", *FAST, tree).stdout
    assert 0 < len(quiet) < len(plain)
    assert b"zstd,1" in quiet and b"ever more than" not in quiet
    assert len(program.run("-v", *FAST, tree).stdout) >= len(plain)


def test_default_levels_are_the_baseline_and_zstd_1_to_22(tree):
    report = program.report_of("--sample-budget", "1M", tree)
    names = [row["name"] for row in report["levels"]]
    assert names == ["none", "lz4", *("zstd,%d" % level for level in range(1, 23))]


def test_levels_may_be_listed_and_repeated(tree):
    report = program.report_of("--levels", "zstd:3,zstd:-7--5", "--levels", "zstd:1-2", tree)
    names = [row["name"] for row in report["levels"]]
    assert sorted(names) == sorted(["none", "lz4", "zstd,-7", "zstd,-6", "zstd,-5", "zstd,1", "zstd,2",
                                    "zstd,3"])
    assert {row["codec"] for row in report["levels"]} == {"none", "lz4", "zstd"}
    assert program.level(report, "zstd,-7")["level"] == -7


def test_no_baseline_drops_none_and_lz4(tree):
    report = program.report_of("--no-baseline", *FAST, tree)
    assert [row["name"] for row in report["levels"]] == ["zstd,1"]


def test_none_stores_every_unique_byte(tree):
    report = program.report_of(*FAST, tree)
    size = report["dataset"]["unique_size"]
    assert program.level(report, "none")["data_size"] == {"est": size, "lo": size, "hi": size}


def test_small_data_is_tried_whole_and_says_exact(tree):
    report = program.report_of(*FAST, tree)
    assert report["complete"] is True and report["sample"]["exact"] is True
    assert program.steady(report)
    exact = program.report_of("--exact", *FAST, tree)
    assert [row["data_size"] for row in exact["levels"]] == [row["data_size"] for row in report["levels"]]


def test_roots_add_up_and_each_may_be_a_file(tmp_path):
    for name, data in (("a", b"a" * 1000), ("b", b"b" * 500)):
        trees.write(str(tmp_path / name / "file"), data)
    report = program.report_of(*FAST, str(tmp_path / "a"), str(tmp_path / "b" / "file"))
    dataset = report["dataset"]
    assert dataset["roots"] == [str(tmp_path / "a"), str(tmp_path / "b" / "file")]
    assert (dataset["nfiles"], dataset["original_size"], dataset["total_chunks"]) == (2, 1500, 2)


def test_hard_linked_data_counts_once_across_roots(tmp_path):
    trees.write(str(tmp_path / "a" / "file"), b"x" * 5000)
    os.mkdir(tmp_path / "b")
    os.link(tmp_path / "a" / "file", tmp_path / "a" / "again")
    os.link(tmp_path / "a" / "file", tmp_path / "b" / "elsewhere")
    dataset = program.report_of(*FAST, str(tmp_path / "a"), str(tmp_path / "b"))["dataset"]
    assert (dataset["nfiles"], dataset["original_size"], dataset["hardlinks"]) == (1, 5000, 2)


def test_any_name_is_fine_and_special_files_are_not_opened(tmp_path):
    trees.odd_entries(str(tmp_path))
    expected = sum(os.lstat(os.path.join(top, name)).st_size
                   for top, _, names in os.walk(os.fsencode(tmp_path)) for name in names
                   if os.path.isfile(os.path.join(top, name))
                   and not os.path.islink(os.path.join(top, name))
                   and not name.startswith(b"hard"))
    dataset = program.report_of(*FAST, str(tmp_path))["dataset"]
    assert dataset["original_size"] == expected
    assert dataset["hardlinks"] == 9
    assert dataset["problems"]["count"] == 0


@pytest.mark.parametrize("name", trees.ODD_NAMES)
def test_a_root_may_have_any_name(tmp_path, name):
    trees.write(os.path.join(os.fsencode(tmp_path), name, b"file"), b"content")
    report = program.report_of(*FAST, "--", name, cwd=str(tmp_path))
    assert report["dataset"]["original_size"] == len(b"content")
    table = program.run(*FAST, "--", name, cwd=str(tmp_path))
    assert table.returncode == 0
    table.stdout.decode("utf-8")
    assert b"\x1b" not in table.stdout


def test_symbolic_links_are_not_followed(tmp_path):
    trees.write(str(tmp_path / "outside" / "file"), b"x" * 1000)
    trees.write(str(tmp_path / "inside" / "file"), b"y" * 10)
    os.symlink(tmp_path / "outside", tmp_path / "inside" / "folder")
    os.symlink(tmp_path / "outside" / "file", tmp_path / "inside" / "link")
    dataset = program.report_of(*FAST, str(tmp_path / "inside"))["dataset"]
    assert (dataset["nfiles"], dataset["original_size"]) == (1, 10)


def test_exclude_leaves_out_files_and_whole_folders(tmp_path):
    for name in ("keep/a.txt", "keep/b.tmp", "cache/c.txt", "cache/deep/d.txt"):
        trees.write(str(tmp_path / name), name.encode() * 10)
    dataset = program.report_of(*FAST, "--exclude", "*.tmp", "--exclude", "*/cache",
                                str(tmp_path))["dataset"]
    assert (dataset["nfiles"], dataset["original_size"]) == (1, len("keep/a.txt") * 10)


def test_one_file_system_stays_on_the_roots_own(tmp_path):
    words = places.mount_namespace()
    if words is None:
        pytest.skip("this system lets us mount nothing, so there is no second file system to avoid")
    trees.write(str(tmp_path / "here"), b"h" * 100)
    os.mkdir(tmp_path / "other")
    script = ('mount -t tmpfs other "$1/other" && printf %0200d 0 >"$1/other/there" && shift && exec "$@"')

    def scanned(*options):
        done = subprocess.run(
            [*words, "sh", "-c", script, "sh", str(tmp_path), program.PROGRAM, "--format", "json", *FAST,
             *options, str(tmp_path)], stdout=subprocess.PIPE, check=True)
        dataset = program.parse(done.stdout)["dataset"]
        return dataset["nfiles"], dataset["original_size"]

    assert scanned() == (2, 300)
    assert scanned("--one-file-system") == (1, 100)


def test_output_file_has_the_report_and_stdout_nothing(tree, tmp_path):
    target = tmp_path / "report.json"
    done = program.run("--format", "json", *FAST, "-o", str(target), tree)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert program.parse(target.read_bytes())["complete"]
    assert os.listdir(tmp_path) == ["report.json"]


def test_output_replaces_the_old_file_only_by_a_whole_one(tree, tmp_path):
    """The new report is another file, renamed over the old: a reader sees either of them whole."""
    target = tmp_path / "report.json"
    target.write_text("old")
    with open(target, "rb") as reader:
        done = program.run("--format", "json", *FAST, "--output", "report.json", tree, cwd=str(tmp_path))
        assert done.returncode == 0
        assert reader.read() == b"old"
    program.parse(target.read_bytes())
    assert os.listdir(tmp_path) == ["report.json"]


def test_output_honours_the_umask(tree, tmp_path):
    program.run(*FAST, "-o", str(tmp_path / "report"), tree, umask=0o027)
    assert os.stat(tmp_path / "report").st_mode & 0o777 == 0o640


def test_the_tree_is_left_as_it_was(tmp_path):
    root = tmp_path / "tree"
    trees.odd_entries(str(root))
    before = places.snapshot(str(root))
    for options in (("--jobs", "1"), ("--jobs", "4", "--exact")):
        assert program.run(*options, *FAST, str(root), cwd=str(root)).returncode == 0
    assert places.snapshot(str(root)) == before


def test_access_times_stay_as_they_were(tmp_path):
    """Of what we own O_NOATIME is allowed. Old access times are those that a read would renew."""
    paths = [tmp_path / "tree", tmp_path / "tree" / "folder", tmp_path / "tree" / "folder" / "file"]
    trees.write(str(paths[-1]), b"x" * 100000)
    for path in reversed(paths):
        os.utime(path, (1_000_000, 1_000_001))
    assert program.run(*FAST, str(paths[0])).returncode == 0
    # Folders after files: looking a name up does not count as access, and stat() does not either.
    assert [int(os.stat(path).st_atime) for path in paths] == [1_000_000] * 3


def test_nothing_is_left_in_the_folder_for_temporary_files(tree, tmp_path):
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    assert program.run(*FAST, tree, env=env).returncode == 0
    assert os.listdir(tmp_path) == []


def test_json_is_one_line_ended_document_for_a_pipe(tree):
    done = program.run("--format", "json", *FAST, tree)
    assert done.stderr == b"" and done.stdout.endswith(b"}\n")
    program.parse(done.stdout)


def test_advice_names_levels_of_the_report_and_commands_to_paste(tree):
    report = program.report_of("--levels", "zstd:1-9", tree)
    names = {row["name"] for row in report["levels"]}
    for part in ("knee", "daily", "archive"):
        advice = report["advice"][part]
        assert advice["level"] in names and advice["why"]
        assert "borg create --compression %s " % advice["level"] in advice["command"] + " "


def test_sizes_do_not_grow_from_one_row_to_the_bound(tree):
    report = program.report_of("--levels", "zstd:1-9", tree)
    for row in report["levels"]:
        assert row["data_size"]["hi"] <= report["dataset"]["unique_size"]
        assert row["repository_size"]["est"] > row["data_size"]["est"]
        assert row["repository_size"]["hi"] <= report["upper_bound"]
