"""A user's own ranking function from a file."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    "name", [":top_score", ":top-score", ":best", ":top-most", ":Top_Most", ""]
)
def test_a_users_own_function_is_loaded_from_a_file(run, table, own, name):
    done = run("rank", table, "--better", "higher", "--by", f"mean,{own}{name}", "--json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {row["function"] for row in rows} == {"mean", "top_score"}


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("OWN", ":nothing", "nothing"),
        ("OWN", ":unregistered", "not a registered function"),
        ("x = 1", "", "no ranking functions"),
        ("1 / 0", ":f", "line 1: ZeroDivisionError"),
        ("def f(:", ":f", "SyntaxError"),
        ("raise SystemExit(1)", ":f", "SystemExit"),
        (None, ":f", "there is no file"),
    ],
)
def test_a_file_that_does_not_hold_the_function_is_refused(run, table, own, content, name, words):
    path = own.with_name("other.py")
    if content is not None:
        path.write_text(own.read_text() if content == "OWN" else content, encoding="utf-8")
    done = run("rank", table, "--better", "higher", "--by", f"{path}{name}")
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


RAISING = """
import deadheat.ranking.registry as dh

def helper(scores):
    BODY

@dh.ranks_table("failing", scale="interval")
def failing(scores):
    \"\"\"Fail.\"\"\"
    return helper(scores)
"""
BODIES = {
    "raise ValueError('no\\nluck')": "ValueError: no luck",
    "return scores[99]": "IndexError: index 99 is out of bounds",
    "raise OSError(28, 'full')": "OSError: [Errno 28] full",
    "raise MemoryError": "MemoryError",
    "raise SystemExit('stop')": "SystemExit: stop",
    "return scores / missing": "NameError: name 'missing' is not defined",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("relative", [True, False])
def test_a_function_that_raises_is_told_with_its_place(spawn, table, tmp_path, body, relative):
    path = tmp_path / "mine.py"
    path.write_text(RAISING.replace("BODY", body), encoding="utf-8")
    file = path.name if relative else path
    done = spawn("rank", table, "--better", "higher", "--by", f"{file}:failing", cwd=tmp_path)
    error, hint = done.stderr.decode().splitlines()
    assert error.startswith(f"error: mine.py, line 5, in helper: {BODIES[body]}")
    assert hint.startswith("Hint: ")
    assert "DEADHEAT_DEBUG=1" in hint
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_file_that_fails_to_load_names_its_line_also_by_a_relative_path(spawn, table, tmp_path):
    (tmp_path / "bad.py").write_text("x = 1\n1 / 0\n", encoding="utf-8")
    done = spawn("rank", table, "--better", "higher", "--by", "bad.py:f", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: bad.py, line 2: ZeroDivisionError: ")


def test_the_traceback_is_shown_when_debugging(spawn, table, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RAISING.replace("BODY", "raise ValueError('no')"), encoding="utf-8")
    debug = {"DEADHEAT_DEBUG": "1"}
    done = spawn("rank", table, "--better", "higher", "--by", path, env=debug)
    assert done.returncode == 2
    assert b"Traceback (most recent call last)" in done.stderr
    assert b"return helper(scores)" in done.stderr
    assert b"\nerror: " in done.stderr
