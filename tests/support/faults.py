# SPDX-License-Identifier: BSD-2-Clause
"""Runs the program with faults.so before it: chosen calls fail, and the log tells what was called.

A site is (function, offset): the place in the program that a call returns to.
"""
import collections
import functools
import os
import re
import subprocess

import program

SANITIZER_CODE = 99
LIBRARY = os.path.join(os.environ.get("CADV_BUILD", "."), "tests", "support", "faults.so")
TIMEOUT = 60
SETTINGS = {
    # Large pages spare most of the time of what the machine is measured by.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    # A build with sanitizers: the library comes first, and no end of the program's own has this code.
    "ASAN_OPTIONS": "verify_asan_link_order=0:exitcode=%d" % SANITIZER_CODE,
    "UBSAN_OPTIONS": "print_stacktrace=1:exitcode=%d" % SANITIZER_CODE,
}


class Outcome:
    """One run: its exit code, its streams, and what the log says."""

    def __init__(self, done, log):
        self.code = done.returncode
        self.stdout = done.stdout
        self.stderr = done.stderr
        # How often each site was called.
        self.calls = collections.Counter()
        self.hits = []
        self.held = []
        self.is_log_whole = False
        self.is_stderr_hit = False
        for line in log.splitlines():
            words = line.split()
            if words[0] == "end":
                self.is_log_whole = True
            elif words[0] == "stderr":
                self.is_stderr_hit = True
            elif words[0] == "call":
                self.calls[(words[1], int(words[2], 16))] += int(words[3])
            elif words[0] == "hit":
                self.hits.append((words[1], int(words[2], 16)))
            else:
                self.held.append((words[1], int(words[2], 16)))


def fault(name, first, error, last=None, offset=None):
    """The text of one fault; `last` None: only this call. `offset`: calls from there only."""
    text = "%s:%d:%d:%d" % (name, first, last if last is not None else first, error)
    return text if offset is None else "%s:%x" % (text, offset)


def run(log, *args, faults=(), **keywords):
    """An Outcome. `log` is a path of the caller's own; a hang raises."""
    environment = dict(keywords.pop("env", os.environ), LD_PRELOAD=LIBRARY, CADV_FAULT_LOG=log,
                       CADV_FAULTS=",".join(faults), **SETTINGS)
    if os.path.exists(log):
        os.unlink(log)
    done = program.run(*args, env=environment, timeout=TIMEOUT, **keywords)
    with open(log, encoding="ascii") as text:
        return Outcome(done, text.read())


def interposed():
    """Names of the functions that faults.so stands before."""
    table = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[2] for line in table.splitlines() if line.split()[1] in "TW"}


def imported():
    """Names of the functions that the program takes from libraries."""
    table = subprocess.run(["nm", "-D", "--undefined-only", program.PROGRAM], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in table.splitlines()}


CALL = re.compile(r"^ *[0-9a-f]+:\t(call|jmp) +[0-9a-f]+ <(\w+)@plt>")
ADDRESS = re.compile(r"^ *([0-9a-f]+):\t")
HEADER = re.compile(r"^[0-9a-f]+ <(.+)>:$")


def _places(offsets):
    """{offset: (function, line) that it lies in, the innermost first}: inlined functions count."""
    if not offsets:
        return {}
    # The call is before what it returns to.
    words = ["0x%x" % (offset - 1) for offset in offsets]
    listing = subprocess.run(["addr2line", "-a", "-f", "-i", "-e", program.PROGRAM, *words], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    places = {}
    for line in listing.splitlines():
        if line.startswith("0x"):
            found = places.setdefault(int(line, 16) + 1, [])
            function = None
        elif function is None:
            function = line
        else:
            found.append((function, line.rpartition(":")[2].partition(" ")[0]))
            function = None
    return places


@functools.lru_cache(maxsize=None)
def call_sites(names):
    """{site: (function, line) it lies in, as inlined} for calls of `names`, a frozenset, and the same for jumps,
    which end a function with a call: what they return to is the caller's caller, so the log cannot tell
    them apart."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program.PROGRAM], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    calls, jumps = [], []
    where, pending = "", None
    for line in listing.splitlines():
        header = HEADER.match(line)
        if header:
            where = header.group(1)
            continue
        address = ADDRESS.match(line)
        if address and pending:
            calls.append((pending, int(address.group(1), 16)))
            pending = None
        found = CALL.match(line)
        if found and found.group(2) in names and not where.endswith("@plt"):
            if found.group(1) == "call":
                pending = found.group(2)
            else:
                jumps.append((found.group(2), int(address.group(1), 16)))
    places = _places([offset for _, offset in calls + jumps])
    return tuple({site: tuple(places[site[1]]) for site in sites} for sites in (calls, jumps))


def sites_in(name, function):
    """Offsets of the calls of `name` within `function`, in order."""
    calls, _ = call_sites(frozenset({name}))
    found = sorted(offset for (_, offset), where in calls.items() if function in dict(where))
    assert found, (name, function)
    return found
