# SPDX-License-Identifier: BSD-2-Clause
"""Where and as whom the program runs: folders open to all, another user, mounts of its own."""
import os
import shutil
import stat
import subprocess
import tempfile

import program

NOBODY = 65534


def open_folder():
    """A new folder that any user can enter and only we can write; pytest's own are private."""
    folder = tempfile.mkdtemp(prefix="cadv-e2e-")
    os.chmod(folder, 0o755)
    return folder


def open_program(folder):
    """A copy of the program in `folder` that any user can run, wherever the build folder is."""
    return shutil.copy(program.PROGRAM, os.path.join(folder, "compadvise"))


def as_nobody():
    """Keywords for subprocess that drop root: to root no file is unreadable."""
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def _namespace_commands():
    if os.geteuid() == 0:
        yield ["unshare", "--mount"]
    yield ["unshare", "--user", "--map-root-user", "--mount"]


def mount_namespace():
    """The words to put before a command so that it may mount unseen by others; None: impossible."""
    for words in _namespace_commands():
        try:
            probe = subprocess.run([*words, "mount", "-t", "tmpfs", "probe", "/mnt"], check=False,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except FileNotFoundError:
            return None
        if probe.returncode == 0:
            return words
    return None


def snapshot(folder):
    """Everything about the tree that a reader could disturb: path -> stat fields and content size."""
    found = {}
    for top, names, files in os.walk(folder):
        for path in [top, *(os.path.join(top, name) for name in names + files)]:
            info = os.lstat(path)
            kept = [info.st_ino, info.st_mode, info.st_nlink, info.st_mtime_ns, info.st_ctime_ns]
            kept.append(None if stat.S_ISDIR(info.st_mode) else info.st_size)
            found[path] = tuple(kept)
    return found
