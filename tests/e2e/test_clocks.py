# SPDX-License-Identifier: BSD-2-Clause
"""No clock touches a size: CPU times that are off by up to 128 times change times and advice only."""
import itertools
import os

import program
import pytest
import trees

LIBRARY = os.path.join(os.environ.get("CADV_BUILD", "."), "tests", "support", "clocks.so")


def report(seed, *options):
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, CADV_CLOCK_SEED=str(seed))
    return program.report_of("--levels", "auto,zstd:1-9,lz4", *options, env=environment)


@pytest.mark.parametrize("options", [
    ("--exact",),
    ("--sample-budget", "500k", "--chunker-params", "buzhash,12,18,15,4095"),
], ids=" ".join)
def test_a_wild_clock_changes_times_and_advice_only(tmp_path, options):
    trees.mixed(str(tmp_path), 3, 0.05)
    texts = set()
    advised = set()
    for seed in itertools.count():
        one = report(seed, *options, str(tmp_path))
        texts.add(program.steady(one))
        advised.add(one["advice"]["archive"]["level"])
        assert len(texts) == 1
        if seed >= 3 and len(advised) > 1:
            break
        assert seed < 30, "the clock is not wild enough to change the advice"
