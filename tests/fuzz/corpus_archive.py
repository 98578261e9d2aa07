#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the seeds of fuzz_archive into the folder given: one small archive of each kind."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import archives  # noqa: E402  pylint: disable=wrong-import-position


def seeds(top, scratch):
    for kind in ("v7", "gnu", "posix"):
        yield "tar-" + kind, archives.tar(top, kind).rstrip(b"\0") + bytes(2 * archives.BLOCK)
    for kind in archives.COMPRESSIONS:
        yield "tar-" + kind, archives.compressed(top, kind)
    for kind in ("newc", "odc"):
        yield "cpio-" + kind, archives.cpio(top, kind).rstrip(b"\0")
    for kind in ("zip", "7zip"):
        yield kind, archives.bsdtar(top, kind)
    yield "zip-locked", archives.bsdtar(top, "zip", "--options", "zip:encryption=aes256",
                                        "--passphrase", "x")
    yield "rpm", archives.rpm(top)
    yield "deb", archives.deb(top, os.path.join(scratch, "package"))
    yield "hole", archives.hole(1 << 60)
    yield "links", archives.members(("a", b"x"), ("b", {"type": b"1", "linkname": "a"}),
                                    ("c", {"type": b"2", "linkname": "a"}))[:3072]
    yield "liar", archives.header(b"liar", b"77777777777\0") + b"little"


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        top = os.path.join(scratch, "top")
        os.makedirs(os.path.join(top, "d"))
        with open(os.path.join(top, "d", "f"), "wb") as out:
            out.write(b"content " * 20)
        with open(os.path.join(top, "e"), "wb"):
            pass
        os.link(os.path.join(top, "d", "f"), os.path.join(top, "g"))
        for name, data in seeds(top, scratch):
            with open(os.path.join(folder, name), "wb") as out:
                out.write(data)


main(sys.argv[1])
