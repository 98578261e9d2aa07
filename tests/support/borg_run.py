# SPDX-License-Identifier: BSD-2-Clause
"""Running a real Borg 1.x, and looking into the repository it made.

A `Borg` keeps everything (caches, keys, repositories) below one folder and inherits nothing of the
user's settings. Keys have a passphrase that is in the environment.
"""

import json
import os
import shutil
import struct
import subprocess

# Segment files: eight bytes, then entries; their heads are checksum, size with head, tag.
MAGIC_BYTES = 8
ENTRY_HEAD = struct.Struct("<IIB")
TAG_PUT, TAG_DELETE, TAG_COMMIT = 0, 1, 2
ID_BYTES = 32
PUT_HEAD_BYTES = ENTRY_HEAD.size + ID_BYTES


def is_available():
    return shutil.which("borg") is not None


class Borg:
    """A repository at `folder`/`name` with its private Borg settings."""

    def __init__(self, folder, name="repo"):
        self.folder = str(folder)
        self.name = name
        self.repo = os.path.join(self.folder, name)
        self.base = os.path.join(self.folder, "base")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("BORG_")}
        self.env.update(
            BORG_BASE_DIR=self.base,
            BORG_PASSPHRASE="not a secret",
            BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK="yes",
            BORG_RELOCATED_REPO_ACCESS_IS_OK="yes",
            PYTHONDONTWRITEBYTECODE="1",
        )

    def run(self, *args, cwd=None, may_warn=False):
        """Runs borg with `args`; its output as bytes. Warnings (status 1) fail unless allowed."""
        done = subprocess.run(["borg", *args], env=self.env, cwd=cwd, capture_output=True)
        if done.returncode not in ((0, 1) if may_warn else (0,)):
            raise AssertionError(
                f"borg {' '.join(args)}: status {done.returncode}\n"
                + done.stderr.decode(errors="replace")
            )
        return done.stdout

    def init(self, encryption="none"):
        self.run("init", "-e", encryption, self.repo)

    def create(self, *paths, compression="none", options=(), archive="a", cwd=None, may_warn=False):
        self.run(
            "create", "--compression", compression, *options, f"{self.repo}::{archive}", *paths,
            cwd=cwd, may_warn=may_warn,
        )

    def create_as_printed(self, path, level, may_warn=False):
        """The command that our reports print, word for word, in the folder of the repository."""
        self.run("create", "--compression", level, f"{self.name}::a", path, cwd=self.folder,
                 may_warn=may_warn)

    def chunk_seed(self):
        """What the repository's key makes of cuts, read with Borg's own modules."""
        script = (
            "import sys\n"
            "from borg.logger import setup_logging\n"
            "setup_logging()\n"
            "from borg.repository import Repository\n"
            "from borg.helpers import Manifest\n"
            "with Repository(sys.argv[1]) as repository:\n"
            "    _, key = Manifest.load(repository, Manifest.NO_OPERATION_CHECK)\n"
            "    print(key.chunk_seed)\n"
        )
        done = subprocess.run(["/usr/bin/python3", "-c", script, self.repo], env=self.env,
                              capture_output=True, check=True)
        return int(done.stdout)

    def dump(self, archive="a"):
        """The archive as `borg debug dump-archive` tells it: `_meta` and `_items`."""
        return json.loads(self.run("debug", "dump-archive", f"{self.repo}::{archive}", "-"))

    def content_chunks(self, archive="a"):
        """(id, size, csize) of each chunk of file content, in the order of the archive."""
        return [
            (chunk_id.lstrip("\x7f"), size, csize)
            for item in self.dump(archive)["_items"]
            for chunk_id, size, csize in item.get("chunks", [])
        ]

    def item_stream(self, archive="a"):
        """The metadata stream in plain, all of it."""
        out = os.path.join(self.folder, "items-" + archive)
        os.mkdir(out)
        self.run("debug", "dump-archive-items", f"{self.repo}::{archive}", cwd=out)
        parts = []
        for name in sorted(os.listdir(out)):
            with open(os.path.join(out, name), "rb") as part:
                parts.append(part.read())
        shutil.rmtree(out)
        return b"".join(parts)

    def files(self):
        """Size by name of all files of the repository, locks left out."""
        sizes = {}
        for folder, _, names in os.walk(self.repo):
            for name in names:
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, self.repo)
                if not relative.startswith("lock."):
                    sizes[relative] = os.path.getsize(path)
        return sizes

    def size(self):
        """Bytes of all files of the repository."""
        return sum(self.files().values())

    def objects(self):
        """csize by id (hexadecimal) of every object ever put into the repository."""
        found = {}
        for name in self.files():
            if name.startswith("data" + os.sep):
                with open(os.path.join(self.repo, name), "rb") as segment:
                    found.update(_puts(segment.read()))
        return found


def _puts(segment):
    at = MAGIC_BYTES
    while at < len(segment):
        _, size, tag = ENTRY_HEAD.unpack_from(segment, at)
        if tag == TAG_PUT:
            chunk_id = segment[at + ENTRY_HEAD.size : at + PUT_HEAD_BYTES]
            yield chunk_id.hex(), size - PUT_HEAD_BYTES
        else:
            assert tag in (TAG_DELETE, TAG_COMMIT), tag
        at += size
