# SPDX-License-Identifier: BSD-2-Clause
"""A real Borg 1.2 as the oracle: makes a repository without encryption, and reads what it holds."""
import json
import os
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass

# What borg adds to the bytes a codec left, within the size it notes for a chunk: the envelope's type
# byte (mode none), and two bytes that name the codec.
CHUNK_OVERHEAD = 1 + 2


@dataclass(frozen=True)
class Archive:
    """Facts of one archive's file content, and of the repository around it."""

    original_size: int
    total_chunks: int
    total_unique_chunks: int
    unique_size: int
    data_size: int
    repository_size: int
    nfiles: int
    hardlinks: int
    nitems: int
    # (size, bytes that the codec left) of each unique chunk
    unique_chunks: tuple


def available():
    return shutil.which("borg") is not None


def _borg(base, cwd, *args, stdin=None):
    env = dict(os.environ, BORG_BASE_DIR=base, LC_ALL="C.UTF-8", TZ="UTC",
               BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK="yes",
               BORG_RELOCATED_REPO_ACCESS_IS_OK="yes")
    return subprocess.run(["borg", *args], cwd=cwd, env=env, check=True,
                          stdin=stdin, stdout=subprocess.PIPE).stdout


def _tree_bytes(folder):
    return sum(os.lstat(os.path.join(top, name)).st_size
               for top, _, names in os.walk(folder) for name in names)


def _facts(items, repository_size):
    """Content chunks only: those in the items' lists, which the item stream's own are not."""
    unique = {}
    original = total = files = links = 0
    for item in items:
        if stat.S_ISREG(item["mode"]):
            links += "source" in item
            files += "source" not in item
        for chunk_id, size, csize in item.get("chunks", []):
            unique[chunk_id] = (size, csize)
            original += size
            total += 1
    return Archive(original_size=original, total_chunks=total, total_unique_chunks=len(unique),
                   unique_size=sum(size for size, _ in unique.values()),
                   data_size=sum(csize - CHUNK_OVERHEAD for _, csize in unique.values()),
                   repository_size=repository_size, nfiles=files, hardlinks=links,
                   nitems=len(items),
                   unique_chunks=tuple((size, csize - CHUNK_OVERHEAD)
                                       for size, csize in unique.values()))


def import_tar(cwd, archive, compression, *options, stream=None):
    """As create(), by `borg import-tar` from the file `archive`, or from `stream` when it is "-"."""
    with tempfile.TemporaryDirectory(prefix="borg-oracle-") as base:
        repo = os.path.join(base, "repo")
        _borg(base, cwd, "init", "-e", "none", repo)
        _borg(base, cwd, "import-tar", "-C", compression, *options, repo + "::a", archive,
              stdin=stream)
        size = _tree_bytes(repo)
        dump = json.loads(_borg(base, cwd, "debug", "dump-archive", repo + "::a", "-"))
        return _facts(dump["_items"], size)


def create(cwd, path, compression, *options, stream=None):
    """`borg init`, then `borg create -C compression REPO::a path` in folder `cwd`: its facts.

    `path` may be a list of several.

    Everything Borg wrote is gone afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="borg-oracle-") as base:
        repo = os.path.join(base, "repo")
        _borg(base, cwd, "init", "-e", "none", repo)
        paths = [path] if isinstance(path, str) else path
        _borg(base, cwd, "create", "-C", compression, *options, repo + "::a", *paths,
              stdin=stream)
        size = _tree_bytes(repo)
        dump = json.loads(_borg(base, cwd, "debug", "dump-archive", repo + "::a", "-"))
        return _facts(dump["_items"], size)
