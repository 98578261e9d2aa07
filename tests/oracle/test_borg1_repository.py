# SPDX-License-Identifier: BSD-2-Clause
"""The target for Borg 1.x against repositories that a real Borg made.

Given the very chunks that Borg stored, our packed items must be Borg's item stream (but for the
ids, which are ours), and the sum of the repository's files must be the one we work out.
"""

import os
import random
import shlex
import subprocess
import sys

import msgpack
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

import borg_run as borg  # noqa: E402

PROBE = os.path.join(os.environ["CADV_BUILD"], "tests", "oracle", "borg1_probe")

# csize = stored + the envelope's byte + the two that name the codec.
CSIZE_EXTRA = 3

FILE, DIRECTORY, SYMLINK, FIFO, DEVICE = range(5)
TYPES = {0o100000: FILE, 0o040000: DIRECTORY, 0o120000: SYMLINK, 0o010000: FIFO,
         0o020000: DEVICE, 0o060000: DEVICE}

LEVELS = ["none", "lz4", "zstd,1", "zstd,3", "zstd,12", "zstd,19"]


def make_tree(root):
    """Every kind of entry whose fields differ: sizes, names, links, owners, times."""
    rng = random.Random(20)
    root.mkdir()
    for size in (0, 1, 100, 127, 128, 255, 256, 65535, 65536, 600000):
        (root / f"size{size}").write_bytes(rng.randbytes(size))
    (root / "text").write_bytes(b"so it goes, and goes again\n" * 3000)
    (root / "zeros").write_bytes(bytes(3000000))
    (root / "same").write_bytes((root / "size600000").read_bytes())
    # Chunks of 1 KiB on average: arrays beyond 15 and beyond 255.
    (root / "many").write_bytes(rng.randbytes(400000))
    (root / "some").write_bytes(rng.randbytes(16000))

    deep = root
    for step in range(4):
        deep = deep / ("deep" * 10 + str(step))
        deep.mkdir()
        (deep / ("name" * (step + 1))).write_bytes(b"x" * step)
    (root / "\u00e9\u4e16 'quoted'").write_bytes(b"odd")
    with open(os.path.join(os.fsencode(root), b"raw\xff\n"), "wb") as odd:
        odd.write(b"odder")

    os.link(root / "text", root / "text-again")
    os.link(root / "text", deep / "text-again")
    os.symlink("text", root / "link")
    os.symlink("t" * 300, root / "link-long")
    os.mkfifo(root / "fifo")
    os.mkfifo(root / "fifo-linked")
    os.link(root / "fifo-linked", root / "fifo-again")
    os.utime(root / "size1", ns=(5, 5))
    os.utime(root / "size100", (1, -5))
    os.utime(root / "size127", (1, 2**33))
    if os.geteuid() == 0:
        os.chown(root / "size255", 54321, 300)
        os.chown(root / "size256", 3000000, 70000)
        os.mknod(root / "device", 0o020600, os.makedev(1, 3))
        os.mknod(root / "device-large", 0o060600, os.makedev(259, 70000))
        os.link(root / "device", root / "device-again")


def tolerance(level):
    """What is random in the two small objects compresses a little differently each time."""
    return 0 if level == "none" else 24


def chunker_of(level):
    """Small chunks make long lists."""
    return ("--chunker-params", "buzhash,9,13,10,511") if level == "none" else ()


@pytest.fixture(scope="module", params=LEVELS)
def made(request, tmp_path_factory):
    if not borg.is_available():
        if os.environ.get("CADV_ALLOW_SKIP"):
            pytest.skip("no borg")
        pytest.fail("no borg to compare with")
    folder = tmp_path_factory.mktemp("borg1")
    make_tree(folder / "tree")
    return archive_of(folder, request.param, "tree", chunker_of(request.param))


def archive_of(folder, level, path, options=()):
    tool = borg.Borg(folder)
    tool.init()
    tool.create(path, compression=level, options=options, cwd=str(folder))
    return {"borg": tool, "level": level, "dump": tool.dump()}


def hex_word(text):
    """Borg's dump writes bytes that are no UTF-8 as DEL and hexadecimal."""
    if text is None:
        return "-"
    return "=" + (text[1:] if text.startswith("\x7f") else text.encode().hex())


def item_line(item):
    kind = TYPES[item["mode"] & 0o170000]
    source = item.get("source")
    words = [
        kind, item["mode"], item["uid"], item["gid"], 2 if item.get("hardlink_master") else 1,
        item.get("rdev", 0), item["mtime"], item["ctime"], hex_word(item["path"]),
        hex_word(None if kind == SYMLINK else source),
        hex_word(source if kind == SYMLINK else None),
        hex_word(item["user"]), hex_word(item["group"]),
    ]
    for chunk_id, size, csize in item.get("chunks", []):
        words.append(f"{size}:{csize}:{chunk_id.lstrip(chr(0x7f))[:32]}")
    return " ".join(map(str, words))


def probe(what, lines):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run(
        [PROBE, what], input=text.encode(), capture_output=True, check=True
    ).stdout


def without_ids(stream):
    """The stream's items with keys in order, each chunk's id made blank."""
    unpacker = msgpack.Unpacker(raw=True, object_pairs_hook=list)
    unpacker.feed(stream)
    items = []
    for pairs in unpacker:
        items.append([
            (key, [[b"", size, csize] for _, size, csize in value] if key == b"chunks" else value)
            for key, value in pairs
        ])
    return items


def ids(stream):
    unpacker = msgpack.Unpacker(raw=True)
    unpacker.feed(stream)
    return [chunk[0] for item in unpacker for chunk in item.get(b"chunks", [])]


def load_lines(made):
    """What `borg1_probe size` reads: the load as Borg's own archive has it."""
    dump, tool = made["dump"], made["borg"]
    objects = tool.objects()
    chunks = [tuple(chunk) for item in dump["_items"] for chunk in item.get("chunks", [])]
    unique = {chunk_id: (size, csize) for chunk_id, size, csize in chunks}
    item_ids = {chunk_id.lstrip("\x7f") for chunk_id in dump["_meta"]["items"]}
    load = {
        "level": made["level"],
        "encryption": made.get("encryption", "none"),
        "hostname": dump["_meta"]["hostname"],
        "username": dump["_meta"]["username"],
        "command": " ".join(map(shlex.quote, dump["_meta"]["cmdline"])),
        "content_stored_bytes": sum(csize - CSIZE_EXTRA for _, csize in unique.values()),
        "content_unique_chunks": len(unique),
        "content_unique_bytes": sum(size for size, _ in unique.values()),
        "content_total_chunks": len(chunks),
        "content_original_bytes": sum(size for _, size, _ in chunks),
        "items_stored_bytes": sum(objects[chunk_id] - CSIZE_EXTRA for chunk_id in item_ids),
        "items_unique_chunks": len(item_ids),
        "items_original_bytes": len(tool.item_stream()),
        "file_count": dump["_meta"]["nfiles"],
        "item_count": len(dump["_items"]),
    }
    return [f"{name} {value}" for name, value in load.items()]


def test_tree_has_what_it_is_made_for(made):
    items = {item["path"]: item for item in made["dump"]["_items"]}
    kinds = {TYPES[item["mode"] & 0o170000] for item in items.values()}
    assert {FILE, DIRECTORY, SYMLINK, FIFO} <= kinds
    assert sum("source" in item for item in items.values()) >= 5
    if made["level"] == "none":
        lengths = [len(item.get("chunks", [])) for item in items.values()]
        assert max(lengths) > 255 and any(15 < length <= 255 for length in lengths)
    if os.geteuid() == 0:
        assert DEVICE in kinds
        assert items["tree/size256"]["user"] is None


def test_packed_items_are_borgs_item_stream_but_for_the_ids(made):
    real = made["borg"].item_stream()
    ours = probe("items", [item_line(item) for item in made["dump"]["_items"]])
    assert len(ours) == len(real)
    assert without_ids(ours) == without_ids(real)
    # Both streams spelled alike: real ids in place of ours give the very bytes.
    for mine, theirs in zip(ids(ours), ids(real)):
        ours = ours.replace(b"\xda\x00\x20" + mine, b"\xda\x00\x20" + theirs)
    assert ours == real


def test_ids_repeat_exactly_where_borgs_do(made):
    real = ids(made["borg"].item_stream())
    ours = ids(probe("items", [item_line(item) for item in made["dump"]["_items"]]))
    assert len(set(real)) < len(real)
    assert [real.index(one) for one in real] == [ours.index(one) for one in ours]


def test_repository_size_is_the_sum_of_borgs_files(made):
    ours, bound = map(int, probe("size", load_lines(made)).split())
    real = made["borg"].size()
    assert abs(ours - real) <= tolerance(made["level"]), made["borg"].files()
    assert real <= bound


@pytest.mark.parametrize("level", ["none", "zstd,3"])
def test_index_of_many_objects_grows_as_borgs_does(tmp_path, level):
    tree = tmp_path / "tree"
    tree.mkdir()
    for number in range(1600):
        (tree / str(number)).write_bytes(b"%d\n" % number * 3)
    made = archive_of(tmp_path, level, "tree")
    files = made["borg"].files()
    assert [size for name, size in files.items() if name.startswith("index.")] == [18 + 40 * 4099]
    ours, bound = map(int, probe("size", load_lines(made)).split())
    assert abs(ours - made["borg"].size()) <= tolerance(level)
    assert made["borg"].size() <= bound
