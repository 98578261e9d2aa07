# SPDX-License-Identifier: BSD-2-Clause
"""Runs the program under test ($COMPADVISE) and reads its JSON."""
import functools
import json
import os
import subprocess

import jsonschema

PROGRAM = os.environ.get("COMPADVISE", "compadvise")
SOURCE = os.environ.get(
    "CADV_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
# No test's single run may take longer, sanitizers included; but lzma of a gigabyte takes an hour.
TIMEOUT = 7200 if os.environ.get("CADV_ORACLE_ALL") else 300
# What may differ between two runs on the same data, beside each level's own timing.
VARYING = ("timing", "advice", "options")


def run(*args, program=PROGRAM, **keywords):
    """One run to its end: a CompletedProcess with bytes of both streams; never raises on failure."""
    keywords.setdefault("stdout", subprocess.PIPE)
    keywords.setdefault("stderr", subprocess.PIPE)
    keywords.setdefault("stdin", subprocess.DEVNULL)
    keywords.setdefault("timeout", TIMEOUT)
    return subprocess.run([program, *args], check=False, **keywords)


@functools.lru_cache(maxsize=None)
def schema():
    with open(os.path.join(SOURCE, "docs", "report.schema.json"), encoding="utf-8") as text:
        return json.load(text)


@functools.lru_cache(maxsize=None)
def validator():
    """Made once: to look over the schema itself takes longer than to hold a report against it."""
    checker = jsonschema.validators.validator_for(schema())
    checker.check_schema(schema())
    return checker(schema())


def _refuse_repeats(pairs):
    found = dict(pairs)
    assert len(found) == len(pairs), "a key is there twice"
    return found


def parse(text):
    """A report as a dict, in the order it was written, after checks that every report must pass."""
    report = json.loads(text.decode("utf-8"), object_pairs_hook=_refuse_repeats)
    validator().validate(report)
    for row in report["levels"]:
        for size in (row["data_size"], row["repository_size"]):
            # Nothing was trialled before the end of a run that was stopped early.
            if size is None:
                assert report["stop"] is not None and row["timing"] is None, row["name"]
            else:
                assert 0 <= size["lo"] <= size["est"] <= size["hi"], row["name"]
    return report


def parse_all(text):
    """Reports that follow each other, each as parse() gives it."""
    reports = []
    rest = text.decode("utf-8")
    while rest.strip():
        _, end = json.JSONDecoder().raw_decode(rest)
        reports.append(parse(rest[:end].encode("utf-8")))
        rest = rest[end:].lstrip()
    return reports


def report_of(*args, code=0, **keywords):
    """The report of a run that must end with `code`."""
    done = run("--format", "json", *args, **keywords)
    assert done.returncode == code, (done.returncode, done.stderr.decode(errors="replace"))
    return parse(done.stdout)


def level(report, name):
    rows = [row for row in report["levels"] if row["name"] == name]
    assert len(rows) == 1, (name, [row["name"] for row in report["levels"]])
    return rows[0]


def steady(report):
    """What must not depend on the number of jobs, as text: order and spelling count as well."""
    kept = {key: value for key, value in report.items() if key not in VARYING}
    kept["levels"] = [{key: value for key, value in row.items() if key != "timing"}
                      for row in report["levels"]]
    return json.dumps(kept, indent=1)


def error_line(done):
    """The one line that a failed run says on stderr; stdout stays empty."""
    text = done.stderr.decode("utf-8", errors="strict")
    assert done.stdout in (b"", None), done.stdout
    assert text.endswith("\n") and text.count("\n") == 1, repr(text)
    assert text.startswith("compadvise: "), repr(text)
    return text
