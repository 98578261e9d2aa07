# SPDX-License-Identifier: BSD-2-Clause
"""Cut points and chunker parameters against Borg's own chunker, the very code of `borg create`."""

import io
import os
import random
import subprocess

import pytest
from borg import chunker as borg_chunker
from borg.chunker import Chunker, ChunkerFixed, get_chunker
from borg.helpers import ChunkerParams

CUTDUMP = os.path.join(os.environ["CADV_BUILD"], "tests", "oracle", "cutdump")


def ours(tmp_path, params, seed, contents):
    """Lists of chunk lengths, one for each of the contents."""
    paths = []
    for number, content in enumerate(contents):
        paths.append(tmp_path / str(number))
        paths[-1].write_bytes(content)
    text = ",".join(map(str, params))
    out = subprocess.run([CUTDUMP, text, str(seed % 2**32), *paths],
                         check=True, capture_output=True, text=True).stdout
    return [[int(length) for length in line.split()] for line in out.splitlines()]


def borgs(params, seed, contents):
    def lengths(content):
        # As the constructor keeps state per file, each file gets its own chunker.
        if params[0] == "buzhash":
            chunker = Chunker(seed, *params[1:])
        else:
            chunker = ChunkerFixed(*params[1:])
        return [chunk.meta["size"] for chunk in chunker.chunkify(io.BytesIO(content))]

    return [lengths(content) for content in contents]


def assert_same(tmp_path, params, seed, contents):
    expected = borgs(params, seed, contents)
    assert ours(tmp_path, params, seed, contents) == expected
    assert [sum(lengths) for lengths in expected] == [len(content) for content in contents]
    return expected


def texture(rng, size):
    kind = rng.randrange(5)
    if kind == 0:
        return bytes(size)
    if kind == 1:
        return bytes([rng.randrange(256)]) * size
    if kind == 2:
        pattern = rng.randbytes(rng.randrange(1, 300))
        return (pattern * (size // len(pattern) + 1))[:size]
    if kind == 3:
        return bytes(rng.choices(b"abc\n", k=size))
    return rng.randbytes(size)


def mixture(rng, size):
    parts = []
    while size > 0:
        part = rng.randrange(1, size + 1)
        parts.append(texture(rng, part))
        size -= part
    return b"".join(parts)


def draw_params(rng):
    while True:
        low, mask, high = sorted(rng.randrange(6, 15) for _ in range(3))
        room = 2**high - 2**low - 1
        if room >= 1:
            window = rng.choice([1, 2, 31, 32, 33, 48, 63, 64, room, rng.randrange(1, room + 1)])
            return ("buzhash", low, high, mask, min(window, room))


def draw_seed(rng):
    """Borg keeps the seed of a key as a signed 32-bit number; 0 stands for no key."""
    return rng.choice([0, 1, -1, -2**31, 2**31 - 1, rng.randrange(-2**31, 2**31)])


@pytest.mark.parametrize("number", range(120))
def test_random_parameters_and_sizes_at_every_limit(tmp_path, number):
    rng = random.Random(number)
    params, seed = draw_params(rng), draw_seed(rng)
    _, low, high, _, window = params
    limits = [2**low, 2**low + window, 2**high - window, 2**high, 2**high + 2**low + window]
    sizes = {limit + offset for limit in limits for offset in (-1, 0, 1)} | {0, 1}
    contents = [rng.randbytes(size) for size in sorted(sizes)]
    contents += [mixture(rng, rng.randrange(60000)) for _ in range(4)]
    assert_same(tmp_path, params, seed, contents)


@pytest.mark.parametrize("params", [("buzhash", 19, 23, 21, 4095), ("buzhash", 15, 19, 17, 4095),
                                    ("buzhash", 10, 23, 16, 4095)])
@pytest.mark.parametrize("seed", [0, -1234567890])
def test_parameters_of_practice(tmp_path, params, seed):
    rng = random.Random(seed)
    contents = [rng.randbytes(20_000_000), bytes(17_000_000), mixture(rng, 20_000_000)]
    expected = assert_same(tmp_path, params, seed, contents)
    assert len(expected[0]) > 4


def buzhash(window, seed):
    """Borg's hash; this entry to it takes the seed without a sign."""
    return borg_chunker.buzhash(window, seed % 2**32)


def matching_window(rng, window, mask, seed):
    while True:
        candidate = rng.randbytes(window)
        if buzhash(candidate, seed) & mask == 0:
            return candidate


def lonely(rng, params, seed, position, size):
    """Data in which the only match of the first chunk is at `position`."""
    _, low, high, mask_bits, window = params
    mask = 2**mask_bits - 1
    while True:
        data = bytearray(rng.randbytes(size))
        data[position:position + window] = matching_window(rng, window, mask, seed)
        others = set(range(2**low, min(2**high, size) - window + 1)) - {position}
        if all(buzhash(bytes(data[p:p + window]), seed) & mask for p in others):
            return bytes(data)


@pytest.mark.parametrize("seed", [0, -77])
@pytest.mark.parametrize("window", [1, 16, 33, 48])
@pytest.mark.parametrize("place", ["before min", "min", "min+1", "last", "one too late"])
def test_single_planted_match(tmp_path, place, window, seed):
    """The forward window makes the corners of the rule: the first and the last place for a cut."""
    params = ("buzhash", 6, 8, 8, window)
    low, high = 64, 256
    position, expected = {
        "before min": (low - 1, high),
        "min": (low, low),
        "min+1": (low + 1, low + 1),
        "last": (high - window - 1, high - window - 1),
        "one too late": (high - window, high),
    }[place]
    if window == 1:
        # One byte never has 8 zero bits for every seed; six do.
        params = ("buzhash", 6, 8, 6, 1)
        mask = 2**6 - 1
        matching = [b for b in range(256) if buzhash(bytes([b]), seed) & mask == 0]
        other = next(b for b in range(256) if b not in matching)
        assert matching
        data = bytearray([other]) * 300
        data[position] = matching[0]
        data = bytes(data)
    else:
        data = lonely(random.Random(window), params, seed, position, 300)
    lengths = assert_same(tmp_path, params, seed, [data])
    assert lengths[0][0] == expected
    # The same match where the file, not the maximum, ends.
    ends = [data[:position + window + more] for more in (-1, 0, 1, 2)]
    assert_same(tmp_path, params, seed, ends)


@pytest.mark.parametrize("seed", range(0, 40000, 997))
def test_data_that_matches_everywhere(tmp_path, seed):
    """Repeated bytes hash to the same value throughout: either all positions match, or none."""
    params = ("buzhash", 6, 9, 6, 32)
    contents = [bytes([byte]) * 1500 for byte in range(0, 256, 5)]
    contents += [bytes([byte, 255 - byte]) * 700 for byte in range(0, 256, 5)]
    assert_same(tmp_path, params, seed, contents)


@pytest.mark.parametrize("block", [64, 65, 1000, 4096])
@pytest.mark.parametrize("header", [0, 1, 63, 64, 100, 5000])
def test_fixed_blocks(tmp_path, block, header):
    sizes = {0, 1, header, header + 1, block - 1, block, block + 1, header + block, 20000}
    contents = [bytes(size) for size in sorted(sizes)]
    assert_same(tmp_path, ("fixed", block, header), 0, contents)


def borg_accepts(text):
    try:
        params = ChunkerParams(text)
        get_chunker(*params, seed=0, sparse=False)
    except (ValueError, AssertionError):
        return None
    return params


NOTATIONS = [
    "default", "DEFAULT", "19,23,21,4095", "buzhash,19,23,21,4095", "BUZHASH,10,23,16,4095",
    "buzhash,5,23,21,4095", "buzhash,6,24,21,4095", "buzhash,6,23,23,1", "buzhash,6,23,6,1",
    "buzhash,12,23,11,1", "buzhash,23,19,21,4095", "6,7,6,63", "6,7,6,64", "6,6,6,1",
    "22,23,22,4194303", "22,23,22,4194304", "buzhash,19,23,21", "buzhash,19,23,21,4095,1",
    "19,23,21", "19,23,21,4095,7", "fixed,64", "fixed,63", "FIXED,64,0", "fixed,20971479",
    "fixed,20971480", "fixed,64,20971479", "fixed,64,20971480", "fixed", "fixed,", "fixed,64,",
    "fixed,1,2,3", "fixed,4M", "fixed,64.0", "", ",", "rabin,1,2,3,4", "default,1", "a,b,c,d",
]


@pytest.mark.parametrize("text", NOTATIONS)
def test_the_same_notations_are_accepted(text):
    expected = borg_accepts(text)
    run = subprocess.run([CUTDUMP, text, "0"], capture_output=True, text=True, check=False)
    assert run.returncode == (2 if expected is None else 0), run.stderr
    if expected is None:
        assert len(run.stderr.splitlines()) == 1
    else:
        assert borg_accepts(run.stdout.strip()) == expected
