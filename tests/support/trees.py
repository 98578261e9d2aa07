# SPDX-License-Identifier: BSD-2-Clause
"""The trees that tests scan, built from seeds: each function fills an empty folder it is given.

Contents come from the corpora's generator, so that chunks compress as real ones do. TREES lists
the five that are held against a real Borg.
"""
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpora"))
import generate  # noqa: E402  pylint: disable=wrong-import-position

KIB = 1 << 10
MIB = 1 << 20


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)


def small_files(root, seed=1):
    """2000 files of 100 B to 60 KB in nested folders, about 20 MB."""
    rng = generate.Stream(seed, "small_files")
    prose = generate.Prose(rng)
    text = prose.text(rng, 4 * MIB)
    for i in range(2000):
        size = rng.skewed(100, 60000)
        at = rng.below(len(text) - size)
        data = rng.take(size) if rng.below(5) == 0 else text[at:at + size]
        depth = ["d%d" % (i % 7), "e%d" % (i % 11), "f%d" % (i % 3)][:1 + rng.below(3)]
        write(os.path.join(root, *depth, "file-%04d" % i), data)


def large_binaries(root, seed=1):
    """Six files of 5 to 17 MB, 63 MB together."""
    rng = generate.Stream(seed, "large_binaries")
    prose = generate.Prose(rng)
    machine = generate.Machine(rng)
    for i, size in enumerate((5 * MIB, 6 * MIB + 1, 8 * MIB, 11 * MIB - 7, 13 * MIB + 4095)):
        write(os.path.join(root, "lib%d.so" % i), machine.program(rng, size, prose))
    write(os.path.join(root, "media", "film.raw"), rng.take(17 * MIB))


def sparse_image(root, seed=1):
    """A disk image with holes, written zeros, islands of data; a file that is all hole."""
    generate.generate("sparse", root, seed)
    with open(os.path.join(root, "empty.img"), "wb") as out:
        out.truncate(25 * MIB + 17)


def duplicates(root, seed=1):
    """Copies; copies shifted by a byte, a prefix, an insertion; halves joined the other way."""
    rng = generate.Stream(seed, "duplicates")
    prose = generate.Prose(rng)
    machine = generate.Machine(rng)
    base = machine.code(rng, 5 * MIB) + rng.take(2 * MIB) + prose.text(rng, 2 * MIB)
    small = prose.text(rng, 200 * KIB)
    half = len(base) // 2
    write(os.path.join(root, "a", "base"), base)
    write(os.path.join(root, "b", "copy"), base)
    write(os.path.join(root, "a", "shifted-by-one"), b"!" + base)
    write(os.path.join(root, "a", "prefixed"), prose.text(rng, 100001) + base)
    write(os.path.join(root, "a", "inserted"), base[:half] + b"one more line\n" + base[half:])
    write(os.path.join(root, "a", "cut"), base[:half] + base[half + 777:])
    write(os.path.join(root, "a", "swapped"), base[half:] + base[:half])
    write(os.path.join(root, "a", "truncated"), base[:-12345])
    for i in range(40):
        write(os.path.join(root, "small", "copy-%d" % i), small)
        write(os.path.join(root, "small", "shift-%d" % i), small[i:])


ODD_NAMES = (
    b"new\nline", b"tab\ttab", b" leading and trailing ", b"-rf", b"--levels", b"*?[a]{b}", b"\\",
    b"quote'\"`$(x)", b"\xff\xfe not UTF-8 \x80", b"\xc3(", b"\x01\x1b[31m\x7f",
    "\u00e4\u4e2d\U0001f600\u202e".encode(), b"a" * 255, b"\xf0" * 255, b"con", b"...", b"%s%n",
)


def odd_entries(root, seed=1):
    """Hard links, empty files, names of any bytes, deep folders, symlinks, a FIFO, a socket."""
    rng = generate.Stream(seed, "odd_entries")
    prose = generate.Prose(rng)
    top = os.fsencode(root)
    for name in ODD_NAMES:
        write(os.path.join(top, b"names", name), prose.text(rng, rng.skewed(10 * KIB, 400 * KIB)))
        os.makedirs(os.path.join(top, b"folders", name))
        write(os.path.join(top, b"folders", name, name), prose.text(rng, rng.skewed(1, 9000)))
    deep = os.path.join(top, *[b"deep%03d" % i for i in range(100)])
    write(os.path.join(deep, b"bottom"), prose.text(rng, 5000))
    for i in range(5):
        write(os.path.join(top, b"empty", b"empty%d" % i), b"")
    links = os.path.join(top, b"links")
    write(os.path.join(links, b"original"), rng.take(3 * MIB))
    write(os.path.join(links, b"empty original"), b"")
    for i in range(4):
        os.link(os.path.join(links, b"original"), os.path.join(links, b"hard%d" % i))
        os.link(os.path.join(links, b"original"), os.path.join(top, b"hard-elsewhere%d" % i))
    os.link(os.path.join(links, b"empty original"), os.path.join(links, b"empty hard"))
    os.symlink(b"original", os.path.join(links, b"soft"))
    os.symlink(b"/nonexistent/\xff\n", os.path.join(links, b"dangling"))
    os.symlink(b"../folders", os.path.join(links, b"to-folder"))
    os.symlink(b".", os.path.join(links, b"loop"))
    os.mkfifo(os.path.join(top, b"fifo"))
    make_socket(os.path.join(top, b"socket"))


def make_socket(path):
    """A socket's name is short by law, so it is bound from within its folder."""
    before = os.getcwd()
    os.chdir(os.path.dirname(path))
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as bound:
            bound.bind(os.path.basename(path))
    finally:
        os.chdir(before)


def mixed(root, seed=1, scale=1.0):
    """One of each basic kind: about 160 MB unique per unit of scale."""
    for kind in ("text", "logs", "database", "binaries", "incompressible", "sparse",
                 "near-duplicates", "tiny"):
        generate.generate(kind, root, seed, scale)


def tiny_mixed(root, seed=1):
    """A few megabytes of several kinds, for tests of the command line."""
    for kind in ("text", "logs", "incompressible", "near-duplicates", "tiny"):
        generate.generate(kind, root, seed, 0.03)


TREES = {
    "small_files": small_files,
    "large_binaries": large_binaries,
    "sparse_image": sparse_image,
    "duplicates": duplicates,
    "odd_entries": odd_entries,
}
