# SPDX-License-Identifier: BSD-2-Clause
"""The ends of the range: what compresses 1000:1 beside what does not compress at all, what repeats
so that one chunk is left of it, and a few pieces of as many kinds as there are."""
import base64
import itertools
import struct

from material import MIB, PAGE, Machine, Prose, database_pages, log_lines, sizes
from records import LOGS, Service, export, gathered


def dotted_zeros(rng, size):
    """Zeros with a byte set in every page or so."""
    data = bytearray(size)
    at = rng.below(4096)
    while at < size:
        data[at] = 1 + rng.below(255)
        at += 1 + rng.below(8192)
    return bytes(data)


def repeated(rng, size, length):
    unit = rng.take(length)
    return (unit * (size // length + 1))[:size]


def one_line(rng, size):
    """A line, again and again; its number changes every thousand times."""
    parts = []
    for number in range(size // 30000 + 1):
        parts.append(b"%010d %s ready, no errors\n" % (number, rng.take(3).hex().encode()) * 1000)
    return b"".join(parts)[:size]


def two_symbols(rng, size):
    """Digits 0 and 1 at random: an eighth of their size at best."""
    return b"".join(b"%016d" % int(bin(d)[2:]) for d in rng.shorts(size // 16 + 1))[:size]


def half_and_half(rng, size):
    """Stretches of zeros and of random bytes, as in a preallocated download."""
    parts = []
    left = size
    while left > 0:
        length = rng.skewed(64 << 10, 2 * MIB)
        parts += [rng.take(min(left, length)), bytes(length)]
        left -= 2 * length
    return b"".join(parts)[:size]


EXTREMES = (
    lambda rng, size: rng.take(size),
    dotted_zeros,
    one_line,
    lambda rng, size: rng.take(size),
    lambda rng, size: repeated(rng, size, 1 + rng.below(64)),
    half_and_half,
    lambda rng, size: repeated(rng, size, rng.skewed(8 << 10, 512 << 10)),
    two_symbols,
)


def make_extremes(out, rng, scale):
    for i, size in enumerate(sizes(rng, int(24 * MIB * scale), 128 << 10, 8 * MIB)):
        out.put("x%d/extreme%03d" % (i % 5, i), EXTREMES[i % len(EXTREMES)](rng, size))


def make_identical(out, rng, scale):
    """Whole multiples of Borg's longest chunk, in which nothing ends one before."""
    size = max(1, int(4 * scale)) * 8 * MIB
    out.put("zeros.img", bytes(size))
    out.put("block.img", repeated(rng, size, 4096))


def sound(rng, size):
    """16 bits a sample: a slow swing, and noise in the lowest bits."""
    swing = 0
    speed = 0
    samples = []
    for draw in rng.shorts(size // 2 + 1):
        speed += -1 if swing > 0 else 1
        swing += speed + draw % 5 - 2
        samples.append(swing * 7 + (draw >> 10) & 65535)
    return struct.pack("<%dH" % len(samples), *samples)[:size]


def picture(rng, size):
    """Three bytes a pixel: each near its neighbour's."""
    walks = [itertools.accumulate((d % 5 - 2 for d in rng.shorts(size // 3 + 1))) for _ in "rgb"]
    return bytes(v & 255 for pixel in zip(*walks) for v in pixel)[:size]


class Mixture:
    """One maker for each kind of data there is, in a fixed order."""

    def __init__(self, rng):
        self.prose = Prose(rng)
        self.machine = Machine(rng)
        self.makers = (
            ("txt", self.prose.text),
            ("raw", lambda rng, size: rng.take(size)),
            ("so", lambda rng, size: self.machine.program(rng, size, self.prose)),
            ("db", self._database),
            ("log", log_lines),
            ("csv", lambda rng, size: export(rng, 0, size)),
            ("json", lambda rng, size: export(rng, 3, size)),
            ("img", dotted_zeros),
            ("b64", lambda rng, size: base64.encodebytes(rng.take(size))[:size]),
            ("wav", sound),
            ("ppm", picture),
            ("trace", lambda rng, size: gathered(LOGS[3](Service(rng)), size)),
        )

    def _database(self, rng, size):
        return database_pages(rng, -(-size // PAGE) * PAGE, self.prose)[:size]


def make_few(out, rng, scale):
    """A file of each kind, 1.5 to 2.5 MiB: a few dozen chunks at scale 3."""
    for name, make in Mixture(rng).makers:
        size = int((3 * MIB // 2 + rng.below(MIB)) * scale)
        out.put("large.%s" % name, make(rng, size))


def make_few_small(out, rng, scale):
    """Five small files of each kind."""
    for name, make in Mixture(rng).makers:
        for i in range(5):
            out.put("%s/small%d.%s" % (name, i, name),
                    make(rng, int(rng.skewed(1 << 10, 256 << 10) * scale) + 1))
