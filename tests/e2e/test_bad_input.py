# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong: one clear line, the right exit code, and no half file."""
import os
import resource
import signal
import subprocess

import places
import program
import pytest
import trees

USAGE = 2
FAILED = 3
PROBLEMS = 1
FAST = ("--levels", "zstd:1")


def refused(code, *args, **keywords):
    done = program.run(*args, **keywords)
    assert done.returncode == code, (done.returncode, done.stderr)
    return program.error_line(done)


def test_no_path_is_a_usage_error():
    refused(USAGE)
    refused(USAGE, *FAST)


def test_an_unknown_option_is_named():
    assert "--no-such-option" in refused(USAGE, "--no-such-option", "/")


@pytest.mark.parametrize("levels, range_said", [
    ("zstd:23", ("-128", "22")), ("zstd:-129", ("-128", "22")), ("zstd:1-23", ("-128", "22")),
    ("zstd:99999999999999999999", ("-128", "22")),
])
def test_an_unknown_level_says_the_valid_range(tree, levels, range_said):
    line = refused(USAGE, "--levels", levels, tree)
    for bound in range_said:
        assert bound in line


@pytest.mark.parametrize("levels", ["brotli:5", "zstdx", "Zstd:3", "lz4:1x"])
def test_an_unknown_codec_says_which_there_are(tree, levels):
    line = refused(USAGE, "--levels", levels, tree)
    if not levels.startswith("lz4"):
        for codec in ("none", "lz4", "zstd"):
            assert codec in line


@pytest.mark.parametrize("levels", ["", ",", "zstd:", "zstd:3-", "zstd:9-1", "zstd:a", "zstd:3,,lz4",
                                    "zstd:1-2-3", "zstd: 3", "lz4:", "none:1"])
def test_a_malformed_level_list_is_refused(tree, levels):
    refused(USAGE, "--levels", levels, tree)


@pytest.mark.parametrize("option, value", [
    ("--jobs", "0"), ("--jobs", "-1"), ("--jobs", "two"), ("--jobs", "257"), ("--jobs", ""),
    ("--chunker-params", "buzhash,19,23,21"), ("--chunker-params", "buzhash,23,19,21,4095"),
    ("--chunker-params", "buzhash,19,24,21,4095"), ("--chunker-params", "buzhash,5,23,21,4095"),
    ("--chunker-params", "rabin,1,2,3,4"), ("--chunker-params", "fixed"),
    ("--chunker-params", "fixed,63"), ("--chunker-params", "fixed,20971480"),
    ("--chunk-seed", "x"), ("--chunk-seed", "4294967296"), ("--chunk-seed", "0x"),
    ("--keep", "0x10"), ("--keep", " 5"),
    ("--sample-budget", "0"), ("--sample-budget", "-5"), ("--sample-budget", "10X"),
    ("--sample-salt", "-1x"), ("--format", "yaml"), ("--format", ""),
    ("--read-rate", "0"), ("--write-rate", "-1"), ("--uplink", "fast"), ("--uplink", "nan"),
    ("--storage-price", "-1"), ("--cpu-price", "inf"), ("--keep", "-1"), ("--keep", "ever"),
])
def test_a_bad_value_is_refused_and_can_be_found(tree, option, value):
    """The line has the option's word or the value: one of them tells which of many it was."""
    line = refused(USAGE, option + "=" + value, tree)
    assert option[2:].split("-")[0] in line or (value and "'%s'" % value in line)


@pytest.mark.parametrize("options", [
    ("--exact", "--sample-budget", "5M"),
    ("--exact", "--sample-salt", "5"),
    ("--quiet", "--verbose"),
])
def test_contradictory_options_are_refused_by_name(tree, options):
    line = refused(USAGE, *options, tree)
    for option in options:
        assert not option.startswith("--") or option in line


def test_a_missing_path_is_named(tmp_path):
    path = str(tmp_path / "no-such-folder")
    line = refused(FAILED, *FAST, path)
    assert path in line and "No such file or directory" in line


def test_one_missing_path_of_two_fails_before_anything_is_read(tree, tmp_path):
    path = str(tmp_path / "no-such-folder")
    assert path in refused(FAILED, *FAST, tree, path)


def test_a_missing_path_of_any_bytes_makes_one_printable_line():
    line = refused(FAILED, *FAST, b"/no-such\n\xff\x1b[31m")
    assert "\x1b" not in line


def test_an_unreadable_root_is_named(commons, unprivileged):
    path = os.path.join(commons, "closed")
    trees.write(os.path.join(path, "file"), b"content")
    os.chmod(path, 0)
    line = refused(FAILED, *FAST, path, cwd="/", **unprivileged)
    assert path in line and "Permission denied" in line


def test_an_empty_path_is_refused():
    refused(FAILED, *FAST, "")


@pytest.mark.parametrize("build", [
    lambda root: None,
    lambda root: trees.write(os.path.join(root, "empty"), b""),
    lambda root: os.symlink("/etc/passwd", os.path.join(root, "link")),
    lambda root: os.mkfifo(os.path.join(root, "fifo")),
], ids=["no entries", "an empty file", "a link", "a pipe"])
def test_an_empty_dataset_is_refused(tmp_path, build):
    build(str(tmp_path))
    line = refused(FAILED, *FAST, str(tmp_path))
    assert "empty" in line or "no file" in line or "nothing" in line


def test_a_dataset_that_is_excluded_whole_is_empty(tree):
    refused(FAILED, *FAST, "--exclude", "*", tree)


def test_an_output_in_no_folder_is_refused_before_the_scan(tree, tmp_path):
    target = str(tmp_path / "no-such-folder" / "report")
    assert target in refused(FAILED, *FAST, "-o", target, tree)


def test_an_output_that_is_a_folder_is_refused(tree, tmp_path):
    assert str(tmp_path) in refused(FAILED, *FAST, "-o", str(tmp_path), tree)
    assert os.listdir(tmp_path) == []


def test_an_output_in_a_folder_not_ours_is_refused(commons, unprivileged):
    trees.write(os.path.join(commons, "tree", "file"), b"content")
    os.chmod(commons, 0o555)
    target = os.path.join(commons, "report")
    line = refused(FAILED, *FAST, "-o", target, os.path.join(commons, "tree"), cwd="/", **unprivileged)
    assert target in line
    assert not os.path.exists(target)


def test_a_file_that_may_not_grow_leaves_the_old_report(tree, tmp_path):
    """A limit on file size fails writes as a full disk does, where nobody may mount one."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    target = tmp_path / "report.json"
    target.write_text("old")
    line = refused(FAILED, "--format", "json", *FAST, "-o", str(target), tree, preexec_fn=limit)
    assert str(target) in line
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.json"]


def test_a_full_disk_leaves_no_half_file(tree, tmp_path):
    words = places.mount_namespace()
    if words is None:
        pytest.skip("this system lets us mount nothing, so there is no disk to fill")
    script = ('mount -t tmpfs -o size=64k full "$1" && cd "$1" && shift && '
              'head -c 64k /dev/zero >filler; "$@"; code=$?; ls -A; exit $code')
    done = subprocess.run(
        [*words, "sh", "-c", script, "sh", str(tmp_path), program.PROGRAM, "--format", "json", *FAST,
         "-o", "report.json", tree], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == FAILED
    assert done.stdout == b"filler\n"
    lines = [line for line in done.stderr.decode().splitlines() if not line.startswith("head:")]
    assert len(lines) == 1 and "report.json" in lines[0] and "No space left" in lines[0]


def test_a_full_stdout_fails(tree):
    with open("/dev/full", "wb") as full:
        line = refused(FAILED, *FAST, tree, stdout=full)
    assert "No space left" in line


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_words_that_a_full_stdout_does_not_take_fail(option):
    with open("/dev/full", "wb") as full:
        refused(FAILED, option, stdout=full)


def test_a_name_as_long_as_names_may_be_is_written(tree, tmp_path):
    name = "r" * os.pathconf(tmp_path, "PC_NAME_MAX")
    assert program.run(*FAST, "-o", str(tmp_path / name), tree).returncode == 0
    assert os.listdir(tmp_path) == [name]
    line = refused(FAILED, *FAST, "-o", str(tmp_path / (name + "r")), str(tmp_path / "none"))
    assert "File name too long" in line


@pytest.mark.parametrize("is_there", [True, False])
def test_an_output_that_is_a_link_stays_one(tree, tmp_path, is_there):
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "report"
    if is_there:
        target.write_text("old")
    os.symlink("far/report", tmp_path / "link")
    assert program.run("--format", "json", *FAST, "-o", str(tmp_path / "link"), tree).returncode == 0
    assert os.readlink(tmp_path / "link") == "far/report"
    program.parse(target.read_bytes())
    assert os.listdir(tmp_path / "far") == ["report"]


def test_an_output_that_is_the_stdout_is_not_replaced(tree, tmp_path):
    """As "-o /dev/stdout >report" is, where the program may write to /dev."""
    os.symlink("/proc/self/fd/1", tmp_path / "link")
    with open(tmp_path / "report", "wb+") as out:
        done = program.run("--format", "json", *FAST, "-o", str(tmp_path / "link"), tree, stdout=out)
        assert done.returncode == 0
        out.seek(0)
        program.parse(out.read())
    assert sorted(os.listdir(tmp_path)) == ["link", "report"] and os.path.islink(tmp_path / "link")


def test_a_closed_stdout_fails(tree):
    refused(FAILED, *FAST, tree, stdout=None, preexec_fn=lambda: os.close(1))


def test_a_reader_that_goes_away_is_a_failure_without_a_crash(tree):
    reading, writing = os.pipe()
    os.close(reading)
    done = program.run(*FAST, tree, stdout=writing)
    os.close(writing)
    assert done.returncode in (FAILED, -signal.SIGPIPE, 128 + signal.SIGPIPE)


def unreadable_tree(commons):
    root = os.path.join(commons, "tree")
    for name in ("a", "b", "sub/c", "sub/d"):
        trees.write(os.path.join(root, name), name.encode() * 1000)
    trees.write(os.path.join(root, "closed", "inside"), b"x" * 77)
    os.chmod(os.path.join(root, "b"), 0)
    os.chmod(os.path.join(root, "sub", "d"), 0)
    os.chmod(os.path.join(root, "closed"), 0)
    return root


def listed_paths(report):
    return [entry["path"] for entry in report["dataset"]["problems"]["listed"]]


def test_unreadable_files_are_counted_and_listed_and_stop_nothing(commons, unprivileged):
    root = unreadable_tree(commons)
    report = program.report_of(*FAST, root, code=PROBLEMS, cwd="/", **unprivileged)
    assert report["complete"] is True
    dataset = report["dataset"]
    assert (dataset["nfiles"], dataset["original_size"]) == (2, 1000 + 5000)
    assert dataset["problems"]["count"] == 3
    assert dataset["problems"]["bytes"] == 1000 + 5000
    assert listed_paths(report) == [os.path.join(root, name) for name in ("b", "closed", "sub/d")]


def test_too_few_open_files_are_no_problem_of_the_data(tmp_path):
    """What may be left out then would depend on the jobs: it is a failure that says what to do."""
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))

    for i in range(40):
        trees.write(str(tmp_path / ("d%d" % i) / "file"), b"x" * 30000)
    line = refused(FAILED, *FAST, "--jobs", "64", str(tmp_path), preexec_fn=limit)
    assert "Too many open files" in line and "--jobs" in line


def test_every_link_to_an_unreadable_file_is_listed(commons, unprivileged):
    """Whichever is met first: Borg, too, warns of each and stores none."""
    root = os.path.join(commons, "tree")
    paths = [os.path.join(root, name) for name in ("a/first", "b/second", "c")]
    trees.write(os.path.join(root, "readable"), b"content")
    trees.write(paths[0], b"x" * 100)
    for path in paths[1:]:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.link(paths[0], path)
    os.chmod(paths[0], 0)
    for jobs in ("1", "8"):
        report = program.report_of(*FAST, "--jobs", jobs, root, code=PROBLEMS, cwd="/", **unprivileged)
        assert listed_paths(report) == paths
        assert (report["dataset"]["nfiles"], report["dataset"]["hardlinks"]) == (1, 0)


def test_the_table_names_unreadable_files(commons, unprivileged):
    root = unreadable_tree(commons)
    done = program.run(*FAST, root, cwd="/", **unprivileged)
    assert done.returncode == PROBLEMS
    assert os.path.join(root, "sub/d") in (done.stdout + done.stderr).decode()


def test_a_root_with_nothing_but_unreadable_files_fails(commons, unprivileged):
    root = os.path.join(commons, "tree")
    trees.write(os.path.join(root, "file"), b"content")
    os.chmod(os.path.join(root, "file"), 0)
    refused(FAILED, *FAST, root, cwd="/", **unprivileged)


def test_the_list_of_problems_is_bounded_and_starts_with_the_first_paths(commons, unprivileged):
    root = os.path.join(commons, "tree")
    trees.write(os.path.join(root, "readable"), b"content")
    for i in range(300):
        path = os.path.join(root, "d%d" % (i % 7), "%03d" % i)
        trees.write(path, b"x")
        os.chmod(path, 0)
    expected = sorted(os.path.join(root, "d%d" % (i % 7), "%03d" % i) for i in range(300))
    for jobs in ("1", "8"):
        report = program.report_of(*FAST, "--jobs", jobs, root, code=PROBLEMS, cwd="/", **unprivileged)
        listed = listed_paths(report)
        assert report["dataset"]["problems"]["count"] == 300
        assert 0 < len(listed) < 300 and listed == expected[:len(listed)]
