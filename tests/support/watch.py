# SPDX-License-Identifier: BSD-2-Clause
"""A run in the background, and when it is where: through /proc, so that no test has to sleep and hope."""
import contextlib
import json
import os
import signal
import subprocess
import time

import program

PATIENCE = 60
# What until_trials() reads.
WATCHED = ("--progress", "json")


@contextlib.contextmanager
def running(*args, **keywords):
    """The program with JSON on a pipe, as a Popen; killed if the test leaves it behind."""
    keywords.setdefault("stdout", subprocess.PIPE)
    child = subprocess.Popen([program.PROGRAM, "--format", "json", *args], stdin=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, **keywords)
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def until(condition, child, what):
    """Waits until the condition holds, and returns what it gave."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        assert child.poll() is None, "it ended before " + what
        time.sleep(0.001)
    raise AssertionError("it never came to " + what)


def _open_one(child, wanted):
    folder = "/proc/%d/fd" % child.pid
    for fd in os.listdir(folder):
        with contextlib.suppress(OSError):
            path = os.readlink(os.path.join(folder, fd))
            if path in wanted:
                return path
    return None


def until_one_is_open(child, paths):
    """Waits until the child has one of the files open, and returns its path."""
    wanted = {os.path.realpath(path) for path in paths}
    return until(lambda: _open_one(child, wanted), child, "opening " + ", ".join(sorted(wanted)))


@contextlib.contextmanager
def held_with_one_open(child, paths):
    """The child stands still while it has one of the files open, whose path this is; then it goes on."""
    wanted = {os.path.realpath(path) for path in paths}
    path = None
    while path is None:
        until_one_is_open(child, paths)
        child.send_signal(signal.SIGSTOP)
        until(lambda: _state(child) == "T", child, "standing still")
        path = _open_one(child, wanted)
        if path is None:
            child.send_signal(signal.SIGCONT)
    try:
        yield path
    finally:
        child.send_signal(signal.SIGCONT)


def _stat(child):
    """From the state on: names may hold spaces."""
    with open("/proc/%d/stat" % child.pid, encoding="ascii", errors="replace") as text:
        return text.read().rpartition(")")[2].split()


def _state(child):
    return _stat(child)[0]


def cpu_used(child):
    """Seconds of CPU that the child has used so far, all threads together."""
    fields = _stat(child)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def until_cpu_used(child, seconds):
    """Waits until the child has used that much CPU."""
    until(lambda: cpu_used(child) >= seconds, child, "using %s s of CPU" % seconds)


def until_trials(child):
    """Waits until the first trials are done; the run must be one with WATCHED among its options."""
    for line in child.stderr:
        if json.loads(line)["trial_done"] > 0:
            return
    raise AssertionError("it ended before its trials")


def when_caught(child, number):
    """Waits until the child has a handler for the signal; also returns when it has ended."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and child.poll() is None:
        with contextlib.suppress(OSError), \
                open("/proc/%d/status" % child.pid, encoding="ascii", errors="replace") as text:
            for line in text:
                if line.startswith("SigCgt:") and int(line.split()[1], 16) >> (number - 1) & 1:
                    return
        time.sleep(0.001)
    assert child.poll() is not None, "it never caught signal %d" % number
