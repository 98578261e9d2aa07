# SPDX-License-Identifier: BSD-2-Clause
"""The number of jobs changes timings and nothing else."""
import os

import program
import pytest
import trees

LEVELS = ("--levels", "zstd:-3,zstd:1,zstd:5,zstd:12")
JOBS = ("1", "2", "8")
# A sample of two dozen small chunks, so most of them are left out and each trial is short.
FEW = ("--sample-budget", "500k", "--chunker-params", "fixed,65536")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    trees.mixed(str(folder), 3, 0.06)
    return str(folder)


@pytest.mark.parametrize("options", [
    ("--sample-budget", "500k"),
    ("--sample-budget", "2M", "--sample-salt", "9", "--chunker-params", "buzhash,12,18,15,4095"),
    FEW,
    ("--exact",),
], ids=" ".join)
def test_reports_are_identical_for_1_2_and_8_jobs(mixed, options):
    reports = [program.report_of("--jobs", jobs, *options, *LEVELS, mixed) for jobs in JOBS]
    assert [report["timing"]["jobs"] for report in reports] == [int(jobs) for jobs in JOBS]
    assert reports[0]["sample"]["exact"] is ("--exact" in options)
    assert program.steady(reports[1]) == program.steady(reports[0])
    assert program.steady(reports[2]) == program.steady(reports[0])


def test_reports_are_identical_from_run_to_run(mixed):
    options = ("--jobs", "8", *FEW, *LEVELS, mixed)
    first = program.steady(program.report_of(*options))
    assert all(program.steady(program.report_of(*options)) == first for _ in range(3))


def test_another_salt_changes_the_sample_and_not_the_counts(mixed):
    one, two = (program.report_of(*FEW, "--sample-salt", salt, *LEVELS, mixed)
                for salt in ("1", "2"))
    for report in (one, two):
        report["dataset"].pop("incompressible_bytes")
    assert one["dataset"] == two["dataset"]
    assert one["sample"]["salt"] == 1 and two["sample"]["salt"] == 2
    assert (program.level(one, "zstd,12")["data_size"] != program.level(two, "zstd,12")["data_size"])


def test_problems_are_identical_for_1_2_and_8_jobs(commons, unprivileged):
    """Unreadable files among readable ones, by a user to whom they are unreadable."""

    for i in range(200):
        path = os.path.join(commons, "tree", "d%d" % (i % 9), "f%03d" % i)
        trees.write(path, b"%d" % i * 100)
        os.chmod(path, 0 if i % 3 == 0 else 0o644)
    texts = {program.steady(program.report_of("--jobs", jobs, *LEVELS, os.path.join(commons, "tree"),
                                              code=1, cwd="/", **unprivileged)) for jobs in JOBS}
    assert len(texts) == 1
