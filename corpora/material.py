# SPDX-License-Identifier: BSD-2-Clause
"""What the kinds of test data are made of: seeded streams, prose, log lines, pages, code.

All randomness is SHAKE-128 in counter mode and all arithmetic on it is integer, so that neither the
Python version nor the machine can change a byte.
"""
import hashlib
import os
import struct

MIB = 1 << 20
PAGE = 8192
# Every file gets this mtime: archives of the same data then differ in nothing but their own times.
MTIME = 1_000_000_000
SYLLABLES = ("ba co di fu ge hi jo ka lu me ni po qua ri so ta un ve wo xi yo za str en th ing "
             "er al on re sh men pre con ou ea ch").split()


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
