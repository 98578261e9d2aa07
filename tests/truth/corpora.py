#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes the corpora that the truth bench compresses: what users back up, and what could mislead us.

    corpora.py OUTDIR [NAME...]     makes those that are not there; without names, all
    corpora.py --list               says what each is

Each becomes OUTDIR/NAME, and when it is whole the line `NAME FILES BYTES` is printed and kept in
OUTDIR/NAME.done. Three are real and of 1 to 1.3 GB. Of the others, about 900 MB are unique together:
the bench compresses each unique byte at thirty levels. How the data is made stands in corpora/; here
stands of what each corpus consists.
"""
import os
import shutil
import stat
import subprocess
import sys

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpora")
MIB = 1 << 20


class Maker:
    """Runs the tools of corpora/ for one corpus; `folder` is what they fill."""

    def __init__(self, outdir, name):
        self.folder = os.path.join(outdir, name + ".part")
        self._scratch = os.path.join(outdir, name + ".scratch")
        self._environment = dict(os.environ, CORPORA_DOWNLOADS=os.path.join(outdir, ".downloads"),
                                 PYTHONDONTWRITEBYTECODE="1")

    def _run(self, *command):
        # Chatter is chatter also where a tool has it on stdout: ours is read by programs.
        subprocess.run(command, check=True, stdout=sys.stderr, env=self._environment)

    def fetched(self, *names):
        self._run(os.path.join(TOOLS, "fetch.sh"), self.folder, *names)

    def generated(self, kind, scale, seed=1):
        self._run(sys.executable, os.path.join(TOOLS, "generate.py"), "--scale", str(scale),
                  "--seed", str(seed), kind, self.folder)

    def sqlite(self, scale):
        self._run(sys.executable, os.path.join(TOOLS, "sqlite_files.py"), "--scale", str(scale),
                  self.folder)

    def image(self, size_bytes, *names):
        self._run(os.path.join(TOOLS, "fetch.sh"), self._scratch, *names)
        self._run(os.path.join(TOOLS, "image.sh"), os.path.join(self.folder, "disk.img"),
                  str(size_bytes), *[os.path.join(self._scratch, name) for name in names])

    def clear(self):
        for folder in (self.folder, self._scratch):
            shutil.rmtree(folder, ignore_errors=True)

    def finish(self, folder):
        os.rename(self.folder, folder)
        self.clear()


def kernel(make):
    """real: the sources of a kernel"""
    make.fetched("kernel")


def usr(make):
    """real: programs, libraries, fonts, icons, manuals: what a desktop's /usr holds"""
    make.fetched("office", "compiler", "fonts", "manual", "desktop")


def image(make):
    """real: the disk of a server, one sparse file"""
    make.image(1100 * MIB, "server")


def dumps(make):
    """six nights of a database's dump, a tenth changed from each to the next"""
    make.generated("dumps", 5)


def packages(make):
    """compressed already"""
    make.fetched("debs")


def logs(make):
    """logs of many services, parts of them 1000:1"""
    make.generated("services", 4)


def tiny(make):
    """20,000 files of 0 B to 8 KiB"""
    make.generated("tiny", 5)


def exports(make):
    """CSV and JSON, each file with columns of its own"""
    make.generated("exports", 4)


def sparse_db(make):
    """SQLite's own files, with much in them that is zeros"""
    make.sqlite(4.5)


def mixed(make):
    """somebody's home: pictures, documents, sources, downloads, logs, old backups"""
    make.fetched("pictures", "documents", "project", "downloads")
    make.generated("services", 0.5, seed=2)
    make.generated("text", 0.3, seed=2)
    make.generated("near-duplicates", 0.3, seed=2)


def few(make):
    """twelve large files of twelve kinds: some forty chunks"""
    make.generated("few", 3.3)


def few_small(make):
    """sixty small files of twelve kinds"""
    make.generated("few-small", 1)


def extremes(make):
    """1000:1 beside random bytes"""
    make.generated("extremes", 3.6)


def identical(make):
    """two chunks, sixteen times each"""
    make.generated("identical", 4)


CORPORA = {make.__name__.replace("_", "-"): make
           for make in (few_small, tiny, few, identical, dumps, packages, logs, exports, sparse_db,
                        mixed, extremes, kernel, usr, image)}


def facts(folder):
    """Files and their bytes, a file with several names once."""
    files = {}
    for top, _, names in os.walk(folder):
        for name in names:
            info = os.lstat(os.path.join(top, name))
            if stat.S_ISREG(info.st_mode):
                files[info.st_ino] = info.st_size
    return len(files), sum(files.values())


def build(outdir, name):
    """Makes one corpus unless it is there; returns its line."""
    folder = os.path.join(outdir, name)
    stamp = folder + ".done"
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as kept:
            return kept.read()
    shutil.rmtree(folder, ignore_errors=True)
    make = Maker(outdir, name)
    make.clear()
    CORPORA[name](make)
    make.finish(folder)
    line = "%s %d %d\n" % (name, *facts(folder))
    with open(stamp + ".part", "w", encoding="utf-8") as kept:
        kept.write(line)
    os.rename(stamp + ".part", stamp)
    return line


def main():
    arguments = sys.argv[1:]
    if arguments == ["--list"]:
        for name, make in CORPORA.items():
            print("%-10s %s" % (name, make.__doc__))
        return
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    unknown = [name for name in arguments[1:] if name not in CORPORA]
    if unknown:
        sys.exit("corpora.py: no such corpus: %s (see --list)" % ", ".join(unknown))
    outdir = os.path.abspath(arguments[0])
    os.makedirs(outdir, exist_ok=True)
    for name in arguments[1:] or CORPORA:
        try:
            line = build(outdir, name)
        except subprocess.CalledProcessError as failure:
            sys.exit("corpora.py: %s: %s" % (name, failure))
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
