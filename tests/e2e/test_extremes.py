# SPDX-License-Identifier: BSD-2-Clause
"""Trees and machines at the edge of what there is: it works, or one line says why not."""
import os
import resource
import stat
import subprocess
import tempfile
import threading

import places
import program
import pytest
import trees

FAST = ("--levels", "zstd:1", "--no-baseline", "--sample-budget", "1k")
MIB = 1 << 20
# For what the kernel makes up, which is never twice the same: long, but an end.
BOUNDED = 240


def limits(*pairs):
    """A preexec_fn that sets resource limits: (which, value)."""
    def limit():
        for which, value in pairs:
            resource.setrlimit(which, (value, value))
    return limit


@pytest.fixture
def folder():
    """Emptied by rm: Python's own way recurses."""
    path = tempfile.mkdtemp(prefix="cadv-extreme-")
    yield path
    subprocess.run(["rm", "-rf", path], check=True)


def measure(*args):
    """The report of a run that must end well, and what it took."""
    with subprocess.Popen([program.PROGRAM, *FAST, "--format", "json", "--jobs", "2", *args],
                          stdout=subprocess.PIPE) as child:
        report = program.parse(child.stdout.read())
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return report, used


def test_ten_thousand_folders_within_each_other_are_each_opened_from_the_last(folder):
    depth = 10000
    before = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(depth):
            os.mkdir("d")
            os.chdir("d")
        trees.write("./bottom", b"x" * 1000)
    finally:
        os.chdir(before)
    report, used = measure(folder)
    assert report["dataset"]["nfiles"] == 1
    assert report["dataset"]["nitems"] == depth + 2
    assert report["dataset"]["original_size"] == 1000
    # Each from the top: fifty million names to look up, forty seconds.
    assert used.ru_stime < 10


def test_a_million_files_with_long_names_in_one_folder_take_under_400_megabytes(folder):
    count = 1000000
    top = os.open(folder, os.O_RDONLY)
    for i in range(count):
        os.mknod("an ordinary name %083d" % i, stat.S_IFREG | 0o644, dir_fd=top)
    os.close(top)
    trees.write(os.path.join(folder, "full"), b"content")
    report, used = measure(folder)
    assert report["dataset"]["nfiles"] == count + 1
    assert used.ru_maxrss * 1024 < 400 * 1000 * 1000, used.ru_maxrss


@pytest.mark.parametrize("system", ["/proc", "/sys"])
def test_file_systems_that_are_made_up_come_to_an_end(system):
    """Sizes mean nothing there, so nothing of it shrinks; what may not be read is listed."""
    done = program.run("--format", "json", *FAST, system, timeout=BOUNDED)
    assert done.returncode in (0, 1), done.stderr
    report = program.parse(done.stdout)
    assert report["dataset"]["nfiles"] > 100
    assert report["dataset"]["problems"]["by_kind"]["shrank"] == 0


def test_a_file_of_the_kernel_is_read_whatever_size_it_states(tmp_path):
    path = "/sys/kernel/mm/transparent_hugepage/enabled"
    if not os.path.exists(path):
        path = "/proc/self/limits"
    trees.write(str(tmp_path / "file"), b"x" * 10)
    report = program.report_of(*FAST, path, str(tmp_path))
    with open(path, "rb") as text:
        assert report["dataset"]["original_size"] == len(text.read()) + 10


def test_reading_below_proc_sys_needs_no_room_for_the_longest_chunk(tmp_path):
    """The kernel makes room for all that is asked for, and refuses what is too much."""
    trees.write(str(tmp_path / "file"), b"x" * 10)
    report = program.report_of(*FAST, "/proc/sys/kernel/pid_max", str(tmp_path))
    with open("/proc/sys/kernel/pid_max", "rb") as text:
        assert report["dataset"]["original_size"] == len(text.read()) + 10


class Changer:
    """Replaces files and folders by other things, and back, for as long as it is entered."""

    def __init__(self, root, outside):
        self.root = root
        self.outside = outside
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.change)

    def change(self):
        aside = self.root + "-aside"
        kinds = (lambda path: os.symlink(self.outside, path), os.mkfifo,
                 lambda path: trees.write(path, b"other"))
        turn = 0
        while not self.stop.is_set():
            name = os.path.join(self.root, "file%02d" % (turn % 40))
            os.rename(name, aside)
            kinds[turn % 3](name)
            os.unlink(name)
            os.rename(aside, name)
            name = os.path.join(self.root, "folder%d" % (turn % 8))
            os.rename(name, aside)
            os.symlink(os.path.dirname(self.outside), name)
            os.unlink(name)
            os.rename(aside, name)
            turn += 1

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


def test_what_is_replaced_while_it_is_opened_leads_nowhere_else(tmp_path):
    root = str(tmp_path / "tree")
    outside = str(tmp_path / "outside" / "file")
    trees.write(outside, b"o" * 5 * MIB)
    whole = 0
    for i in range(40):
        trees.write(os.path.join(root, "file%02d" % i), b"%d" % i * 500)
        trees.write(os.path.join(root, "folder%d" % (i % 8), "within%d" % i), b"%d" % i * 500)
        whole += 2 * len(b"%d" % i * 500)
    with Changer(root, outside):
        for turn in range(10):
            done = program.run("--format", "json", *FAST, "--jobs", "%d" % (1 + turn % 2), root,
                               timeout=60)
            assert done.returncode in (0, 1), done.stderr
            report = program.parse(done.stdout)
            assert 0 < report["dataset"]["original_size"] <= whole
            assert set(report["dataset"]["problems"]["by_kind"]) >= {"vanished"}


def test_few_open_files_are_enough(tree):
    calm = program.report_of(*FAST, tree)
    for jobs in ("1", "2", "24"):
        few = program.report_of(*FAST, "--jobs", jobs, tree,
                                preexec_fn=limits((resource.RLIMIT_NOFILE, 64)))
        assert few["dataset"] == calm["dataset"]


def test_little_memory_is_said_in_one_line(tree):
    """From too little to enough: there is a report or a line, and both come about."""
    codes = set()
    for mib in (32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 192, 512, 2048):
        done = program.run("--format", "json", *FAST, "--jobs", "2", tree,
                           preexec_fn=limits((resource.RLIMIT_AS, mib * MIB)))
        if b"error while loading shared libraries" in done.stderr:
            continue
        codes.add(done.returncode)
        if done.returncode == 0:
            program.parse(done.stdout)
        else:
            assert done.returncode == 3, (mib, done.returncode, done.stderr)
            program.error_line(done)
    assert codes == {0, 3}


def test_small_stacks_are_enough(tree):
    """Threads get the stack that the limit says."""
    calm = program.report_of("--levels", "zstd:1,zstd:19,lzma:0,zlib:1", "--sample-budget", "1k", tree)
    small = program.report_of("--levels", "zstd:1,zstd:19,lzma:0,zlib:1", "--sample-budget", "1k", tree,
                              preexec_fn=limits((resource.RLIMIT_STACK, 256 << 10)))
    assert program.steady(small) == program.steady(calm)


@pytest.mark.parametrize("variable", [None, "/nonexistent", "", "/proc"])
def test_without_a_temporary_directory_it_works(tree, variable):
    environment = {key: value for key, value in os.environ.items() if key != "TMPDIR"}
    if variable is not None:
        environment["TMPDIR"] = variable
    report = program.report_of(*FAST, tree, env=environment)
    assert program.steady(report) == program.steady(program.report_of(*FAST, tree))


def test_a_full_temporary_directory_is_no_failure(tree, tmp_path):
    words = places.mount_namespace()
    if words is None:
        pytest.skip("this system lets us mount nothing, so there is no disk to fill")
    script = ('mount -t tmpfs -o size=64k full "$1" && head -c 64k /dev/zero >"$1/filler"; '
              'export TMPDIR="$1"; shift; exec "$@"')
    done = subprocess.run([*words, "sh", "-c", script, "sh", str(tmp_path), program.PROGRAM,
                           "--format", "json", *FAST, tree],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == 0
    assert program.steady(program.parse(done.stdout)) == program.steady(program.report_of(*FAST, tree))
