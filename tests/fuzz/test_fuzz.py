"""Some cases of the fuzzer at a fixed seed; and the laws it watches can be broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import cases, laws, reading

HERE = Path(__file__).parent


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the fuzzer forks: POSIX only")
def test_no_case_breaks_a_law(tmp_path):
    asked = [sys.executable, HERE / "run.py", "--first", "100", "--cases", "100", "--seed", "7"]
    ended = subprocess.run(
        [*asked, "--state", tmp_path], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout[-5_000:] + ended.stderr[-5_000:]
    assert "100 passed, 0 failed" in ended.stdout


def test_a_case_depends_on_its_seed_and_number_alone():
    assert cases.case(3, 14) == cases.case(3, 14)
    assert cases.case(3, 14) != cases.case(4, 14)


@pytest.fixture
def ended(tmp_path):
    """Return how a run ended that did everything right, unless told otherwise."""

    def run(case, *, out=b"", err=b"", changed=(), code=0, cpu=0.1, megabytes=100.0):
        folder, temp = tmp_path / "folder", tmp_path / "temp"
        for path in (folder, temp):
            path.mkdir()
        for name, content in {**case.files, **dict(changed)}.items():
            (folder / name).write_bytes(content)
        (tmp_path / "out").write_bytes(out)
        (tmp_path / "err").write_bytes(err)
        return laws.faults(case, laws.Outcome(code, cpu, megabytes, folder, temp, hung=False))

    return run


HOW = {"kind": "wide", "rows_are_judges": False, "header": ("model", "a", "b"), "form": "csv"}
CASE = cases.Case(
    0, 0, {"t.csv": b"model,a,b\nrf,1,2\nknn,0,1\n"}, ("rank", "t.csv", "--json"), table="t.csv",
    reading=HOW | {"encoding": "utf-8", "delimiter": ","},
)  # fmt: skip
RIGHT = b'{"rows": [{"candidate": "rf", "merit": 1.5}, {"candidate": "knn", "merit": 0.5}]}'


def test_a_right_answer_breaks_no_law(ended):
    assert ended(CASE, out=RIGHT) == []


@pytest.mark.parametrize(
    ("fault", "how"),
    [
        ("misread", {"out": RIGHT.replace(b"1.5", b"1.6")}),
        ("no JSON", {"out": b'{"rows": NaN}'}),
        ("exit code 1", {"out": RIGHT, "code": 1}),
        ("was stopped", {"code": 3, "err": b"error: deadheat was stopped: memory.\n"}),
        ("Traceback", {"out": RIGHT, "err": b"Traceback (most recent call last):\n"}),
        ("RuntimeWarning", {"out": RIGHT, "err": b"x.py:1: RuntimeWarning: overflow\n"}),
        ("the input t.csv was changed", {"out": RIGHT, "changed": [("t.csv", b"")]}),
        ("wrote", {"out": RIGHT, "changed": [("half", b"")]}),
        ("raw controls", {"out": RIGHT, "err": b"warning: \x1b[31m\n"}),
        ("an escape sequence", {"out": RIGHT.replace(b"knn", b"\x1b[31m")}),
        ("without a message", {"code": 3}),
        ("took 21 s", {"out": RIGHT, "cpu": 21.0}),
        ("took 2,100 MB", {"out": RIGHT, "megabytes": 2_100.0}),
    ],
)
def test_a_broken_law_is_seen(ended, fault, how):
    assert any(fault in found for found in ended(CASE, **how))


def test_the_independent_reading_refuses_what_is_in_doubt():
    assert reading.means(b"model,a,b\nrf,1,2\nknn,,1\n", CASE.reading) is None
    assert reading.means(b"model,a,b\nrf,1,2\nrf,0,1\n", CASE.reading) is None
