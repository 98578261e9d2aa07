# SPDX-License-Identifier: BSD-2-Clause
"""What is counted of an archive or a stream is what a real Borg makes of the same one."""
import os
import subprocess

import archives
import program
import pytest
import realborg
import trees

COUNTS = ("original_size", "total_chunks", "total_unique_chunks", "unique_size", "nfiles",
          "hardlinks", "nitems")
LEVELS = {"none": "none", "zstd:3": "zstd,3"}
REPOSITORY_TOLERANCE = 0.0005
REPOSITORY_TOLERANCE_BYTES = 16 * 1024

pytestmark = pytest.mark.skipif(not realborg.available(), reason="borg is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """sparse/: holes at the front, between and at the end, in pieces; odd/: names, links, a FIFO."""
    top = tmp_path_factory.mktemp("streams")
    os.mkdir(top / "odd")
    trees.odd_entries(str(top / "odd"))
    os.mkdir(top / "sparse")
    with open(top / "sparse" / "hole.img", "wb") as out:
        out.truncate(9 << 20)
    with open(top / "sparse" / "pieces.img", "wb") as out:
        for i in range(40):
            out.seek((i + 1) * 700001)
            out.write(b"island %d " % i * (1 + 900 * (i % 3)))
        out.truncate((41 << 20) + 12345)
    os.link(top / "sparse" / "pieces.img", top / "sparse" / "again.img")
    trees.write(str(top / "sparse" / "full"), bytes(range(256)) * 20000)
    return top


def tar(folder, name, *words):
    path = str(folder / name)
    subprocess.run(["tar", "-C", str(folder), "-cf", path, *words], check=True)
    return path


def repeated(folder):
    """A file that is in the archive three times, with other content each time."""
    path = tar(folder, "repeated.tar", "sparse/full")
    for i in range(2):
        trees.write(str(folder / "more" / "sparse" / "full"), b"version %d " % i * 300000)
        subprocess.run(["tar", "-C", str(folder / "more"), "-rf", path, "sparse/full"], check=True)
    return path


STREAMS = {
    "gnu-sparse": lambda folder: tar(folder, "gnu.tar", "-S", "--format=gnu", "sparse"),
    "pax-sparse": lambda folder: tar(folder, "pax-s.tar", "-S", "--format=posix", "sparse"),
    "pax": lambda folder: tar(folder, "pax.tar", "--format=posix", "odd"),
    "gnu-odd": lambda folder: tar(folder, "odd.tar", "--format=gnu", "-P", str(folder / "odd")),
    "ustar": lambda folder: tar(folder, "ustar.tar", "--format=ustar", "odd/links", "sparse/full"),
    "v7": lambda folder: tar(folder, "v7.tar", "--format=v7", "./odd/links/../links", "sparse/full"),
    "zstd": lambda folder: tar(folder, "z.tar.zst", "--zstd", "-S", "odd", "sparse"),
    "gzip": lambda folder: tar(folder, "z.tar.gz", "-z", "odd", "sparse"),
    "xz": lambda folder: tar(folder, "z.tar.xz", "-J", "sparse"),
    "repeated": repeated,
}


@pytest.fixture(scope="module", params=sorted(STREAMS))
def archive(request, folder):
    return STREAMS[request.param](folder)


@pytest.fixture(scope="module")
def ours(archive):
    return program.report_of("--exact", "--levels", ",".join(LEVELS), "--tar",
                             os.path.basename(archive), cwd=os.path.dirname(archive))


def test_counts_and_sizes_are_those_of_import_tar(archive, ours):
    for name, level in LEVELS.items():
        theirs = realborg.import_tar(os.path.dirname(archive), os.path.basename(archive), level)
        if name == "none":
            assert ({count: ours["dataset"][count] for count in COUNTS}
                    == {count: getattr(theirs, count) for count in COUNTS})
        row = program.level(ours, level)
        assert row["data_size"]["est"] == theirs.data_size
        projected = row["repository_size"]["est"]
        real = theirs.repository_size
        print("repository %s %s: %d, projected %+d"
              % (os.path.basename(archive), level, real, projected - real))
        assert abs(projected - real) <= max(REPOSITORY_TOLERANCE * real,
                                            REPOSITORY_TOLERANCE_BYTES)


def run_printed(ours, cwd, scratch):
    """Runs the printed line as it is, but for the repository's name; the size, less what is real."""
    advice = ours["advice"]["archive"]
    command = advice["command"]
    assert "REPO::a" in command
    repo = str(scratch / "repo")
    env = dict(os.environ, BORG_BASE_DIR=str(scratch / "base"),
               BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK="yes")
    subprocess.run(["borg", "init", "-e", "none", repo], env=env, check=True)
    line = command.replace("REPO::a", repo + "::a")
    subprocess.run(line, shell=True, check=True, env=env, cwd=cwd)
    size = sum(os.path.getsize(os.path.join(top, name))
               for top, _, names in os.walk(repo) for name in names)
    projected = program.level(ours, advice["level"])["repository_size"]["est"]
    return projected - size, max(REPOSITORY_TOLERANCE * size, REPOSITORY_TOLERANCE_BYTES)


def test_the_command_that_is_printed_makes_what_was_projected(archive, ours, tmp_path):
    off, allowed = run_printed(ours, os.path.dirname(archive), tmp_path)
    assert abs(off) <= allowed


@pytest.mark.parametrize("kind", ["zip", "7z", "cpio", "deb"])
def test_the_line_for_what_is_no_tar_makes_one_of_it(folder, tmp_path, kind):
    """Borg reads tars only, so the line turns the archive into one."""
    made = (archives.deb(str(folder / "sparse"), str(tmp_path / "package")) if kind == "deb" else
            archives.bsdtar(str(folder / "sparse"), {"7z": "7zip"}.get(kind, kind)))
    trees.write(str(tmp_path / ("an archive." + kind)), made)
    ours = program.report_of("--exact", "--levels", "lz4", "--tar", "an archive." + kind,
                             cwd=str(tmp_path))
    converter = "dpkg-deb --fsys-tarfile" if kind == "deb" else "bsdtar -cf -"
    assert ours["advice"]["archive"]["command"].startswith(converter)
    off, allowed = run_printed(ours, str(tmp_path), tmp_path)
    print("repository from %s: projected %+d" % (kind, off))
    assert abs(off) <= allowed


def test_a_stream_on_standard_input_is_the_same_archive(folder):
    path = tar(folder, "piped.tar", "-S", "sparse")
    from_file = program.report_of("--exact", "--levels", "lz4", "--tar", path)
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as feeder:
        piped = program.report_of("--exact", "--levels", "lz4", "-", stdin=feeder.stdout)
    piped["dataset"]["roots"] = from_file["dataset"]["roots"]
    ours, theirs = (dict(report["dataset"]) for report in (piped, from_file))
    assert ours == theirs


def test_standard_input_as_one_file_is_what_create_makes_of_it(folder):
    path = str(folder / "sparse" / "pieces.img")
    with open(path, "rb") as stream:
        theirs = realborg.create(str(folder), "-", "lz4", "--stdin-name", "dump.sql", stream=stream)
    with open(path, "rb") as stream:
        ours = program.report_of("--exact", "--levels", "lz4", "--stdin-name", "dump.sql", "-",
                                 stdin=stream)
    assert ({count: ours["dataset"][count] for count in COUNTS}
            == {count: getattr(theirs, count) for count in COUNTS})
    row = program.level(ours, "lz4")
    assert row["data_size"]["est"] == theirs.data_size
    assert abs(row["repository_size"]["est"] - theirs.repository_size) <= REPOSITORY_TOLERANCE_BYTES


def test_a_fifo_and_a_device_are_read_as_create_reads_them(tmp_path):
    """A FIFO, a link to it, a device, and a plain file, with --read-special."""
    content = bytes(range(256)) * 5000
    os.mkdir(tmp_path / "d")
    os.mkfifo(tmp_path / "d" / "fifo")
    os.symlink("/dev/null", tmp_path / "d" / "null")
    os.symlink("plain", tmp_path / "d" / "soft")
    trees.write(str(tmp_path / "d" / "plain"), content[:-7])
    trees.write(str(tmp_path / "content"), content)
    results = []
    for read in (lambda: realborg.create(str(tmp_path), "d", "lz4", "--read-special"),
                 lambda: program.report_of("--exact", "--levels", "lz4", "--read-special", "d",
                                           cwd=str(tmp_path))):
        with subprocess.Popen(["sh", "-c", "cat content > d/fifo"], cwd=str(tmp_path)):
            results.append(read())
    theirs, ours = results
    assert theirs.nfiles == 3 and theirs.original_size == 2 * len(content) - 7
    assert ({count: ours["dataset"][count] for count in COUNTS}
            == {count: getattr(theirs, count) for count in COUNTS})
