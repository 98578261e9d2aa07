# SPDX-License-Identifier: BSD-2-Clause
"""Archives in every form, made by Debian's tools, and broken ones made by hand."""
import io
import os
import struct
import subprocess
import tarfile
import tempfile
import zipfile

COMPRESSIONS = ("gzip", "bzip2", "xz", "zstd", "lz4", "lzma", "compress")
BLOCK = 512


def _run(words, cwd, **keywords):
    return subprocess.run(words, cwd=cwd, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, **keywords).stdout


def _names(top):
    return b"\n".join(os.path.relpath(os.path.join(folder, name), top).encode()
                      for folder, _, files in os.walk(top) for name in files)


def tar(top, kind):
    return _run(["tar", "-cf", "-", "--format=" + kind, "."], top)


def _bsdtar(top, *options):
    """To a file: what goes to a pipe is padded with zeros."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made")
        _run(["bsdtar", "-cf", path, *options, "."], top)
        with open(path, "rb") as made:
            return made.read()


def compressed(top, compression):
    return _bsdtar(top, "--" + compression)


def bsdtar(top, kind, *options):
    return _bsdtar(top, "--format", kind, *options)


def cpio(top, kind):
    return _run(["cpio", "-o", "-H", kind], top, input=_names(top) + b"\n")


def python_zip(top):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for folder, _, files in os.walk(top):
            for name in files:
                path = os.path.join(folder, name)
                made.write(path, os.path.relpath(path, top))
    return out.getvalue()


def rpm(top):
    """Lead, signature, header - both empty - and a compressed cpio."""
    header = b"\x8e\xad\xe8\x01" + bytes(4) + struct.pack(">II", 0, 0)
    lead = b"\xed\xab\xee\xdb\x03\x00" + bytes(90)
    return lead + header + header + _run(["gzip"], top, input=cpio(top, "newc"))


def deb(top, folder):
    """A package that installs the files of `top`."""
    os.makedirs(os.path.join(folder, "DEBIAN"))
    with open(os.path.join(folder, "DEBIAN", "control"), "w", encoding="ascii") as out:
        out.write("Package: x\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b.c>\n"
                  "Description: d\n")
    _run(["cp", "-r", os.path.join(top, "."), folder], top)
    _run(["dpkg-deb", "-b", folder, folder + ".deb"], top)
    with open(folder + ".deb", "rb") as made:
        return made.read()


def members(*entries, kind=tarfile.GNU_FORMAT):
    """A tar of (name, content or TarInfo changes as a dict)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind, encoding="utf-8",
                      errors="surrogateescape") as made:
        for name, what in entries:
            info = tarfile.TarInfo(name)
            content = what if isinstance(what, bytes) else b""
            info.size = len(content)
            for key, value in ({} if isinstance(what, bytes) else what).items():
                setattr(info, key, value)
            made.addfile(info, io.BytesIO(content))
    return out.getvalue()


def header(name, size_field, typeflag=b"0"):
    """One ustar header with any twelve bytes as its size; the checksum is right."""
    block = bytearray(BLOCK)
    block[0:len(name)] = name
    block[100:108] = b"0000644\0"
    block[108:116] = block[116:124] = b"0000000\0"
    block[124:136] = size_field
    block[136:148] = b"14544000000\0"
    block[156:157] = typeflag
    block[257:265] = b"ustar\x0000"
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def hole(bytes_):
    """A GNU sparse member (type S) of that many bytes, all of it hole."""
    block = bytearray(header(b"hole", b"00000000000\0", b"S"))
    block[257:265] = b"ustar  \0"
    block[386:410] = b"\x80" + bytes_.to_bytes(11, "big") + b"00000000000\0"
    block[483:495] = b"\x80" + bytes_.to_bytes(11, "big")
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + bytes(2 * BLOCK)
