# SPDX-License-Identifier: BSD-2-Clause
"""Files that vanish, grow or shrink while they are read are listed, and stop nothing.

Large holes keep the program busy for long enough: the change happens while one is open, and while the
program is held.
"""
import os
import threading

import program
import trees
import watch

FAST = ("--levels", "zstd:1", "--jobs", "1", "--sample-budget", "1k")
HOLE = 6 << 30
SMALL = b"y" * 100


def hole(path, size=HOLE):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.truncate(size)
    return path


def finished(child, code=1):
    """The report of a run in the background that must end with `code`."""
    out, err = child.communicate(timeout=program.TIMEOUT)
    assert child.returncode == code, (child.returncode, err)
    return program.parse(out)


def problems(report):
    return {entry["path"]: entry["kind"] for entry in report["dataset"]["problems"]["listed"]}


def test_a_file_that_shrinks_is_counted_as_it_was_read(tmp_path):
    path = hole(str(tmp_path / "shrinking"))
    trees.write(str(tmp_path / "small"), SMALL)
    with watch.running(*FAST, str(tmp_path)) as child:
        with watch.held_with_one_open(child, [path]):
            os.truncate(path, 1 << 20)
        report = finished(child)
    assert problems(report) == {path: "shrank"}
    assert report["dataset"]["nfiles"] == 2
    assert report["dataset"]["original_size"] < HOLE


def test_a_file_that_grows_is_read_and_listed(tmp_path):
    size = 400 << 20
    path = hole(str(tmp_path / "growing"), size)
    with watch.running(*FAST, str(tmp_path)) as child:
        with watch.held_with_one_open(child, [path]), open(path, "ab") as out:
            out.write(SMALL)
        report = finished(child)
    assert problems(report) == {path: "grew"}
    assert report["dataset"]["original_size"] in (size, size + len(SMALL))


def test_a_file_that_grows_for_ever_does_not_hold_the_scan(tmp_path):
    path = hole(str(tmp_path / "endless"), 64 << 20)
    stop = threading.Event()

    def grow():
        size = 64 << 20
        while not stop.wait(0.001):
            size += 4 << 20
            os.truncate(path, size)

    with watch.running(*FAST, str(tmp_path)) as child:
        writer = threading.Thread(target=grow)
        writer.start()
        try:
            report = finished(child)
        finally:
            stop.set()
            writer.join()
    assert problems(report) == {path: "grew"}


def test_files_that_vanish_are_listed(tmp_path):
    """Three holes spread over the order of reading: whichever is read first, files wait behind it."""
    holes = [hole(str(tmp_path / name)) for name in ("a", "m", "z")]
    small = [str(tmp_path / ("%s%02d" % (letter, i))) for letter in "bny" for i in range(30)]
    for path in small:
        trees.write(path, SMALL)
    with watch.running(*FAST, str(tmp_path)) as child:
        with watch.held_with_one_open(child, holes) as first:
            for path in [*small, *holes]:
                if path != first:
                    os.unlink(path)
            os.truncate(first, 1 << 20)
        report = finished(child)
    found = problems(report)
    assert found.pop(first) == "shrank"
    assert found and set(found.values()) == {"vanished"}
    assert set(found) <= {*small, *holes}
    assert report["dataset"]["nfiles"] + len(found) <= 1 + len(small) + len(holes)


def test_a_tree_that_changes_all_the_time_still_gives_a_report(tmp_path):
    """Best effort: a writer makes, moves and removes files and folders as fast as it can."""
    trees.tiny_mixed(str(tmp_path / "still"))
    still = sum(os.path.getsize(os.path.join(top, name))
                for top, _, names in os.walk(tmp_path / "still") for name in names)
    stop = threading.Event()

    def churn():
        turn = 0
        while not stop.is_set():
            turn += 1
            folder = str(tmp_path / "moving" / ("d%d" % (turn % 50)))
            trees.write(os.path.join(folder, "f%d" % (turn % 7)), os.urandom(turn % 5000))
            os.rename(folder, folder + "-moved-%d" % turn)
            trees.write(os.path.join(folder, "again"), SMALL)
            os.unlink(os.path.join(folder, "again"))

    os.mkdir(tmp_path / "moving")
    writer = threading.Thread(target=churn)
    writer.start()
    try:
        for _ in range(5):
            done = program.run("--format", "json", "--levels", "zstd:1", "--sample-budget", "100k",
                               str(tmp_path))
            report = program.parse(done.stdout)
            assert done.returncode == (1 if report["dataset"]["problems"]["count"] else 0)
            assert report["complete"] is True
            assert report["dataset"]["original_size"] >= still
    finally:
        stop.set()
        writer.join()


def test_a_folder_replaced_by_a_link_leads_nowhere(tmp_path):
    """The link stands above a folder that is still to be read: what is there now is not the tree.

    The folder itself is, wherever it went, to whoever had the one above it open.
    """
    tree = tmp_path / "tree"
    path = hole(str(tree / "top" / "first"))
    trees.write(str(tree / "top" / "sub" / "inside"), SMALL)
    trees.write(str(tmp_path / "outside" / "sub" / "secret"), b"s" * 1000)
    with watch.running(*FAST, str(tree)) as child:
        with watch.held_with_one_open(child, [path]):
            os.rename(tree / "top", tmp_path / "gone")
            os.symlink(tmp_path / "outside", tree / "top")
            os.truncate(tmp_path / "gone" / "first", 1 << 20)
        report = finished(child)
    found = problems(report)
    assert found.pop(path) == "shrank"
    # Whether they were looked at before or after the change is a matter of time.
    assert set(found.values()) <= {"vanished"}
    assert set(found) <= {str(tree / "top"), str(tree / "top" / "sub")}
    inside = 0 if str(tree / "top" / "sub") in found else 1
    assert report["dataset"]["nfiles"] == 1 + inside
    # As much of the hole as had been read, or is left.
    assert 1 << 20 <= report["dataset"]["original_size"] - inside * len(SMALL) < HOLE
