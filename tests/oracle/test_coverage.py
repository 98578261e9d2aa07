# SPDX-License-Identifier: BSD-2-Clause
"""Over 200 salts, the 95 % intervals of a hard-sampled run cover the exact answer often enough.

A true 95 % interval covers 190 times on average, and 185 times or more in 96 of 100 such experiments
(binomial); the salts are fixed, so this one experiment gives the same answer each time.
"""
import os
import statistics
from concurrent.futures import ThreadPoolExecutor

import program
import pytest
import trees

# Everything that decides how long this takes: 200 runs, each a scan and a budget of trials. Chunks
# are less than a hundredth of Borg's usual ones, so that 50 MB are as many as a large dataset's and
# the smallest sample allowed is still a small part of them.
SALTS = 200
SCALE = 0.25
SEED = 7
BUDGET = "1M"
CHUNKER = "buzhash,12,18,14,4095"
LEVELS = {"lz4": "lz4", "zstd,3": "zstd:3", "zstd,9": "zstd:9"}
COVERED_MIN = 185

COMMON = ("--chunker-params", CHUNKER, "--levels", ",".join(LEVELS.values()))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    trees.mixed(str(folder), SEED, SCALE)
    return str(folder)


@pytest.fixture(scope="module")
def exact(tree):
    report = program.report_of("--exact", *COMMON, tree)
    assert report["sample"]["exact"]
    assert report["dataset"]["unique_size"] > 35_000_000
    return {name: program.level(report, name)["data_size"]["est"] for name in LEVELS}


@pytest.fixture(scope="module")
def sampled(tree):
    def one(salt):
        return program.report_of("--jobs", "1", "--sample-budget", BUDGET, "--sample-salt", str(salt),
                                 *COMMON, tree)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(one, range(1, SALTS + 1)))


@pytest.mark.parametrize("name", LEVELS)
def test_sampling_is_hard(sampled, name):
    for report in sampled:
        assert not report["sample"]["exact"]
        row = program.level(report, name)
        assert row["trial_chunks"] < report["dataset"]["total_unique_chunks"] / 5
        assert row["trial_bytes"] < report["dataset"]["unique_size"] / 2


def test_another_salt_is_another_sample(sampled):
    assert len({program.level(report, "zstd,9")["data_size"]["est"] for report in sampled}) > SALTS / 2


@pytest.mark.parametrize("name", LEVELS)
def test_intervals_cover_the_exact_size(sampled, exact, name, capsys):
    sizes = [program.level(report, name)["data_size"] for report in sampled]
    covered = sum(size["lo"] <= exact[name] <= size["hi"] for size in sizes)
    half = statistics.median((size["hi"] - size["lo"]) / 2 / exact[name] for size in sizes)
    bias = statistics.fmean(size["est"] / exact[name] - 1 for size in sizes)
    with capsys.disabled():
        print("%s: %d of %d covered, median half width %.2f %%, mean error %+.2f %%"
              % (name, covered, SALTS, 100 * half, 100 * bias))
    assert covered >= COVERED_MIN


@pytest.mark.parametrize("name", LEVELS)
def test_estimates_are_not_biased(sampled, exact, name):
    """The mean over the salts lies within four standard errors of the truth."""
    estimates = [program.level(report, name)["data_size"]["est"] for report in sampled]
    error = statistics.stdev(estimates) / len(estimates) ** 0.5
    assert abs(statistics.fmean(estimates) - exact[name]) <= 4 * error
