# SPDX-License-Identifier: BSD-2-Clause
"""What the command line's tests share: a tree to scan, and a folder that every user can enter."""
import os
import shutil

import places
import pytest
import trees


@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    """A few megabytes of several kinds; nobody may change it."""
    folder = tmp_path_factory.mktemp("tree")
    trees.tiny_mixed(str(folder))
    return str(folder)


@pytest.fixture
def commons():
    """A folder that every user can enter, gone afterwards."""
    folder = places.open_folder()
    yield folder
    for top, _, _ in os.walk(folder):
        os.chmod(top, 0o700)
    shutil.rmtree(folder)


@pytest.fixture
def unprivileged(commons):
    """Keywords for program.run(): a copy of the program, run by a user who is not root."""
    return {"program": places.open_program(commons), **places.as_nobody()}
