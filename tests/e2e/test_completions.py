# SPDX-License-Identifier: BSD-2-Clause
"""What the build writes from the option table: completions that shells understand, and the manual."""
import os
import pathlib
import re
import subprocess

import program
import pytest

DESCRIBED = pathlib.Path(os.environ["CADV_BUILD"]) / "src" / "described"
BASH, ZSH, FISH = (DESCRIBED / name for name in ("compadvise.bash", "_compadvise", "compadvise.fish"))


def options():
    """The long options of --help."""
    text = program.run("--help").stdout.decode()
    return sorted(set(re.findall(r"(?:^|[ ,])--([a-z0-9-]+)", text)) | {"usage"})


def complete(*words, cwd="."):
    """What bash offers for the last word, the cursor at its end."""
    script = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _compadvise; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", script, "bash", BASH, "compadvise", *words], check=True,
                          capture_output=True, text=True, cwd=cwd)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_bash_knows_the_command():
    done = subprocess.run(["bash", "-c", '. "$1"; complete -p compadvise', "bash", BASH], check=True,
                          capture_output=True, text=True)
    assert done.stdout == "complete -F _compadvise compadvise\n"


def test_bash_offers_every_option():
    assert sorted(complete("--")) == ["--" + name for name in options()]
    assert complete("--form") == ["--format"]
    assert sorted(complete("--format", "csv", "--no-b")) == ["--no-baseline"]


def test_bash_offers_words_in_both_spellings():
    assert complete("--format", "") == ["table", "json", "csv", "markdown"]
    assert complete("--format", "=", "m") == complete("--format", "m") == ["markdown"]
    assert complete("--format", "=") == ["table", "json", "csv", "markdown"]
    assert complete("--units", "i") == ["iec"]


def test_bash_completes_the_last_item_of_a_list():
    assert complete("--columns", "level,wa") == ["level,wall"]
    assert complete("--columns", "level,size,ra") == ["level,size,ratio"]


def test_bash_offers_files_where_files_are_meant(tmp_path):
    for name in ("a file", "another"):
        (tmp_path / name).write_text("")
    for words in (("a",), ("-o", "a"), ("--output", "=", "a"), ("--exact", "a")):
        assert sorted(complete(*words, cwd=tmp_path)) == ["a file", "another"], words
    assert complete("--jobs", "a", cwd=tmp_path) == []


@pytest.mark.parametrize("command", [["bash", "-n", BASH], ["zsh", "-n", ZSH], ["fish", "-n", FISH],
                                     ["shellcheck", "-s", "bash", BASH]])
def test_shells_can_read_them(command):
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_fish_offers_options_and_words():
    def offered(line):
        done = subprocess.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                               FISH, line], check=True, capture_output=True, text=True)
        return [text.split("\t")[0] for text in done.stdout.splitlines()]
    assert sorted(offered("compadvise --")) == ["--" + name for name in options()]
    assert sorted(offered("compadvise --units ")) == ["iec", "raw", "si"]


def test_zsh_has_every_option_with_its_words():
    text = ZSH.read_text()
    assert text.startswith("#compdef compadvise\n")
    assert sorted(re.findall(r"^    '\*(?:'\{'-.\+?',')?--([a-z-]+)=?'", text, re.M)) == options()
    assert "(si iec raw)" in text


def test_the_manual_describes_every_option_with_its_help():
    text = (DESCRIBED / "compadvise.1").read_text()
    found = re.findall(r"^\.It .*Fl \\-([a-z-]+)", text, re.M)
    assert sorted(found) == options()
    assert "@OPTIONS@" not in text
    shown = subprocess.run(["mandoc", "-T", "utf8", DESCRIBED / "compadvise.1"], check=True,
                           capture_output=True, text=True).stdout
    assert "Stay" in shown or "Do not enter other file systems." in shown
