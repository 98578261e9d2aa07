# SPDX-License-Identifier: BSD-2-Clause
"""Compressed bytes against Borg's compressors, on this machine's libraries."""

import os
import random
import subprocess

import pytest
from borg.compress import CNONE, LZ4, LZMA, ZLIB, ZSTD

CODECDUMP = os.path.join(os.environ["CADV_BUILD"], "tests", "oracle", "codecdump")

#: Borg puts the compressor's id before its result.
HEADER = 2

LEVELS = [-128, -5, -1, 1, 2, 3, 4, 5, 6, 9, 12, 13, 15, 19, 22]
COMPRESSORS = {"none": CNONE(), "lz4": LZ4(),
               **{f"zstd,{level}": ZSTD(level=level) for level in LEVELS},
               **{f"zlib,{level}": ZLIB(level=level) for level in range(10)},
               **{f"lzma,{level}": LZMA(level=level) for level in (0, 3, 6, 9)}}
LIST = ",".join(name.replace(",", ":") for name in COMPRESSORS)


def text_like(rng, size):
    words = [rng.randbytes(rng.randrange(2, 9)).hex().encode() for _ in range(500)]
    out = b""
    while len(out) < size:
        out += b" ".join(rng.choices(words, k=200)) + b"\n"
    return out[:size]


def chunks():
    rng = random.Random(42)
    return {
        "one byte": b"x",
        "two equal bytes": b"aa",
        "few bytes": b"hello, world",
        "zeros": bytes(1 << 20),
        "random": rng.randbytes(200_000),
        "random, tiny": rng.randbytes(20),
        "text": text_like(rng, 700_000),
        "text, small": text_like(rng, 3000),
        "text, 128 KiB": text_like(rng, 1 << 17),
        "half random": text_like(rng, 100_000) + rng.randbytes(100_000),
        "binary": open("/usr/bin/python3", "rb").read()[:1_500_000],
        "barely": rng.randbytes(5000) + bytes(20),
        "pages": b"".join(rng.randbytes(40) + bytes(472) for _ in range(1000)),
    }


CHUNKS = chunks()


@pytest.mark.parametrize("kind", CHUNKS)
def test_compressed_bytes_are_borgs(tmp_path, kind):
    data = CHUNKS[kind]
    source = tmp_path / "chunk"
    source.write_bytes(data)
    subprocess.run([CODECDUMP, LIST, source, f"{tmp_path}/out-"], check=True)
    for name, compressor in COMPRESSORS.items():
        payload = compressor.compress(data)
        raw = (tmp_path / f"out-{name}").read_bytes()
        if name.startswith("zlib"):
            # Known by its own first bytes, and stored even when it is longer than the data.
            assert len(raw) == len(payload), name
            assert raw == payload, name
            continue
        payload = payload[HEADER:]
        # Borg stores what does not shrink as it is; the codecs themselves do not decide that.
        stored = raw if len(raw) < len(data) else data
        assert len(stored) == len(payload), name
        assert stored == payload, name


def test_some_chunks_shrink_and_some_do_not():
    """Otherwise the comparison above would compare data with itself."""
    shrinks = {kind: len(LZ4().compress(data)) - HEADER < len(data)
               for kind, data in CHUNKS.items()}
    assert shrinks["text"] and shrinks["binary"] and shrinks["half random"]
    assert not shrinks["random"] and not shrinks["one byte"]
