# SPDX-License-Identifier: BSD-2-Clause
"""Trees whose repositories need more room, rights or cuts than those of trees.py. Each function
fills a folder that it makes; BUILDERS has all trees that are held against real repositories."""
import os
import random
import subprocess

import trees


def rolling(root):
    """1.35 GB, 1.2 of it incompressible: three segments at none, as many at lz4."""
    rng = random.Random(1)
    os.makedirs(root, exist_ok=True)
    for i in range(8):
        with open(os.path.join(root, "noise%d" % i), "wb") as out:
            for _ in range(5):
                out.write(rng.randbytes(30 << 20))
            out.write(b"nothing new, said line %d\n" % i * 700000)


def tiny(root):
    """50,000 files of 10 to 900 bytes in 250 folders."""
    rng = trees.generate.Stream(1, "tiny-files")
    prose = trees.generate.Prose(rng)
    text = prose.text(rng, 1 << 20)
    for i in range(250):
        folder = os.path.join(root, "folder-%03d" % i)
        os.makedirs(folder)
        for j in range(200):
            size = rng.skewed(10, 900)
            at = rng.below(len(text) - size)
            with open(os.path.join(folder, "some-file-%d" % j), "wb") as out:
                out.write(text[at:at + size])


def quietly(*command):
    """False when the file system or our rights do not allow it."""
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def attributes(root):
    """Attributes, lists and flags on all kinds of entries; what the place allows of it."""
    os.makedirs(os.path.join(root, "sub"), exist_ok=True)
    rng = random.Random(3)
    for i in range(40):
        path = os.path.join(root, "sub", "f%d" % i)
        trees.write(path, rng.randbytes(10 + i))
        os.setxattr(path, "user.z%d" % i, rng.randbytes(i * 10))
        os.setxattr(path, "user.a", b"first by name, though set last")
    os.setxattr(root, "user.of.a.folder", b"x" * 300)
    os.link(os.path.join(root, "sub", "f9"), os.path.join(root, "again"))
    os.symlink("sub", os.path.join(root, "link"))
    os.mkfifo(os.path.join(root, "fifo"))
    for name in ("access", "inherited", "both", "minimal"):
        os.mkdir(os.path.join(root, name))
    made = [
        quietly("setfacl", "-m", "u:daemon:rwx,u:54321:r,g:daemon:rw", root + "/sub/f1"),
        quietly("setfacl", "-m", "g:1:---,m:rx", root + "/access"),
        quietly("setfacl", "-d", "-m", "u:0:rwx", root + "/inherited"),
        quietly("setfacl", "-m", "u:0:r,d:g:12345:x", root + "/both"),
        quietly("setfacl", "-m", "u::r,g::r,o::-", root + "/minimal"),
        quietly("setfacl", "-m", "u:daemon:r", root + "/fifo"),
        quietly("chattr", "+d", root + "/sub/f2"),
        quietly("chattr", "+d", root + "/both"),
    ]
    if os.geteuid() == 0:
        os.setxattr(root + "/link", "trusted.link", b"of a link", follow_symlinks=False)
        os.mknod(root + "/device", 0o020600, os.makedev(1, 3))
        quietly("setfacl", "-m", "u:daemon:r", root + "/device")
    return made


def make_small(root, rng):
    """8 MB of small files, which no key cuts."""
    prose = trees.generate.Prose(rng)
    text = prose.text(rng, 3 << 20)
    for i in range(600):
        size = rng.skewed(100, 60000)
        at = rng.below(len(text) - size)
        trees.write(os.path.join(root, "d%d" % (i % 9), "f%d" % i), text[at:at + size])


def few_cuts(root):
    """Small files, and noise of several chunks that no codec shrinks: 16 MB."""
    rng = trees.generate.Stream(5, "few-cuts")
    make_small(root, rng)
    trees.write(os.path.join(root, "noise"), rng.take(8 << 20))


def many_cuts(root):
    """Small files, and programs of several chunks, one of them half repeated: 28 MB."""
    rng = trees.generate.Stream(6, "many-cuts")
    make_small(root, rng)
    prose = trees.generate.Prose(rng)
    machine = trees.generate.Machine(rng)
    first = machine.program(rng, 8 << 20, prose)
    trees.write(os.path.join(root, "first"), first)
    trees.write(os.path.join(root, "second"), machine.program(rng, 4 << 20, prose) + first)


BUILDERS = dict(trees.TREES, rolling=rolling, tiny=tiny, attributes=attributes, few_cuts=few_cuts,
                many_cuts=many_cuts)
