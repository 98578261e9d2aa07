#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes test data of known kinds: the same bytes for the same seed, scale and kind, everywhere.

    generate.py [--seed N] [--scale X] [--facts] KIND|all OUTDIR

Each kind becomes the folder OUTDIR/KIND. All randomness is SHAKE-128 in counter mode and all
arithmetic on it is integer, so that neither the Python version nor the machine can change a byte.
README.md says what each kind is for and what it measures.
"""
import argparse
import hashlib
import os
import struct
import sys

MIB = 1 << 20
PAGE = 8192
# Every file gets this mtime: archives of the same data then differ in nothing but their own times.
MTIME = 1_000_000_000
SYLLABLES = ("ba co di fu ge hi jo ka lu me ni po qua ri so ta un ve wo xi yo za str en th ing "
             "er al on re sh men pre con ou ea ch").split()
EXTENSIONS = ("txt", "json", "cfg", "png", "py", "h")


class Stream:
    """An endless seeded stream of bytes and of numbers drawn from them."""

    BLOCK = 1 << 16

    def __init__(self, *key):
        self._key = "/".join(str(part) for part in key).encode() + b"/"
        self._counter = 0
        self._buffer = b""
        self._at = 0

    def take(self, count):
        """The next `count` bytes."""
        parts = []
        while count:
            if self._at == len(self._buffer):
                self._buffer = hashlib.shake_128(self._key + b"%d" % self._counter).digest(self.BLOCK)
                self._counter += 1
                self._at = 0
            part = self._buffer[self._at:self._at + count]
            self._at += len(part)
            count -= len(part)
            parts.append(part)
        return b"".join(parts)

    def shorts(self, count):
        """`count` numbers below 65536."""
        return struct.unpack("<%dH" % count, self.take(2 * count))

    def below(self, bound):
        return int.from_bytes(self.take(8), "little") % bound

    def between(self, low, high):
        """Uniform, both ends included."""
        return low + self.below(high - low + 1)

    def skewed(self, low, high):
        """From low to high, every doubling equally likely: many small, few large, as files are."""
        octaves = max(1, (high // max(1, low)).bit_length())
        octave = max(1, low) << self.below(octaves)
        return min(high, octave + self.below(octave))


def vocabulary(rng, count):
    return ["".join(SYLLABLES[i % len(SYLLABLES)] for i in rng.shorts(1 + rng.below(4)))
            for _ in range(count)]


def by_rank(entries):
    """65536 slots over which the entries are spread as Zipf's law has it: slot = one draw."""
    slots = []
    for rank, entry in enumerate(entries):
        slots += [entry] * max(1, 6000 // (rank + 2))
    return (slots * (1 + 65536 // len(slots)))[:65536]


class Prose:
    """Running text: Zipf words and set phrases, each file with favourites of its own."""

    def __init__(self, rng):
        words = vocabulary(rng, 4000)
        phrases = [" ".join(words[i % 4000] for i in rng.shorts(3 + rng.below(6)))
                   for _ in range(1500)]
        self._slots = by_rank([word + end for word in words[:2000] for end in (" ", ", ", ". ")]
                              + [phrase + " " for phrase in phrases] + [w + ".\n" for w in words])

    def text(self, rng, size):
        shift = rng.below(65536)
        step = 1 + 2 * rng.below(3)
        slots = self._slots
        parts = []
        have = 0
        while have < size:
            part = "".join([slots[(i * step + (shift if i & 3 else 0)) & 65535]
                            for i in rng.shorts(4096)]).encode()
            parts.append(part)
            have += len(part)
        return b"".join(parts)[:size]


def log_lines(rng, size):
    hosts = ["web%02d" % i for i in range(12)]
    verbs = ("GET /static/%s.css", "GET /item/%s", "POST /login user=%s", "connection from %s",
             "cache miss key=%s", "slow query id=%s", "retry of job %s", "accepted token %s")
    second = 1_600_000_000 + rng.below(10_000_000)
    lines = []
    have = 0
    while have < size:
        draws = rng.shorts(6)
        second += draws[0] % 4
        line = "%d.%03d %s app[%d]: %s status=%d bytes=%d id=%s\n" % (
            second, draws[1] % 1000, hosts[draws[2] % 12], 1000 + draws[2] % 7,
            verbs[draws[3] & 7] % draws[4], (200, 200, 200, 304, 404, 500)[draws[3] % 6],
            draws[5] * (draws[4] & 15), rng.take(4).hex())
        lines.append(line)
        have += len(line)
    return "".join(lines).encode()[:size]


def database_pages(rng, size, prose):
    """Slotted pages: header, slots growing up, rows growing down, zeros between; half empty."""
    pages = []
    row_id = rng.below(1 << 30)
    names = prose.text(rng, 1 << 16)
    for number in range(size // PAGE):
        limit = rng.between(PAGE * 3 // 10, PAGE * 7 // 10)
        rows = []
        slots = []
        used = 24
        top = PAGE
        while True:
            draws = rng.shorts(3)
            row_id += 1 + draws[0] % 3
            name = names[draws[1]:draws[1] + 8 + draws[2] % 40]
            row = struct.pack("<QIHH", row_id, 1_600_000_000 + row_id, draws[2] & 7, len(name))
            row += name + rng.take(8)
            if used + 4 + len(row) > limit:
                break
            used += 4 + len(row)
            top -= len(row)
            rows.append(row)
            slots.append(struct.pack("<HH", top, len(row)))
        head = struct.pack("<4sIQHHI", b"PAGE", number, row_id * 977, 24 + 4 * len(slots), top, 0)
        body = head + b"".join(slots)
        pages.append(body + bytes(top - len(body)) + b"".join(reversed(rows)))
    return b"".join(pages)


class Machine:
    """Code of no real processor: a Markov chain whose states are instructions of 1 to 7 bytes."""

    STATES = 4096

    def __init__(self, rng):
        self._code = [rng.take(1 + rng.below(7)) for _ in range(self.STATES)]
        # Few successors are common, as after a compare comes a jump; the rest are anything.
        self._next = []
        for _ in range(self.STATES):
            usual = rng.shorts(6)
            draws = rng.shorts(256)
            self._next.append([usual[i % 6] % self.STATES if i < 190 else draws[i] % self.STATES
                               for i in range(256)])

    def code(self, rng, size):
        parts = []
        have = 0
        state = rng.below(self.STATES)
        while have < size:
            chunk = []
            for byte in rng.take(1 << 14):
                state = self._next[state][byte]
                chunk.append(self._code[state])
            part = b"".join(chunk)
            parts.append(part)
            have += len(part)
        return b"".join(parts)[:size]

    def program(self, rng, size, prose):
        """Code, a table of rising addresses, strings: the sections a linker would write."""
        address = 0x400000
        table = []
        for step in rng.shorts(size // 64):
            address += 16 * (1 + step % 20)
            table.append(address)
        tables = struct.pack("<%dQ" % len(table), *table)
        strings = prose.text(rng, size // 16).replace(b" ", b"\0")
        code = self.code(rng, max(0, size - 64 - len(tables) - len(strings)))
        return (b"\x7fPRG" + bytes(60) + code + tables + strings)[:size]


class Writer:
    """One kind's folder: names files, writes them, keeps their facts."""

    def __init__(self, folder):
        self.folder = folder
        self.lines = []
        self.total = 0

    def put(self, name, pieces, size=None):
        """`pieces` is bytes, or (offset, bytes) pairs in rising order with holes between."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(pieces, bytes):
            pieces, size = [(0, pieces)], len(pieces)
        digest = hashlib.sha256()
        at = 0
        with open(path, "wb") as out:
            for offset, data in pieces:
                digest.update(bytes(offset - at))
                out.seek(offset)
                out.write(data)
                digest.update(data)
                at = offset + len(data)
            digest.update(bytes(size - at))
            out.truncate(size)
        os.utime(path, (MTIME, MTIME))
        self.lines.append("%s  %d  %s\n" % (digest.hexdigest(), size, name))
        self.total += size

    def facts(self):
        """Files, bytes, and the SHA-256 of the sorted lines `sha256  size  name`."""
        manifest = "".join(sorted(self.lines, key=lambda line: line.split("  ", 2)[2]))
        return len(self.lines), self.total, hashlib.sha256(manifest.encode()).hexdigest()


def sizes(rng, total, low, high):
    """File sizes that add up to `total`."""
    while total > 0:
        size = min(total, rng.skewed(low, high))
        yield size
        total -= size


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
