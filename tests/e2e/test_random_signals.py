# SPDX-License-Identifier: BSD-2-Clause
"""Two hundred runs, each with signals at random moments: always valid reports and an honest exit code."""
import random
import signal
import time

import program
import pytest
import trees
import watch

RUNS = 200
# Within it a run has ended, whatever it was sent.
PROMPT = 120
ENOUGH = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(scope="module")
def modest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("modest")
    trees.tiny_mixed(str(folder))
    return str(folder)


def bombard(child, chance):
    """Up to four signals from the moment on when they are caught; those that mean "enough"."""
    sent = set()
    watch.when_caught(child, signal.SIGUSR1)
    for _ in range(chance.randint(1, 4)):
        time.sleep(chance.random() ** 3 * 0.6)
        number = chance.choice((*ENOUGH, signal.SIGUSR1, signal.SIGUSR1))
        child.send_signal(number)
        if number in ENOUGH:
            sent.add(int(number))
    return sent


@pytest.mark.parametrize("seed", range(RUNS))
def test_every_run_ends_with_a_report(modest, seed):
    chance = random.Random(seed)
    jobs = chance.choice(("1", "2", "5"))
    exact = chance.choice(((), ("--exact",)))
    with watch.running("--jobs", jobs, "--levels", "zstd:1-5", *exact, modest) as child:
        sent = bombard(child, chance)
        out, err = child.communicate(timeout=PROMPT)
    assert err == b"", (child.returncode, err)
    *between, last = program.parse_all(out)
    assert all(report["stop"]["reason"] == "interim" for report in between)
    if last["stop"] is None:
        assert last["complete"] is True
    else:
        assert last["stop"]["reason"] == "signal" and last["stop"]["signal"] in sent
    if last["complete"]:
        problems = last["dataset"]["problems"]["count"]
        assert child.returncode == (1 if problems else 0)
    else:
        assert child.returncode == 128 + last["stop"]["signal"]
