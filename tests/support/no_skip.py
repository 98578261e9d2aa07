# SPDX-License-Identifier: BSD-2-Clause
"""pytest plugin: a skipped test is a failed one, unless CADV_ALLOW_SKIP is set.

An oracle that is not installed must not look like an oracle that agreed.
"""

import os

import pytest


def _fail_when_skipped(report):
    if report.skipped and not hasattr(report, "wasxfail") and not os.getenv("CADV_ALLOW_SKIP"):
        report.outcome = "failed"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport():
    outcome = yield
    _fail_when_skipped(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report():
    outcome = yield
    _fail_when_skipped(outcome.get_result())
