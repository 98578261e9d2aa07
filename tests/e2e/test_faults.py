# SPDX-License-Identifier: BSD-2-Clause
"""Every call of the system, of the C library or of another library that can fail does, one after
another.

Each run has one call fail. It must end, without a signal and with nothing left allocated or open,
in one of three ways: 0 and the very figures of an undisturbed run; 1 and a report that counts a
problem; 3 and one line that says why.

Calls are told apart by where they are in the program. Without CADV_FAULTS_FULL in the environment each
place fails at its first and at its last call, and only in the first of the scenarios that come by it;
two failures are the most in a run. With it, a place's first calls fail one after another where it is met
first, its last one in every other scenario that reads or tries something in another way, and a run has
up to three failures.
"""
import collections
import concurrent.futures
import errno
import functools
import io
import os
import select
import shutil
import signal
import struct
import subprocess
import tarfile
import tempfile
import zipfile

import faults
import jsonschema
import program
import pytest
import trees

FULL = "CADV_FAULTS_FULL" in os.environ
WORKERS = len(os.sched_getaffinity(0))
# Where CPU is free, which level is the knee does not depend on how fast the machine was.
BASE = ("--levels", "zstd:1", "--sample-budget", "1k", "--exclude", "*.no", "--cpu-price", "0",
        "--chunker-params", "buzhash,10,16,14,4095")
PARTIAL = 0
# Stands for no user in an access control list.
NOBODY = 0xffffffff

# What a call fails with. INVISIBLE ones must not be seen at all.
MEMORY = ("malloc", "calloc", "realloc", "strdup", "strndup", "asprintf", "open_memstream", "setenv", "newlocale",
          "argp_parse", "EVP_CIPHER_CTX_new", "ZSTD_compress", "ZSTD_decompress", "deflateInit_", "uncompress",
          "lzma_easy_encoder", "lzma_stream_buffer_decode", "archive_read_new", "archive_entry_new",
          "archive_read_open1", "archive_read_next_header2", "archive_read_data_block")
# Prefixes of functions of libraries that build reports.
BUILDERS = ("json_", "scols_")
STREAMS = ("fflush", "fputc", "fputs", "fwrite", "fprintf", "fclose", "putc", "json_dumpf")
# What stands before a call only to see it or to make it shorter.
NEVER_FAILING = frozenset(("free", "_exit", "EVP_Digest", "HMAC", "EVP_EncryptUpdate", "crc32"))
ERRORS = {
    **{name: (errno.ENOMEM,) for name in MEMORY},
    **{name: (errno.ENOSPC,) for name in STREAMS},
    "read": (errno.EIO, errno.EINTR, PARTIAL),
    "pread": (errno.EIO, errno.EINTR, PARTIAL),
    "write": (errno.ENOSPC, errno.EINTR, PARTIAL),
    "pwrite": (errno.ENOSPC, errno.EINTR, PARTIAL),
    "open": (errno.EACCES, errno.EMFILE),
    "openat": (errno.EACCES, errno.EMFILE, errno.ENOENT, errno.EPERM),
    "fstatat": (errno.EACCES, errno.ENOENT),
    "pthread_create": (errno.EAGAIN,),
    "mkostemp": (errno.EACCES,),
    "realpath": (errno.EACCES, errno.ENOMEM),
    "access": (errno.EACCES,),
    "rename": (errno.EXDEV,),
    "llistxattr": (errno.EIO, errno.ENOENT),
    # As in Python, whatever else goes wrong means that there is no such name.
    "getpwuid_r": (errno.ENOMEM, errno.ERANGE),
    "getgrgid_r": (errno.EMFILE, errno.ERANGE),
    "poll": (errno.ENOMEM, errno.EINTR),
}


def errors_of(name):
    if name in ERRORS:
        return ERRORS[name]
    return (errno.ENOMEM,) if name.startswith(BUILDERS) else (errno.EIO,)


INVISIBLE = (errno.EINTR, errno.ERANGE, PARTIAL)
# Failures in one run: the first, one on the way out, one on the way out of that.
DEPTH = 3 if FULL else 2
# A place's calls that fail one after another where it is met first; the last one does besides.
FIRST_CALLS = 8 if FULL else 1

# Scenarios in which a call may come less often another time: two workers, a signal that is seen late,
# times of more or fewer digits.
UNSTEADY = ("two jobs", "interrupted", "terminal", "table", "problem in a table", "many problems", "limits",
            "reports in between", "slow trials", "interrupted in JSON")

# Calls that no scenario comes by: (function, where it is called) and why.
UNREACHED = {
    ("fprintf", "error_assert_failed"): "only a bug comes by",
    ("close", "source_input_special"): "something else in a device's place between two calls",
    ("fputc", "put_text"): "no name in the table has a quote in it",
}


@functools.lru_cache(maxsize=None)
def small_tree():
    """Some of everything, and a file of many chunks; kept until the process ends."""
    root = os.path.join(scratch(), "tree")
    trees.write(os.path.join(root, "a", "text"), b"".join(b"%d\n" % (i * i) for i in range(30000)))
    trees.write(os.path.join(root, "a", "b", "noise"), os.urandom(20000))
    trees.write(os.path.join(root, "empty"), b"")
    trees.write(os.path.join(root, "left.no"), b"out")
    # Takes no room on any disk, as what is made up when it is read.
    with open(os.path.join(root, "a", "hole"), "wb") as hole:
        hole.truncate(5000)
    os.link(os.path.join(root, "a", "text"), os.path.join(root, "a", "b", "hard"))
    os.symlink("text", os.path.join(root, "a", "soft"))
    os.mkfifo(os.path.join(root, "fifo"))
    trees.make_socket(os.path.join(root, "socket"))
    for name in ("a", "a/text", "a/b", "empty"):
        os.setxattr(os.path.join(root, name), "user.some", b"value")
    # More names than the first look at them has room for.
    for i in range(60):
        os.setxattr(os.path.join(root, "a", "text"), "user.%020d" % i, b"")
    # Only the system's own names can be given to a link, and only by root.
    for i in range(60):
        try:
            os.setxattr(os.path.join(root, "a", "soft"), "trusted.%020d" % i, b"", follow_symlinks=False)
        except PermissionError:
            UNREACHED.update({("llistxattr", "list_names"): "no rights to give a link attributes",
                              ("lgetxattr", "get_value"): "no rights to give a link attributes"})
            break
    # user::rwx, user:daemon:r-x, user:65533:r-x, group::r-x, mask::r-x, other::r-x
    acl = struct.pack("<I" + "HHI" * 6, 2, 1, 7, NOBODY, 2, 5, 1, 2, 5, 65533, 4, 5, NOBODY, 16, 5, NOBODY,
                      32, 5, NOBODY)
    os.setxattr(os.path.join(root, "a", "text"), "system.posix_acl_access", acl)
    os.setxattr(os.path.join(root, "a", "b"), "system.posix_acl_default", acl)
    return root


@functools.lru_cache(maxsize=None)
def deep_tree():
    """A path longer than the system takes in one piece."""
    root = os.path.join(scratch(), "deep")
    os.makedirs(root)
    before = os.getcwd()
    os.chdir(root)
    for _ in range(40):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    trees.write("./bottom", b"content" * 100)
    os.chdir(before)
    return root


@functools.lru_cache(maxsize=None)
def scratch():
    return tempfile.mkdtemp(prefix="cadv-faults-")


@pytest.fixture(scope="module", autouse=True)
def clean_up():
    yield
    if scratch.cache_info().currsize:
        # Not shutil's: its paths would be too long.
        subprocess.run(["rm", "-rf", scratch()], check=True)


@functools.lru_cache(maxsize=None)
def many_chunks():
    """More chunks and more inodes with several links than tables have room for at first."""
    root = os.path.join(scratch(), "many")
    trees.write(os.path.join(root, "noise"), os.urandom(1 << 20))
    for i in range(700):
        trees.write(os.path.join(root, "links", "%03d" % i), b"%d" % i)
        os.link(os.path.join(root, "links", "%03d" % i), os.path.join(root, "links", "%03d again" % i))
    return root


@functools.lru_cache(maxsize=None)
def wide_tree():
    """One directory of so many entries that its list is given back in pieces."""
    root = os.path.join(scratch(), "wide")
    trees.write(os.path.join(root, "first"), b"content")
    for i in range(9000):
        os.symlink("first", os.path.join(root, "%04d" % i))
    return root


@functools.lru_cache(maxsize=None)
def archive():
    """The small tree's directory and file in an archive within a compressed archive."""
    path = os.path.join(scratch(), "outer.tar.gz")
    subprocess.run(["tar", "-C", small_tree(), "-cf", os.path.join(scratch(), "inner.tar"), "a", "fifo"],
                   check=True)
    subprocess.run(["tar", "-C", scratch(), "-czf", path, "inner.tar"], check=True)
    return path


@functools.lru_cache(maxsize=None)
def plain_tar():
    """Members of all kinds, the root directory among them."""
    path = os.path.join(scratch(), "plain.tar")
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as made:
        for name, kind in (("/", tarfile.DIRTYPE), ("file", tarfile.REGTYPE), ("soft", tarfile.SYMTYPE),
                           ("hard", tarfile.LNKTYPE), ("fifo", tarfile.FIFOTYPE), ("device", tarfile.CHRTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.uname, member.gname = kind, "user", "group"
            member.linkname = "file" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            member.size = 5000 if kind == tarfile.REGTYPE else 0
            made.addfile(member, io.BytesIO(b"12345" * 1000))
    return path


@functools.lru_cache(maxsize=None)
def zip_archive():
    """It is read from its end."""
    path = os.path.join(scratch(), "file.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.write(os.path.join(small_tree(), "a", "text"), "text")
        made.writestr("other", b"other content" * 100)
    return path


@functools.lru_cache(maxsize=None)
def package():
    """A deb: an archive within another, some of which does not count."""
    folder = os.path.join(scratch(), "package")
    for part in ("control", "data"):
        trees.write(os.path.join(folder, part, "text"), part.encode() * 1000)
        subprocess.run(["tar", "-C", os.path.join(folder, part), "-czf", os.path.join(folder, part + ".tar.gz"),
                        "text"], check=True)
    trees.write(os.path.join(folder, "debian-binary"), b"2.0\n")
    path = os.path.join(scratch(), "package.deb")
    subprocess.run(["ar", "rc", path, *(os.path.join(folder, name) for name in
                                        ("debian-binary", "control.tar.gz", "data.tar.gz"))], check=True)
    return path


@functools.lru_cache(maxsize=None)
def special_tree():
    """A link to a device, which --read-special reads."""
    root = os.path.join(scratch(), "special")
    trees.write(os.path.join(root, "file"), b"content" * 100)
    os.symlink("/dev/null", os.path.join(root, "device"))
    return root


@functools.lru_cache(maxsize=None)
def soft_link():
    path = os.path.join(scratch(), "soft")
    os.symlink(small_tree(), path)
    return path


class Scenario:
    """A command line to disturb.

    paths: functions that make what is scanned. output: name of the report's file. steady: faults that
    are there in every run of it, or a function that makes them. code: how it ends undisturbed.
    is_on_terminal: stderr is one. stdin: as paths. reports: how many there may be, one after another.
    is_brief: only calls that no scenario before came by fail, in the whole run too.
    """

    def __init__(self, *args, paths=(small_tree,), output=None, steady=(), closed=(), code=0,
                 is_on_terminal=False, stdin=None, reports=1, is_brief=False):
        self.args = args
        self.paths = paths
        self.output = output
        self.steady = steady
        self.closed = closed
        self.code = code
        self.is_on_terminal = is_on_terminal
        self.stdin = stdin
        self.reports = reports
        self.is_brief = is_brief

    def run(self, more=()):
        """An Outcome in a folder of its own; a report written to a file is in its stdout."""
        folder = tempfile.mkdtemp(prefix="run-", dir=scratch())
        with open(self.stdin() if self.stdin else os.devnull, "rb") as stdin:
            return self.run_in(folder, more, stdin)

    def run_in(self, folder, more, stdin):
        try:
            args = [*self.args, *(path() for path in self.paths)]
            steady = self.steady() if callable(self.steady) else self.steady
            run = functools.partial(faults.run, os.path.join(folder, "log"), *args,
                                    faults=[*steady, *more], cwd=folder, stdin=stdin,
                                    preexec_fn=self.close if self.closed else None)
            if self.is_on_terminal:
                return self.run_on_terminal(run)
            if self.output == "pipe":
                return self.run_into_pipe(os.path.join(folder, "pipe"), run)
            outcome = run()
            if self.output is not None:
                outcome.left = sorted(set(os.listdir(folder)) - {"log"})
                if outcome.left == [self.output]:
                    with open(os.path.join(folder, self.output), "rb") as report:
                        outcome.stdout = report.read()
            return outcome
        finally:
            shutil.rmtree(folder)

    @staticmethod
    def run_into_pipe(path, run):
        os.mkfifo(path)
        with subprocess.Popen(["timeout", "60", "cat", path], stdout=subprocess.PIPE) as reader:
            try:
                outcome = run()
            finally:
                # Lets the reader go if nothing was ever written.
                os.close(os.open(path, os.O_RDWR))
            outcome.stdout = reader.communicate()[0]
        return outcome

    @staticmethod
    def run_on_terminal(run):
        ours, its = os.openpty()
        try:
            outcome = run(stderr=its)
            outcome.stderr = b""
            while select.select([ours], [], [], 0)[0]:
                outcome.stderr += os.read(ours, 4096)
            outcome.stderr = outcome.stderr.replace(b"\r\n", b"\n").rpartition(b"\r\033[K")[2]
            return outcome
        finally:
            os.close(ours)
            os.close(its)

    def close(self):
        for fd in self.closed:
            os.close(fd)


BASE_JSON = (*BASE, "--jobs", "1", "--format", "json")


def failing(name, function, error, first=1, last=None):
    """Calls of the function `name` in `function` fail, of those numbers at each place; last 0: all."""
    last = {None: first, 0: 1 << 30}.get(last, last)
    return [faults.fault(name, first, error, last, offset) for offset in faults.sites_in(name, function)]


def first_file():
    return failing("openat", "source_open", errno.EACCES)[:1]


def many_files():
    return failing("openat", "source_open", errno.EACCES, 1, 250)[:1]


def no_memory_for_contents():
    return failing("malloc", "contents_put", errno.ENOMEM, 1, 0)


def no_unnamed_files():
    return no_memory_for_contents() + failing("open", "open_unnamed", errno.EOPNOTSUPP, 1, 0)


def asked_in_each_phase():
    """A report is asked for during the scan, and by those who try contents and items."""
    return (failing("openat", "source_open", -signal.SIGUSR1)[:1] +
            failing("malloc", "run_task", -signal.SIGUSR1, 1, 2))


def interrupted_early():
    return failing("openat", "source_open", -signal.SIGINT)[:1]


def slow_trials():
    """Long enough for a look at how wide the intervals are."""
    return failing("malloc", "run_task", -3100)


def no_short_way():
    """Where it would be used in the deep tree's depth."""
    return failing("openat", "walk_place_go", errno.EACCES, 30, 50)


SCENARIOS = {
    "json": Scenario(*BASE_JSON),
    "two jobs": Scenario(*BASE, "--jobs", "2", "--format", "json"),
    "file": Scenario(*BASE_JSON, "-o", "report", output="report", is_brief=True),
    "pipe": Scenario(*BASE_JSON, "-o", "./pipe", output="pipe", is_brief=True),
    "table": Scenario(*BASE, "--jobs", "1", "-v"),
    "deep": Scenario(*BASE_JSON, paths=(deep_tree,)),
    "deep piece by piece": Scenario(*BASE_JSON, paths=(deep_tree,), steady=no_short_way),
    "many": Scenario(*BASE_JSON, "--chunker-params", "fixed,64", paths=(many_chunks,)),
    "link": Scenario(*BASE_JSON, "--exclude", "a/b/c", paths=(soft_link, small_tree), is_brief=True),
    "closed": Scenario(*BASE_JSON, closed=(0,), is_brief=True),
    "problem": Scenario(*BASE_JSON, steady=first_file, code=1),
    "problem in a table": Scenario(*BASE, "--jobs", "1", steady=first_file, code=1),
    "many problems": Scenario(*BASE, "--jobs", "1", paths=(many_chunks, small_tree), code=1, steady=many_files),
    "many paths": Scenario(*BASE, "--jobs", "1", paths=(small_tree,) * 12, is_brief=True),
    "wide": Scenario(*BASE_JSON, paths=(wide_tree,), is_brief=True),
    "contents only": Scenario(*BASE_JSON, "--exclude", "a/", "--exclude", "/none", is_brief=True),
    "all excluded": Scenario(*BASE_JSON, "--exclude", "/", code=3),
    "in a folder": Scenario(*BASE_JSON, "-o", "./report", output="report", is_brief=True),
    # Before other archives, for which the way that the file is read does not matter.
    "zip": Scenario(*BASE_JSON, "--tar", paths=(zip_archive,)),
    "archive": Scenario(*BASE_JSON, "--tar", paths=(archive,)),
    "tar": Scenario(*BASE_JSON, "--tar", paths=(plain_tar,)),
    "package": Scenario(*BASE_JSON, "--tar", paths=(package,)),
    "archive from a pipe": Scenario(*BASE_JSON, "-", paths=(), stdin=archive),
    "stream": Scenario(*BASE_JSON, "--stdin-name", "name", "-", paths=(), stdin=archive),
    "special": Scenario(*BASE_JSON, "--read-special", paths=(special_tree,)),
    "csv": Scenario(*BASE, "--jobs", "1", "--format", "csv", is_brief=True),
    "markdown": Scenario(*BASE, "--jobs", "1", "--format", "markdown", is_brief=True),
    "progress": Scenario(*BASE, "--jobs", "1", "--progress", "json", "--format", "json", is_brief=True),
    "all codecs": Scenario(*BASE_JSON, "--levels", "lzma:0,zlib:1,auto,zstd:1"),
    "exact": Scenario("--exact", *(word for word in BASE_JSON if word not in ("--sample-budget", "1k"))),
    "keyed": Scenario(*BASE_JSON, "--chunker-params", "fixed,64", "--encryption", "repokey-blake2",
                      paths=(many_chunks,)),
    "temporary file": Scenario(*BASE_JSON, steady=no_memory_for_contents),
    "named temporary file": Scenario(*BASE_JSON, steady=no_unnamed_files),
    "reports in between": Scenario(*BASE_JSON, "--encryption", "repokey", steady=asked_in_each_phase, reports=4),
    "slow trials": Scenario(*BASE_JSON, steady=slow_trials, is_brief=True),
    "limits": Scenario(*BASE, "--format", "json", "--max-memory", "1G", "--max-time", "1h", "--max-cpu", "1h",
                       is_brief=True),
    # A number that JSON has no room for, and a price that leaves a level beyond the knee.
    "salt and price": Scenario(*BASE_JSON, "--sample-salt", "18446744073709551615", "--cpu-price", "1e6",
                               "--levels", "lz4,zstd:19", is_brief=True),
    "interrupted": Scenario(*BASE, "--jobs", "1", steady=interrupted_early, code=130, is_brief=True),
    "interrupted in JSON": Scenario(*BASE_JSON, steady=interrupted_early, code=130, is_brief=True),
    "terminal": Scenario(*BASE_JSON, is_on_terminal=True, is_brief=True),
    "version": Scenario("--version", paths=()),
    "help": Scenario("--help", paths=()),
    "usage": Scenario("--levels", "zstd:99", code=2),
}


def held_by_libraries(outcome):
    """Without what the loader keeps with the stacks of threads that are gone, for the next ones."""
    return collections.Counter(site for site in outcome.held
                               if site[0] not in ("program", "descriptor") and
                               not site[0].startswith("ld-"))


def check_report(scenario, calm, outcome):
    """What is wrong with the report of a run that ended as if undisturbed or with 1, or None."""
    if "zstd:1" not in scenario.args or scenario.code > 1:
        return None if outcome.stdout == calm.stdout or scenario.code > 1 else "other words"
    if "json" not in scenario.args:
        lines = outcome.stdout.decode().splitlines()
        return None if any(line.startswith("zstd,1 ") for line in lines) else "no row in the table"
    reports = program.parse_all(outcome.stdout)
    if not 1 <= len(reports) <= scenario.reports:
        return "%d reports" % len(reports)
    report, before = reports[-1], program.parse_all(calm.stdout)[-1]
    if program.steady(report) == program.steady(before):
        return None
    problems = report["dataset"]["problems"]
    if "--read-special" in scenario.args and outcome.hits[0][0] == "fstatat":
        # As in Borg, a link is only a link when what it points to cannot be examined.
        return None
    is_counted = outcome.code == 1 and problems["count"] > before["dataset"]["problems"]["count"]
    if len(report["warnings"]) > len(before["warnings"]) and not is_counted:
        # A temporary file that takes too little makes the sample smaller, and the report says so.
        is_counted_same = report["dataset"]["unique_size"] == before["dataset"]["unique_size"]
        return None if is_counted_same and report["complete"] else "other figures"
    if outcome.code == 0:
        return "other figures"
    if problems["count"] <= before["dataset"]["problems"]["count"]:
        return "other figures, and no problem"
    are_files = all(entry["kind"] in ("unreadable", "vanished", "shrank") and
                    os.path.isfile(entry["path"]) and os.stat(entry["path"]).st_nlink == 1
                    for entry in problems["listed"])
    whole = before["dataset"]["original_size"] + before["dataset"]["problems"]["bytes"]
    # What cannot be examined has no size.
    are_files = are_files and outcome.hits[0][0] != "fstatat"
    if are_files and whole != report["dataset"]["original_size"] + problems["bytes"]:
        return "the bytes do not add up"
    return None


def judge(scenario, calm, outcome, errors):
    """What is wrong with the outcome, or None."""
    if outcome.code not in (scenario.code, 1, 3):
        return "ended with %d: %s" % (outcome.code, outcome.stderr[-300:])
    leaks = [site for site in outcome.held if site[0] in ("program", "descriptor")]
    if leaks:
        return "left over: %s" % ["%s %x" % site for site in leaks]
    more = held_by_libraries(outcome) - held_by_libraries(calm)
    # An argument that is refused ends the program within argp, which has memory of its own.
    is_within_argp = not any(name == "pthread_create" for name, _ in outcome.calls)
    if outcome.is_log_whole and more and not is_within_argp:
        return "left over in libraries: %s" % more
    is_stream = any(name in STREAMS for name, _ in outcome.hits)
    # The run is worth more than a report in between.
    is_said = scenario.reports > 1 and outcome.stderr.startswith(b"compadvise: ")
    if is_stream and outcome.code not in (2, 3) and not outcome.is_stderr_hit and not is_said:
        return "a report that was not written is called written"
    if set(errors) <= set(INVISIBLE) and outcome.code != scenario.code:
        return "ended with %d for what is no failure: %s" % (outcome.code, outcome.stderr)
    is_removed = "unlink" not in (name for name, _ in outcome.hits)
    if is_removed and getattr(outcome, "left", []) not in ([], [scenario.output]):
        return "files left: %s" % outcome.left
    if outcome.code not in (2, 3):
        return check_report(scenario, calm, outcome)
    text = outcome.stderr.decode()
    is_line = text.count("\n") == 1 and text.startswith("compadvise: ")
    if not is_line and not outcome.is_stderr_hit:
        return "no single line: %r" % text
    return None


Fault = collections.namedtuple("Fault", "name offset number error")


def planned(calls, known, scenario):
    """The faults for one run each; at each of the `known` places one, or none."""
    for (name, offset), count in sorted(calls.items()):
        errors = errors_of(name) if name not in NEVER_FAILING else ()
        numbers = sorted({*range(1, min(count, FIRST_CALLS) + 1), count})
        if (name, offset) in known:
            # A report is made the same way of everything. In one scenario the one error, in one the other.
            is_again = FULL and not scenario.is_brief and not name.startswith(BUILDERS)
            at = (offset + count) % max(1, len(errors))
            errors, numbers = (errors[at:at + 1], [count]) if is_again else ((), ())
        for number in numbers:
            for error in errors:
                yield Fault(name, offset, number, error)


def disturb(key, chosen):
    """(Outcome or None, finding or None) of one run."""
    scenario, calm = SCENARIOS[key], calm_run(key)
    texts = [faults.fault(fault.name, fault.number, fault.error, offset=fault.offset) for fault in chosen]
    what = "%s: %s" % (key, ",".join(texts))
    try:
        outcome = scenario.run(texts)
    except subprocess.TimeoutExpired:
        return None, what + ": hangs"
    if not {fault[:2] for fault in chosen} <= set(outcome.hits):
        return outcome, None if key in UNSTEADY else what + ": was not reached"
    try:
        wrong = judge(scenario, calm, outcome, [fault.error for fault in chosen])
    except (AssertionError, KeyError, ValueError, jsonschema.ValidationError) as problem:
        wrong = "no valid report: %s" % repr(problem)[:300]
    at = ["%s %x" % hit for hit in outcome.hits]
    return outcome, None if wrong is None else "%s at %s: %s" % (what, at, wrong)


@functools.lru_cache(maxsize=None)
def calm_run(key):
    outcome = SCENARIOS[key].run()
    assert outcome.code == SCENARIOS[key].code, outcome.stderr
    leaks = [site for site in outcome.held if site[0] in ("program", "descriptor")]
    assert not leaks, leaks
    return outcome


Sweep = collections.namedtuple("Sweep", "runs sites findings")


@functools.lru_cache(maxsize=None)
def sweep(key):
    """All runs of a scenario, a few at a time.

    A run that comes by places that no run before it did is tried again with these failing as well:
    the ways out after a failure have calls of their own.
    """
    scenario, known = SCENARIOS[key], set()
    for other in list(SCENARIOS)[:list(SCENARIOS).index(key)]:
        known |= sweep(other).sites
    hit, seen = set(known), known | set(calm_run(key).calls)
    findings, runs = [], 0
    plan = [(fault,) for fault in planned(calm_run(key).calls, known, scenario)]
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        while plan:
            runs += len(plan)
            results = list(pool.map(functools.partial(disturb, key), plan))
            further = []
            for chosen, (outcome, finding) in zip(plan, results):
                findings += [finding] if finding else []
                if outcome is None:
                    continue
                hit |= set(outcome.hits)
                new = {site: count for site, count in outcome.calls.items() if site not in seen}
                if len(chosen) < DEPTH:
                    further += [(*chosen, fault) for fault in planned(new, (), scenario)]
                seen |= set(outcome.calls)
            plan = further
    return Sweep(runs, hit, findings)


@pytest.mark.parametrize("key", SCENARIOS)
def test_each_call_fails_once(key):
    done = sweep(key)
    assert not done.findings, "\n".join(["", *done.findings])


def test_every_place_that_can_fail_did():
    names = frozenset((faults.interposed() & faults.imported()) - NEVER_FAILING)
    calls, jumps = faults.call_sites(names)
    hit = set().union(*(sweep(key).sites for key in SCENARIOS))
    runs = sum(sweep(key).runs for key in SCENARIOS)
    # Compilers copy calls: what was reached in one copy of a line, inlined the same way, was reached.
    lines = {(site[0], calls[site]) for site in hit if site in calls}
    missed = {site: where for site, where in calls.items() if (site[0], where) not in lines}
    missing = sorted("%s %x in %s" % (*site, where) for site, where in missed.items()
                     if not any((site[0], function) in UNREACHED for function, _ in where))
    print("%d of %d places failed in %d runs" % (len(calls) - len(missed), len(calls), runs))
    assert not missing, "\n".join(["", *missing])
    # A call at a function's end is seen as one of its caller's.
    unknown = {name for name, offset in hit if (name, offset) not in calls}
    assert unknown <= {name for name, _ in jumps}
    for name, function in UNREACHED:
        own = [site for site, where in calls.items() if site[0] == name and function in dict(where)]
        assert not own or set(own) & set(missed), (name, function)
