# SPDX-License-Identifier: BSD-2-Clause
"""Every call of the system or of the C library that can fail does, one after another.

Each run has one call fail. It must end, without a signal and with nothing left allocated or open,
in one of three ways: 0 and the very figures of an undisturbed run; 1 and a report that counts a
problem; 3 and one line that says why.

Without CADV_FAULTS_FULL in the environment each place in the program fails at its first and last call
only, and only in the first of the scenarios that come by it; two failures are the most in a run.
"""
import collections
import concurrent.futures
import errno
import functools
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile

import faults
import jsonschema
import program
import pytest
import trees

FULL = "CADV_FAULTS_FULL" in os.environ
WORKERS = len(os.sched_getaffinity(0))
BASE = ("--levels", "zstd:1", "--sample-budget", "1k", "--exclude", "*.no",
        "--chunker-params", "buzhash,10,16,14,4095")
PARTIAL = 0
# Stands for no user in an access control list.
NOBODY = 0xffffffff

# What a call fails with. PARTIAL and EINTR must not be seen at all.
MEMORY = ("malloc", "calloc", "realloc", "strdup", "strndup", "asprintf")
STREAMS = ("fflush", "fputc", "fputs", "fwrite", "fprintf", "fclose", "putc")
ERRORS = collections.defaultdict(lambda: (errno.EIO,), {
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
})
INVISIBLE = (errno.EINTR, PARTIAL)
# Failures in one run: the first, one on the way out, one on the way out of that.
DEPTH = 3 if FULL else 2

# Scenarios in which a call may come less often another time: two workers, a signal that is seen late,
# times of more or fewer digits.
UNSTEADY = ("two jobs", "interrupted", "terminal", "table", "problem in a table", "many problems")

# Calls that no scenario comes by: (function, where it is called) and why.
UNREACHED = {
    ("fprintf", "error_assert_failed"): "only a bug comes by",
}


@functools.lru_cache(maxsize=None)
def small_tree():
    """Some of everything, and a file of many chunks; kept until the process ends."""
    root = os.path.join(scratch(), "tree")
    trees.write(os.path.join(root, "a", "text"), b"".join(b"%d\n" % (i * i) for i in range(30000)))
    trees.write(os.path.join(root, "a", "b", "noise"), os.urandom(20000))
    trees.write(os.path.join(root, "empty"), b"")
    trees.write(os.path.join(root, "left.no"), b"out")
    os.link(os.path.join(root, "a", "text"), os.path.join(root, "a", "b", "hard"))
    os.symlink("text", os.path.join(root, "a", "soft"))
    os.mkfifo(os.path.join(root, "fifo"))
    trees.make_socket(os.path.join(root, "socket"))
    for name in ("a", "a/text", "a/b", "empty"):
        os.setxattr(os.path.join(root, name), "user.some", b"value")
    # More names than the first look at them has room for.
    for i in range(60):
        os.setxattr(os.path.join(root, "a", "text"), "user.%020d" % i, b"")
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
    are there in every run of it. code: how it ends undisturbed. is_on_terminal: stderr is one. stdin: as paths.
    """

    def __init__(self, *args, paths=(small_tree,), output=None, steady=(), closed=(), code=0,
                 is_on_terminal=False, stdin=None):
        self.args = args
        self.paths = paths
        self.output = output
        self.steady = steady
        self.closed = closed
        self.code = code
        self.is_on_terminal = is_on_terminal
        self.stdin = stdin

    def run(self, more=()):
        """An Outcome in a folder of its own; a report written to a file is in its stdout."""
        folder = tempfile.mkdtemp(prefix="run-", dir=scratch())
        with open(self.stdin() if self.stdin else os.devnull, "rb") as stdin:
            return self.run_in(folder, more, stdin)

    def run_in(self, folder, more, stdin):
        try:
            args = [*self.args, *(path() for path in self.paths)]
            run = functools.partial(faults.run, os.path.join(folder, "log"), *args,
                                    faults=[*self.steady, *more], preexec_fn=self.close, cwd=folder,
                                    stdin=stdin)
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


def opening_a_file(first, last=None):
    """openat() of a file to be read fails, of those numbers."""
    calls, _ = faults.call_sites({"openat"})
    offset = min(offset for (_, offset), where in calls.items() if where == "source_open")
    return (faults.fault("openat", first, errno.EACCES, last, offset),)


UNREADABLE = opening_a_file(1)
SCENARIOS = {
    "json": Scenario(*BASE_JSON),
    "two jobs": Scenario(*BASE, "--jobs", "2", "--format", "json"),
    "file": Scenario(*BASE_JSON, "-o", "report", output="report"),
    "pipe": Scenario(*BASE_JSON, "-o", "./pipe", output="pipe"),
    "table": Scenario(*BASE, "--jobs", "1", "-v"),
    "deep": Scenario(*BASE_JSON, paths=(deep_tree,)),
    "many": Scenario(*BASE_JSON, "--chunker-params", "fixed,64", paths=(many_chunks,)),
    "link": Scenario(*BASE_JSON, "--exclude", "a/b/c", paths=(soft_link, small_tree)),
    "closed": Scenario(*BASE_JSON, closed=(0,)),
    "problem": Scenario(*BASE_JSON, steady=UNREADABLE, code=1),
    "problem in a table": Scenario(*BASE, "--jobs", "1", steady=UNREADABLE, code=1),
    "many problems": Scenario(*BASE, "--jobs", "1", paths=(many_chunks, small_tree), code=1,
                              steady=opening_a_file(1, 600)),
    "many paths": Scenario(*BASE, "--jobs", "1", paths=(small_tree,) * 12),
    "wide": Scenario(*BASE_JSON, paths=(wide_tree,)),
    "contents only": Scenario(*BASE_JSON, "--exclude", "a/", "--exclude", "/none"),
    "all excluded": Scenario(*BASE_JSON, "--exclude", "/", code=3),
    "in a folder": Scenario(*BASE_JSON, "-o", "./report", output="report"),
    "archive": Scenario(*BASE_JSON, "--tar", paths=(archive,)),
    "stream": Scenario(*BASE_JSON, "--stdin-name", "name", "-", paths=(), stdin=archive),
    "special": Scenario(*BASE_JSON, "--read-special", paths=(special_tree,)),
    "csv": Scenario(*BASE, "--jobs", "1", "--format", "csv"),
    "markdown": Scenario(*BASE, "--jobs", "1", "--format", "markdown"),
    "progress": Scenario(*BASE, "--jobs", "1", "--progress", "json", "--format", "json"),
    "all codecs": Scenario(*BASE_JSON, "--levels", "lzma:0,zlib:1,auto,zstd:1"),
    "interrupted": Scenario(*BASE, "--jobs", "1", steady=[faults.fault("calloc", 40, -signal.SIGINT)],
                            code=130),
    "terminal": Scenario(*BASE_JSON, is_on_terminal=True),
    "version": Scenario("--version", paths=()),
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
    report, before = program.parse(outcome.stdout), program.parse(calm.stdout)
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
    if is_stream and outcome.code != 3 and not outcome.is_stderr_hit:
        return "a report that was not written is called written"
    if set(errors) <= set(INVISIBLE) and outcome.code != scenario.code:
        return "ended with %d for what is no failure: %s" % (outcome.code, outcome.stderr)
    is_removed = "unlink" not in (name for name, _ in outcome.hits)
    if is_removed and getattr(outcome, "left", []) not in ([], [scenario.output]):
        return "files left: %s" % outcome.left
    if outcome.code != 3:
        return check_report(scenario, calm, outcome)
    text = outcome.stderr.decode()
    is_line = text.count("\n") == 1 and text.startswith("compadvise: ")
    if not is_line and not outcome.is_stderr_hit:
        return "no single line: %r" % text
    return None


Fault = collections.namedtuple("Fault", "name number error")


def planned(calls, known):
    """The faults for one run each; none at the `known` sites."""
    numbers = collections.defaultdict(list)
    count = collections.Counter()
    for name, offset in calls:
        count[name] += 1
        numbers[(name, offset)].append(count[name])
    for (name, offset), own in sorted(numbers.items()):
        if (name, offset) in known or name == "free":
            continue
        for n in own if FULL else sorted({own[0], own[-1]}):
            for error in ERRORS[name]:
                yield Fault(name, n, error)


def disturb(key, chosen):
    """(Outcome or None, finding or None) of one run."""
    scenario, calm = SCENARIOS[key], calm_run(key)
    texts = [faults.fault(*fault) for fault in chosen]
    what = "%s: %s" % (key, ",".join(texts))
    try:
        outcome = scenario.run(texts)
    except subprocess.TimeoutExpired:
        return None, what + ": hangs"
    if not outcome.hits:
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
    known = set()
    if not FULL:
        for other in list(SCENARIOS)[:list(SCENARIOS).index(key)]:
            known |= sweep(other).sites
    hit, seen = set(known), known | set(calm_run(key).calls)
    findings, runs = [], 0
    plan = [(fault,) for fault in planned(calm_run(key).calls, known)]
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
                if len(chosen) < DEPTH:
                    further += [(*chosen, fault) for fault in planned(outcome.calls, seen)]
                seen |= set(outcome.calls)
            plan = further
    return Sweep(runs, hit, findings)


@pytest.mark.parametrize("key", SCENARIOS)
def test_each_call_fails_once(key):
    done = sweep(key)
    assert not done.findings, "\n".join(["", *done.findings])


def test_every_place_that_can_fail_did():
    # What is only made shorter never fails.
    names = (faults.interposed() & faults.imported()) - {"free", "EVP_Digest", "HMAC"}
    calls, jumps = faults.call_sites(names)
    hit = set().union(*(sweep(key).sites for key in SCENARIOS))
    missing = sorted("%s %x in %s" % (*site, where) for site, where in calls.items()
                     if site not in hit and (site[0], where) not in UNREACHED)
    # The default run leaves scenarios out, and so some places; the whole run may not.
    print("not reached:", *missing, sep="\n")
    assert len(missing) <= (0 if FULL else len(calls) // 8), "\n".join(["", *missing])
    # A call at a function's end is seen as one of its caller's.
    unknown = {name for name, offset in hit if (name, offset) not in calls}
    assert unknown <= {name for name, _ in jumps}
    needless = [place for place in UNREACHED if place not in {(site[0], where)
                                                             for site, where in calls.items()}]
    assert not needless
