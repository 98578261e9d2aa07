# SPDX-License-Identifier: BSD-2-Clause
"""Results made by hand, printed as JSON: valid by the shipped schema, exact in their values."""
import copy
import json
import os
import pathlib
import subprocess

import jsonschema
import pytest

CASES = ["typical", "exact", "partial", "stopped", "empty", "one", "many", "huge", "hostile",
         "unknown"]
PRINTER = pathlib.Path(os.environ["CADV_BUILD"]) / "tests" / "e2e" / "print_result"
SCHEMA = json.loads(
    (pathlib.Path(os.environ["CADV_SOURCE"]) / "docs" / "report.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def report(case, locale="C.UTF-8"):
    run = subprocess.run([PRINTER, case, "json"], capture_output=True, check=True,
                         env={**os.environ, "LC_ALL": locale})
    assert run.stderr == b""
    return run.stdout


def load(case):
    return json.loads(report(case).decode("utf-8"))


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("case", CASES)
def test_a_report_is_valid_and_the_same_in_every_locale(case):
    VALIDATOR.validate(load(case))
    assert report(case) == report(case, "C")


def objects(schema):
    """Every object schema with named properties, for the strictness test."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for value in schema.values():
            yield from objects(value)


def test_every_object_is_closed_and_all_its_keys_are_required():
    found = list(objects(SCHEMA))
    assert len(found) >= 10
    for schema in found:
        assert schema["additionalProperties"] is False
        assert sorted(schema["required"]) == sorted(schema["properties"])


@pytest.mark.parametrize("spoil", [
    lambda r: r.pop("levels"),
    lambda r: r.update(schema_version=2),
    lambda r: r.update(surprise=1),
    lambda r: r["dataset"].update(original_size=1.5),
    lambda r: r["dataset"].update(nfiles=-1),
    lambda r: r["levels"][0].update(name="zstd:3"),
    lambda r: r["levels"][0].update(timing=[]),
    lambda r: r["advice"].update(knee="zstd,3"),
    lambda r: r["sample"].update(confidence=95),
])
def test_a_spoiled_report_is_not_valid(spoil):
    spoiled = copy.deepcopy(load("typical"))
    spoil(spoiled)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(spoiled)


def test_values_are_those_of_the_result():
    r = load("typical")
    assert r["schema_version"] == 1 and r["complete"] is True
    assert r["dataset"]["original_size"] == 2_000_000_000_000
    assert r["dataset"]["total_unique_chunks"] == 612345
    assert r["dataset"]["roots"] == ["/srv"]
    assert r["dataset"]["incompressible_bytes"] == {
        "est": 480 * 10**9, "lo": 464 * 10**9, "hi": 496 * 10**9}
    assert r["sample"] == {"chunks": 4096, "bytes": 6400000000, "exact": False,
                           "complete": True, "confidence": 0.95, "salt": 7}
    assert r["stop"] is None
    assert r["dataset"]["walk_complete"] is True and r["dataset"]["unread_bytes"] == 0
    assert [level["name"] for level in r["levels"]] == ["none", "lz4", "zstd,3", "zstd,19"]
    assert [level["codec"] for level in r["levels"]] == ["none", "lz4", "zstd", "zstd"]
    assert [level["level"] for level in r["levels"]] == [0, 0, 3, 19]
    assert r["levels"][2]["repository_size"] == {
        "est": 920 * 10**9, "lo": 912 * 10**9, "hi": 928 * 10**9}
    assert r["levels"][0]["step"] is None
    assert r["levels"][2]["step"] == {"over": "lz4", "saved_bytes": {
        "est": 180_000_000_000, "lo": 179_000_000_000, "hi": 181_000_000_000}}
    assert r["advice"]["beyond_knee"] == {"level": "zstd,19", "saved_bytes": {
        "est": 260_000_000_000, "lo": 259_000_000_000, "hi": 261_000_000_000}}
    assert r["levels"][2]["timing"]["wall_seconds"] == 3180
    assert r["levels"][2]["timing"]["bottleneck"] == "reading"
    assert r["advice"]["archive"]["level"] == "zstd,19"
    assert r["advice"]["kneedle"] is None
    assert r["options"]["levels"] == ["zstd,3", "zstd,19"]
    assert r["options"]["chunker_params"] == "buzhash,19,23,21,4095"
    assert r["options"]["storage_price"] == 0.01
    assert r["timing"]["scan_seconds"] == 1800.25
    assert r["warnings"] == ["The data are mostly video."]


def test_counts_are_integers_to_the_last_byte():
    r = load("huge")
    assert b'"upper_bound": 9223372036854775807' in report("huge")
    assert r["dataset"]["incompressible_bytes"]["est"] == 8999999 * 10**9 - 1


def unescape(text):
    """Back to the bytes of the name, as the schema's description says."""
    out = bytearray()
    raw = text.encode("utf-8")
    at = 0
    while at < len(raw):
        if raw[at:at + 2] == b"\\\\":
            out += b"\\"
            at += 2
        elif raw[at:at + 2] == b"\\x":
            out.append(int(raw[at + 2:at + 4], 16))
            at += 4
        else:
            out.append(raw[at])
            at += 1
    return bytes(out)


def test_any_name_can_be_recovered():
    r = load("hostile")
    assert r["dataset"]["roots"][0] == "/srv/caf\u00e9"
    assert r["dataset"]["roots"][2] == "/srv/a\\\\x41"
    assert [unescape(root) for root in r["dataset"]["roots"]] == [
        b"/srv/caf\xc3\xa9", b"/srv/\xff\xfe", b"/srv/a\\x41", b"/srv/\x1b[31mred", b"/a", b"/b"]
    assert [unescape(p["path"]) for p in r["dataset"]["problems"]["listed"]] == [
        b"/srv/\xed\xa0\x80", b"/srv/new\nline\ttab", b"/srv/\xe2\x80\xaetxt.exe\xc2\x9b"]
    assert [p["error"] for p in r["dataset"]["problems"]["listed"]] == [
        "Permission denied", "No such file or directory", None]
    assert unescape(r["options"]["excludes"][0]) == b"*\xc0\xaf*"
    assert r["options"]["sample_salt"] == "18446744073709551615"


def test_what_is_not_known_is_null():
    r = load("unknown")
    assert r["levels"][1]["repository_size"] is None and r["levels"][1]["timing"] is None
    assert r["levels"][2]["timing"]["cores"] is None
    assert r["levels"][2]["timing"]["restore_seconds"] is None
    assert r["levels"][2]["timing"]["bottleneck"] is None
    assert r["dataset"]["incompressible_bytes"] is None


def test_what_cut_the_run_short_is_stated():
    partial = load("partial")
    assert partial["complete"] is False and partial["dataset"]["scan_complete"] is False
    assert partial["stop"] == {"reason": "signal", "signal": 2}
    assert partial["dataset"]["walk_complete"] is False
    assert partial["dataset"]["unread_bytes"] == 4_500_000_000
    stopped = load("stopped")
    assert stopped["complete"] is True and stopped["dataset"]["scan_complete"] is True
    assert stopped["stop"] == {"reason": "signal", "signal": 15}
    assert stopped["sample"]["complete"] is False


def test_an_empty_partial_report_still_says_all():
    r = load("empty")
    assert r["complete"] is False and r["dataset"]["scan_complete"] is False
    assert r["levels"] == [] and r["warnings"] == []
    assert set(r["advice"].values()) == {None}
