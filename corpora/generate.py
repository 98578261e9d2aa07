#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes test data of known kinds: the same bytes for the same seed, scale and kind, everywhere.

    generate.py [--seed N] [--scale X] [--facts] KIND|all OUTDIR

Each kind becomes the folder OUTDIR/KIND. All randomness is SHAKE-128 in counter mode and all
arithmetic on it is integer, so that neither the Python version nor the machine can change a byte.
README.md says what each kind is for and what it measures.
"""
import argparse
import os
import sys

from extremes import make_extremes, make_few, make_few_small, make_identical
from material import (MIB, PAGE, Machine, Prose, Stream, Writer, database_pages, log_lines,
                      sizes)
from records import make_dumps, make_exports, make_services

EXTENSIONS = ("txt", "json", "cfg", "png", "py", "h")


def make_text(out, rng, scale):
    prose = Prose(rng)
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), 8 << 10, 2 * MIB)):
        out.put("chapter%02d/page%04d.txt" % (i % 13, i), prose.text(rng, size))


def make_logs(out, rng, scale):
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), 64 << 10, 4 * MIB)):
        out.put("app.log.%d" % i, log_lines(rng, size))


def make_database(out, rng, scale):
    prose = Prose(rng)
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), MIB, 8 * MIB)):
        out.put("table%03d.db" % i, database_pages(rng, -(-size // PAGE) * PAGE, prose))


def make_binaries(out, rng, scale):
    prose = Prose(rng)
    machine = Machine(rng)
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), 16 << 10, 6 * MIB)):
        out.put("lib/program%03d.so" % i, machine.program(rng, size, prose))


def make_incompressible(out, rng, scale):
    for i, size in enumerate(sizes(rng, int(12 * MIB * scale), 32 << 10, 4 * MIB)):
        out.put("photo%04d.raw" % i, rng.take(size))


def make_sparse(out, rng, scale):
    """A disk image: a seventh is data, a seventh is zeros that were written, the rest is holes."""
    prose = Prose(rng)
    size = max(MIB, int(64 * MIB * scale)) // 4096 * 4096
    pieces = []
    at = 0
    while True:
        at += 4096 * rng.skewed(8, 512)
        length = 4096 * rng.skewed(1, 128)
        if at + length > size:
            break
        kind = rng.below(4)
        data = (prose.text(rng, length) if kind == 0 else rng.take(length) if kind == 1 else
                database_pages(rng, -(-length // PAGE) * PAGE, prose)[:length] if kind == 2 else
                bytes(length))
        pieces.append((at, data))
        at += length
    out.put("disk.img", pieces, size)


def edited(rng, data, prose):
    """The next day's dump: close together some rows in, some out, some changed; a stretch moved."""
    data = bytearray(data)
    place = rng.below(len(data) - (32 << 10))
    for _ in range(6):
        at = place + rng.below(16 << 10)
        data[at:at] = prose.text(rng, rng.skewed(1, 4096))
        at = place + rng.below(16 << 10)
        del data[at:at + rng.skewed(1, 2048)]
        at = place + rng.below(16 << 10)
        data[at:at + 64] = rng.take(32).hex().encode()
    length = len(data) // 10
    at = rng.below(len(data) - length)
    stretch = data[at:at + length]
    del data[at:at + length]
    return bytes(data + stretch)


def make_near_duplicates(out, rng, scale):
    prose = Prose(rng)
    dump = prose.text(rng, max(128 << 10, int(12 * MIB * scale)))
    for version in range(5):
        out.put("dump-%d.sql" % version, dump)
        last, dump = dump, edited(rng, dump, prose)
    out.put("again/dump-copy.sql", last)


def make_tiny(out, rng, scale):
    prose = Prose(rng)
    text = prose.text(rng, 2 * MIB)
    for i in range(max(1, int(4000 * scale))):
        size = rng.skewed(1, 8192) if rng.below(50) else 0
        at = rng.below(len(text) - 8192)
        kind = rng.below(6)
        data = rng.take(size) if kind == 3 else text[at:at + size]
        out.put("d%02d/e%d/f%05d.%s" % (i % 37, i % 5, i, EXTENSIONS[kind]), data)


KINDS = {
    "text": make_text,
    "logs": make_logs,
    "database": make_database,
    "binaries": make_binaries,
    "incompressible": make_incompressible,
    "sparse": make_sparse,
    "near-duplicates": make_near_duplicates,
    "tiny": make_tiny,
    "services": make_services,
    "exports": make_exports,
    "dumps": make_dumps,
    "extremes": make_extremes,
    "identical": make_identical,
    "few": make_few,
    "few-small": make_few_small,
}


def generate(kind, folder, seed=1, scale=1.0):
    """Writes one kind below `folder` and returns its facts: (files, bytes, manifest sha256)."""
    out = Writer(os.path.join(folder, kind))
    KINDS[kind](out, Stream(seed, kind), scale)
    return out.facts()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="another seed, other bytes (1)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as much data (1.0)")
    parser.add_argument("--facts", action="store_true", help="print README.md's table rows")
    parser.add_argument("kind", choices=[*KINDS, "all"])
    parser.add_argument("outdir")
    args = parser.parse_args()
    if not args.scale > 0:
        parser.error("--scale must be above 0")
    for kind in KINDS if args.kind == "all" else [args.kind]:
        if os.path.exists(os.path.join(args.outdir, kind)):
            sys.exit("generate.py: %s exists already in %s" % (kind, args.outdir))
        facts = generate(kind, args.outdir, args.seed, args.scale)
        if args.facts:
            print("| %s | %d | %d | `%s` |" % (kind, *facts))


if __name__ == "__main__":
    main()
