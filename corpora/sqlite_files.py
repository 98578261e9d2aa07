#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes databases with SQLite itself: rows are deleted between and at the end, and their pages zeroed.

    sqlite_files.py [--seed N] [--scale X] OUTDIR

Contents are seeded as generate.py's are. How they lie in pages is SQLite's own: the bytes are the same
for the same version of it only.
"""
import argparse
import os
import sqlite3
import sys

from material import MIB, MTIME, Prose, Stream, vocabulary


def history(rng, prose):
    """What a browser keeps: addresses and titles, each address indexed."""
    hosts = ["%s.example" % word for word in vocabulary(rng, 400)]
    text = prose.text(rng, 1 << 18).decode()
    yield ("CREATE TABLE visits(id INTEGER PRIMARY KEY, url TEXT, title TEXT, at INTEGER)",
           "CREATE INDEX by_url ON visits(url)", "INSERT INTO visits(url, title, at) VALUES(?, ?, ?)")
    at = 1_600_000_000
    while True:
        d = rng.shorts(5)
        at += d[0] % 900
        start = d[1] * 3
        yield ("https://%s/%s?id=%d" % (hosts[d[2] * (d[2] & 15) % 400],
                                        text[start:start + 8 + d[3] % 40], d[4]),
               text[start:start + 20 + d[4] % 60], at)


def cache(rng, _prose):
    """Pictures of all sizes, most with room set aside for what never came: zeros."""
    yield ("CREATE TABLE tiles(key TEXT PRIMARY KEY, body BLOB, state INTEGER)",
           "CREATE INDEX by_state ON tiles(state)", "INSERT INTO tiles VALUES(?, ?, ?)")
    number = 0
    while True:
        number += 1
        data = rng.take(rng.skewed(64, 16 << 10))
        yield "tile-%08d" % number, data + bytes(rng.skewed(64, 48 << 10)), rng.below(4)


def measures(rng, _prose):
    """Numbers, many of them missing."""
    yield ("CREATE TABLE samples(at INTEGER, sensor INTEGER, a INTEGER, b INTEGER, c INTEGER, "
           "note TEXT)", "CREATE INDEX by_time ON samples(at, sensor)",
           "INSERT INTO samples VALUES(?, ?, ?, ?, ?, ?)")
    at = 1_500_000_000
    while True:
        d = rng.shorts(5)
        at += d[0] & 1
        yield (at, d[1] % 60, d[2] % 1000, d[3] if d[3] & 3 == 0 else None, d[4] * d[4],
               "checked" if d[4] < 500 else None)


TABLES = {"history": history, "cache": cache, "measures": measures}
BATCH = 200


def fill(connection, rows, insert, table, size_bytes):
    """Rows until the file has its size; of older ones a quarter is deleted, which leaves gaps."""
    while connection.execute("PRAGMA page_count").fetchone()[0] * 4096 < size_bytes:
        first = connection.execute("SELECT max(rowid) FROM " + table).fetchone()[0] or 0
        connection.executemany(insert, [next(rows) for _ in range(BATCH)])
        connection.commit()
        connection.execute("DELETE FROM %s WHERE rowid > ? AND rowid <= ? AND rowid / 25 %% 4 = 1"
                           % table, (first - 9 * BATCH, first - 8 * BATCH))
        connection.commit()


def write(path, table, seed, size_bytes):
    rng = Stream(seed, "sqlite", table)
    rows = TABLES[table](rng, Prose(rng))
    create, index, insert = next(rows)
    connection = sqlite3.connect(path)
    for statement in ("PRAGMA page_size = 4096", "PRAGMA secure_delete = ON",
                      "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", create, index):
        connection.execute(statement)
    name = insert.split()[2].split("(")[0]
    fill(connection, rows, insert, name, size_bytes)
    # Nothing takes the place of the last eighth: free pages, all zeros.
    connection.execute("DELETE FROM %s WHERE rowid > (SELECT max(rowid) FROM %s) * 7 / 8"
                       % (name, name))
    connection.commit()
    connection.close()
    os.utime(path, (MTIME, MTIME))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="another seed, other contents (1)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as much data (1.0)")
    parser.add_argument("outdir")
    args = parser.parse_args()
    if not args.scale > 0:
        parser.error("--scale must be above 0")
    os.makedirs(args.outdir, exist_ok=True)
    for table in TABLES:
        path = os.path.join(args.outdir, table + ".sqlite")
        if os.path.exists(path):
            sys.exit("sqlite_files.py: %s exists already" % path)
        write(path, table, args.seed, int(8 * MIB * args.scale))


if __name__ == "__main__":
    main()
