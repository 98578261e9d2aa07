# SPDX-License-Identifier: BSD-2-Clause
"""Archives and streams as datasets: every form, and every way in which they lie or break."""
import io
import os
import pty
import signal
import subprocess
import zipfile

import archives
import places
import program
import pytest
import trees
import watch

FAST = ("--levels", "lz4", "--exact")
PROBLEMS, USAGE, FAILED = 1, 2, 3
MIB = 1 << 20


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """Thirty files, two MB, some in folders, one empty."""
    folder = tmp_path_factory.mktemp("top")
    for i in range(29):
        trees.write(str(folder / ("d%d" % (i % 3)) / ("file%d" % i)), b"%d " % i * (100 + 1700 * i))
    trees.write(str(folder / "empty"), b"")
    return str(folder)


def content_of(folder):
    sizes = [os.path.getsize(os.path.join(where, name))
             for where, _, names in os.walk(folder) for name in names]
    return {"nfiles": len(sizes), "original_size": sum(sizes)}


def counted(report):
    return {name: report["dataset"][name] for name in ("nfiles", "original_size")}


def listed(report):
    return [(problem["kind"], problem["path"])
            for problem in report["dataset"]["problems"]["listed"]]


def scan(tmp_path, data, *options, code=0, name="archive"):
    path = str(tmp_path / name)
    with open(path, "wb") as out:
        out.write(data)
    return program.report_of(*FAST, *options, "--tar", path, code=code)


FORMS = {
    **{"tar " + kind: (lambda top, _, kind=kind: archives.tar(top, kind))
       for kind in ("v7", "ustar", "gnu", "oldgnu", "posix")},
    **{"tar " + kind: (lambda top, _, kind=kind: archives.compressed(top, kind))
       for kind in archives.COMPRESSIONS},
    **{"cpio " + kind: (lambda top, _, kind=kind: archives.cpio(top, kind))
       for kind in ("newc", "crc", "odc", "bin")},
    **{kind: (lambda top, _, kind=kind: archives.bsdtar(top, kind))
       for kind in ("zip", "7zip", "iso9660", "pax")},
    "zip by Python": lambda top, _: archives.python_zip(top),
    "rpm": lambda top, _: archives.rpm(top),
    "deb": lambda top, tmp_path: archives.deb(top, str(tmp_path / "package")),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_each_form_holds_the_files_that_were_put_in(top, tmp_path, form):
    report = scan(tmp_path, FORMS[form](top, tmp_path))
    assert counted(report) == content_of(top)
    assert report["complete"] is True and report["warnings"] == []


@pytest.mark.parametrize("form", ["tar gzip", "tar posix", "cpio newc", "zip by Python", "deb"])
def test_a_pipe_will_do(top, tmp_path, form):
    trees.write(str(tmp_path / "data"), FORMS[form](top, tmp_path))
    with subprocess.Popen(["cat", str(tmp_path / "data")], stdout=subprocess.PIPE) as pipe:
        report = program.report_of(*FAST, "-", stdin=pipe.stdout)
    assert counted(report) == content_of(top)


def test_a_7z_cannot_come_through_a_pipe_and_the_line_says_what_to_do(top):
    with subprocess.Popen(["bsdtar", "-cf", "-", "--format", "7zip", "."], cwd=top,
                          stdout=subprocess.PIPE) as pipe:
        done = program.run(*FAST, "-", stdin=pipe.stdout)
    assert done.returncode == FAILED and "--tar" in program.error_line(done)


def test_the_result_is_the_same_for_any_number_of_jobs(top, tmp_path):
    archive = str(tmp_path / "a.tar.gz")
    with open(archive, "wb") as out:
        out.write(archives.compressed(top, "gzip"))
    reports = [program.report_of("--levels", "lz4,zstd:3", "--jobs", jobs, "--tar", archive, top,
                                 "--tar", archive) for jobs in ("1", "2", "7")]
    assert len({program.steady(report) for report in reports}) == 1
    one = content_of(top)
    assert counted(reports[0]) == {name: 3 * value for name, value in one.items()}


def test_links_in_a_cpio_are_counted_once(tmp_path):
    top = tmp_path / "linked"
    trees.write(str(top / "a"), b"content" * 1000)
    os.link(top / "a", top / "b")
    for kind in ("newc", "odc"):
        report = scan(tmp_path, archives.cpio(str(top), kind), name=kind)
        assert report["dataset"]["original_size"] == 7000


def test_a_hard_link_to_what_is_not_there_is_a_link(tmp_path):
    data = archives.members(("file", b"x" * 1000),
                            ("link", {"type": b"1", "linkname": "../no/such"}),
                            ("fifo", {"type": b"6"}), ("null", {"type": b"3", "devmajor": 1}),
                            ("soft", {"type": b"2", "linkname": "/etc/passwd"}))
    dataset = scan(tmp_path, data)["dataset"]
    assert (dataset["nfiles"], dataset["hardlinks"], dataset["nitems"]) == (1, 1, 5)
    assert dataset["original_size"] == 1000


ODD_NAMES = ("/etc/shadow", "../../outside", "..", ".", "./", "//", "a/../b", "new\nline", "-rf",
             "\udcff\udcfe", "\x1b[31m", "n" * 4000, "ü", "tail/")


def test_names_of_any_kind_touch_nothing(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    for kind in (archives.tarfile.GNU_FORMAT, archives.tarfile.PAX_FORMAT):
        data = archives.members(*((name, b"content %d" % i) for i, name in enumerate(ODD_NAMES)),
                                kind=kind)
        with open(inside / "archive", "wb") as out:
            out.write(data)
        before = places.snapshot(str(tmp_path))
        report = program.report_of(*FAST, "--tar", "archive", cwd=str(inside))
        assert places.snapshot(str(tmp_path)) == before
        # What ends with a slash is a folder to some, a file to others.
        assert report["dataset"]["nitems"] == len(ODD_NAMES)
        assert report["dataset"]["nfiles"] >= sum(not name.endswith("/") for name in ODD_NAMES)
        assert report["dataset"]["problems"]["count"] == 0


@pytest.mark.parametrize("part", [0.35, 0.7, 0.9])
@pytest.mark.parametrize("form", ["tar ustar", "tar gzip", "tar zstd", "cpio newc"])
def test_a_truncated_archive_is_counted_as_far_as_it_goes(top, tmp_path, form, part):
    data = FORMS[form](top, tmp_path)
    report = scan(tmp_path, data[:int(part * len(data)) - 77], code=PROBLEMS)
    whole = content_of(top)
    assert 0 < report["dataset"]["original_size"] < whole["original_size"]
    assert report["dataset"]["problems"]["by_kind"]["damaged"] == 1
    assert len(report["warnings"]) == 1 and "read to the end" in report["warnings"][0]


def test_damage_in_the_middle_of_a_zip_leaves_the_other_members(top, tmp_path):
    data = bytearray(archives.python_zip(top))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as made:
        info = made.infolist()[3]
    at = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    data[at:at + 4] = b"\xff\xff\xff\xff"
    report = scan(tmp_path, bytes(data), code=PROBLEMS)
    assert report["dataset"]["nfiles"] == content_of(top)["nfiles"]
    assert listed(report) == [("damaged", "%s:%s" % (tmp_path / "archive", info.filename))]


@pytest.mark.parametrize("method", ["zipcrypt", "aes256"])
def test_encrypted_members_are_counted_and_the_rest_is_read(top, tmp_path, method):
    locked = tmp_path / "locked"
    trees.write(str(locked / "secret"), b"secret" * 1000)
    data = archives.bsdtar(str(locked), "zip", "--options", "zip:encryption=" + method,
                           "--passphrase", "x")
    trees.write(str(tmp_path / "locked.zip"), data)
    report = program.report_of(*FAST, "--tar", str(tmp_path / "locked.zip"), top, code=PROBLEMS)
    assert report["dataset"]["problems"]["by_kind"]["encrypted"] == 1
    assert counted(report) == content_of(top)
    assert listed(report)[0][1].endswith("locked.zip:secret") or listed(report)[0][1].endswith(
        "locked.zip:./secret")


BOMBS = {
    "zip": lambda top: archives.bsdtar(top, "zip"),
    "gzip": lambda top: archives.compressed(top, "gzip"),
    "xz": lambda top: archives.compressed(top, "xz"),
    "7zip": lambda top: archives.bsdtar(top, "7zip"),
    "hole": lambda top: archives.hole(1 << 60),
}


@pytest.mark.parametrize("kind", sorted(BOMBS))
def test_a_bomb_ends_at_the_limit(tmp_path, kind):
    zeros = tmp_path / "zeros"
    zeros.mkdir()
    with open(zeros / "zeros", "wb") as out:
        out.truncate(300 * MIB)
    report = scan(tmp_path, BOMBS[kind](str(zeros)), "--max-archive-bytes", "20Mi", code=PROBLEMS)
    assert report["dataset"]["problems"]["by_kind"]["limit"] == 1
    assert 0 < report["dataset"]["original_size"] < 60 * MIB
    assert report["timing"]["peak_memory_bytes"] < 400 * MIB


def test_many_headers_are_bounded_too(tmp_path):
    """A million empty members in a file of a few KB."""
    top = archives.members(*(("m%d" % i, b"") for i in range(20)))[:20 * archives.BLOCK]
    data = subprocess.run(["zstd", "-q"], input=top * 50000, check=True,
                          stdout=subprocess.PIPE).stdout
    trees.write(str(tmp_path / "bomb"), data)
    trees.write(str(tmp_path / "file"), b"content" * 1000)
    report = program.report_of(*FAST, "--max-archive-bytes", "50M", "--tar",
                               str(tmp_path / "bomb"), str(tmp_path / "file"), code=PROBLEMS)
    assert report["dataset"]["problems"]["by_kind"]["limit"] == 1
    assert 50000 < report["dataset"]["nfiles"] < 120000


@pytest.mark.parametrize("size", [b"77777777777\0", b"\x80\0\0\0\x7f" + b"\xff" * 7,
                                  b"\x80" + b"\xff" * 11, b"\xff" * 12, b"-1\0" + bytes(9),
                                  b"garbage here"])
def test_a_lying_size_is_damage(tmp_path, size):
    data = (archives.members(("good", b"x" * 1000))[:2 * archives.BLOCK + archives.BLOCK]
            + archives.header(b"liar", size) + b"little")
    report = scan(tmp_path, data, code=PROBLEMS)
    assert report["dataset"]["original_size"] < 5000
    assert report["dataset"]["problems"]["by_kind"]["damaged"] >= 1


@pytest.mark.parametrize("data, said", [
    (b"", "empty"), (os.urandom(10000), "no archive"), (b"text\n" * 1000, "no archive"),
    (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00",
     "no archive"),
])
def test_what_is_no_archive_is_refused_in_one_line(tmp_path, data, said):
    trees.write(str(tmp_path / "data"), data)
    done = program.run(*FAST, "--tar", str(tmp_path / "data"))
    assert done.returncode == FAILED and said in program.error_line(done)
    with open(tmp_path / "data", "rb") as stream:
        done = program.run(*FAST, "-", stdin=stream)
    line = program.error_line(done)
    assert done.returncode == FAILED and said in line and "standard input" in line


def test_misuse_of_standard_input_is_a_usage_error(top):
    for words in (("-", "-"), ("--tar", "-", "-"), ("--stdin-name", "x", top),
                  ("--stdin-name", "", "-")):
        done = program.run(*words)
        assert done.returncode == USAGE, words
        program.error_line(done)
    leader, terminal = pty.openpty()
    try:
        done = program.run("-", stdin=terminal)
        assert done.returncode == USAGE and "terminal" in program.error_line(done)
    finally:
        os.close(leader)
        os.close(terminal)


def test_a_missing_archive_is_named_before_anything_is_read(top, tmp_path):
    for path in (str(tmp_path / "missing"), str(tmp_path)):
        done = program.run(*FAST, top, "--tar", path)
        assert done.returncode == FAILED and path in program.error_line(done)


def test_a_stream_can_be_stopped_while_it_waits(tmp_path):
    """A tar of which half came, and nothing follows."""
    data = archives.members(("first", b"1" * 100000), ("second", b"2" * 100000))
    read_end, write_end = os.pipe()
    with subprocess.Popen([program.PROGRAM, "--format", "json", *FAST, "-"], stdin=read_end,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        os.close(read_end)
        os.write(write_end, data[:60000])
        os.write(write_end, data[60000:120000])
        watch.until_cpu_used(child, 0.01)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        os.close(write_end)
    assert child.returncode == 128 + signal.SIGINT, err
    if out:
        report = program.parse(out)
        assert report["complete"] is False
        assert report["dataset"]["original_size"] < 200000


def test_a_pipe_without_a_writer_can_be_stopped(tmp_path):
    trees.write(str(tmp_path / "file"), b"content" * 100000)
    os.mkfifo(tmp_path / "fifo")
    with watch.running(*FAST, "--jobs", "1", "--read-special", str(tmp_path)) as child:
        watch.until_one_is_open(child, [str(tmp_path / "fifo")])
        child.send_signal(signal.SIGTERM)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 128 + signal.SIGTERM, err
    assert program.parse(out)["complete"] is False
    report = program.report_of(*FAST, str(tmp_path))
    assert report["dataset"]["nfiles"] == 1 and report["dataset"]["nitems"] == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="loop devices are root's")
def test_a_block_device_is_read_as_a_file(tmp_path):
    image = str(tmp_path / "image")
    trees.write(image, os.urandom(3 * MIB) + bytes(MIB))
    found = subprocess.run(["losetup", "-f", "--show", image], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, check=False)
    if found.returncode != 0:
        pytest.skip("no loop device is to be had here")
    device = found.stdout.decode().strip()
    try:
        report = program.report_of(*FAST, "--read-special", device)
        assert counted(report) == {"nfiles": 1, "original_size": 4 * MIB}
    finally:
        subprocess.run(["losetup", "-d", device], check=True)
