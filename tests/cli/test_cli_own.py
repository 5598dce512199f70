"""A user's own ranking function from a file."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import sys

import pytest

from deadheat.ranking.function import forget


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
import deadheat.ranking.function as dh

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


@pytest.fixture
def forgets():
    """Forget the function that fails: this process goes on."""
    yield
    forget("failing")


@pytest.mark.usefixtures("forgets")
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("relative", [True, False])
def test_a_function_that_raises_is_told_with_its_place(
    run, table, tmp_path, monkeypatch, body, relative
):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(RAISING.replace("BODY", body), encoding="utf-8")
    file = path.name if relative else path
    done = run("rank", table, "--better", "higher", "--by", f"{file}:failing")
    error, hint = done.stderr.splitlines()
    assert error.startswith(f"error: mine.py, line 5, in helper: {BODIES[body]}")
    assert hint.startswith("Hint: ")
    assert "DEADHEAT_DEBUG=1" in hint
    assert (done.exit_code, done.stdout) == (2, "")


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


WRONG = {
    "return [float('inf'), 1, 2]": "ranking function wrong returned inf for candidate 1 of 3.",
    "return [1, 2, float('-inf')]": "ranking function wrong returned -inf for candidate 3 of 3.",
    "return [1, 1.5e308, -1.5e308]": "ranking function wrong returned 1.5e+308 for candidate 2",
    "return [[1], [2, 3], 4]": "function wrong returned a list that is not an array of numbers",
    "return [2**53 + 1, 2**53 + 2, 0]": "returned 9007199254740994, and whole numbers are exact",
    "return None": "returned object of shape () for 3 candidates and 3 judges",
    "return scores": "returned float64 of shape (3, 3) for 3 candidates and 3 judges",
    "return scores.mean(axis=1) * 1j": "returned complex128",
    "return ['a', 'b', 'c']": "returned <U1",
    "return {1: 2}": "returned object",
}
FUNCTION = """
import os
import subprocess
import sys

import deadheat.ranking.function as dh

@dh.ranks_table("wrong", scale="interval")
def wrong(scores):
    \"\"\"Be wrong.\"\"\"
    BODY
"""


@pytest.fixture
def wrong(tmp_path):
    from deadheat.core.errors import DeadheatError
    from deadheat.ranking.function import forget

    def written(body):
        path = tmp_path / "wrong.py"
        path.write_text(FUNCTION.replace("BODY", body), encoding="utf-8")
        return path

    yield written
    with contextlib.suppress(DeadheatError):
        forget("wrong")


@pytest.mark.parametrize("body", WRONG)
@pytest.mark.parametrize("command", [("rank",), ("verdict", "--replicates", 20)])
def test_what_is_no_merit_is_refused_with_the_line_of_its_function(
    run, table, wrong, monkeypatch, body, command
):
    path = wrong(body)
    monkeypatch.chdir(path.parent)
    done = run(*command, table, "--better", "higher", "--by", f"{path}:wrong")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: wrong.py, line 8: ")
    assert WRONG[body] in done.stderr
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize("body", ["raise BaseException('odd')", "raise GeneratorExit"])
def test_whatever_a_function_raises_is_told(run, table, wrong, monkeypatch, body):
    path = wrong(body)
    monkeypatch.chdir(path.parent)
    done = run("rank", table, "--better", "higher", "--by", f"{path}:wrong")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: wrong.py, line 11, in wrong: ")


@pytest.mark.parametrize("out", ["-", "/dev/stdout", "file"])
def test_what_a_function_prints_goes_to_standard_error(spawn, table, tmp_path, out):
    path = tmp_path / "loud.py"
    path.write_text(
        "print('imported')\n"
        + FUNCTION.replace("wrong", "loud").replace(
            "BODY",
            "print('printed'); os.write(1, b'written\\n'); subprocess.run(['echo', 'started'])\n"
            "    return scores.mean(axis=1)",
        ),
        encoding="utf-8",
    )
    place = tmp_path / "out.json" if out == "file" else out
    done = spawn("rank", table, "--better", "higher", "--by", f"{path}:loud", "--json",
                 "-o", place)  # fmt: skip
    assert done.returncode == 0, done.stderr
    content = place.read_bytes() if out == "file" else done.stdout
    assert json.loads(content)["rows"]
    for word in (b"imported", b"printed", b"written", b"started"):
        assert word in done.stderr
        assert word not in done.stdout


def test_a_picture_may_go_to_standard_output(spawn, table, tmp_path):
    path, picture = tmp_path / "loud.py", tmp_path / "x.svg"
    body = "os.write(1, b'babbled\\n')\n    return scores.mean(axis=1)"
    path.write_text(FUNCTION.replace("wrong", "loud").replace("BODY", body), encoding="utf-8")
    picture.symlink_to("/dev/stdout")
    done = spawn("plot", table, "intervals", "--better", "higher", "--by", path,
                 "--replicates", "400", "-o", picture)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith(b"</svg>")
    assert b"babbled" not in done.stdout
    assert b"babbled" in done.stderr


def test_standard_output_is_given_back_after_a_failure(run, table, wrong, capsys):
    done = run("rank", table, "--better", "higher", "--by", f"{wrong('print(1); 1 / 0')}:wrong")
    assert done.exit_code == 2
    assert done.stdout == ""
    sys.stdout.write("after\n")
    assert capsys.readouterr().out == "after\n"


def test_a_folder_holds_no_function(run, table, tmp_path):
    (tmp_path / "folder.py").mkdir()
    done = run("rank", table, "--better", "higher", "--by", f"{tmp_path / 'folder.py'}:f")
    assert done.exit_code == 2
    assert "folder.py is a folder." in done.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x00\x01\x02", "null bytes"),
        (b"\xff\xfe not utf-8 \x80", "SyntaxError"),
        (b"import nowhere_at_all", "line 1: ModuleNotFoundError"),
        (b"raise BaseException('odd')", "line 1: BaseException: odd"),
        (b"f = " + b"(" * 500 + b")" * 500, "too many nested parentheses"),
    ],
)
def test_a_file_that_is_no_python_is_refused(run, table, tmp_path, content, words):
    path = tmp_path / "other.py"
    path.write_bytes(content)
    done = run("rank", table, "--better", "higher", "--by", f"{path}:f")
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("[[1], [2, 3]]", "a list that is no array"),
        ("runs.time * float('inf')", "returned inf for"),
    ],
)
def test_a_rule_that_returns_no_scores_is_refused(run, tmp_path, body, words):
    runs, own = tmp_path / "runs.csv", tmp_path / "rule.py"
    runs.write_text("solver,instance,status,time\na,i,ok,1\nb,i,ok,2\n", encoding="utf-8")
    own.write_text(f"def rule(runs):\n    return {body}\n", encoding="utf-8")
    done = run("rank", runs, "--rule", f"{own}:rule")
    assert done.exit_code == 2, done.stderr
    assert words in done.stderr


def test_a_function_may_use_its_neighbours(spawn, table, tmp_path):
    (tmp_path / "neighbour.py").write_text("def best(scores):\n    return scores.max(axis=1)\n")
    uses = tmp_path / "uses.py"
    uses.write_text(
        "import deadheat as dh\nimport neighbour\n\n"
        '@dh.ranks_table("top", scale="interval", shared_scale=True)\n'
        "def top(scores):\n    return neighbour.best(scores)\n"
    )
    done = spawn("rank", table, "--better", "higher", "--by", f"{uses}:top")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("code", [0, 9])
def test_a_function_that_ends_the_process_is_told(spawn, table, own, code):
    own.write_text(RAISING.replace("BODY", f"__import__('os')._exit({code})"), encoding="utf-8")
    done = spawn("rank", table, "--better", "higher", "--by", f"{own}:failing")
    assert done.returncode == 3
    assert b"before it was done" in done.stderr


def test_of_several_functions_each_is_named_in_a_command(spawn, table, own):
    first = own.read_text()
    second = (
        first.replace("top_score", "top_again")
        .replace("Top-Most", "Again")
        .replace("best", "other")
    )
    own.write_text(first + second)
    refused = spawn("rank", table, "--better", "higher", "--by", own)
    said = refused.stderr.decode()
    assert refused.returncode == 2, said
    for name in ("top_score", "top_again"):
        (command,) = re.findall(rf"{name}: deadheat (.*)$", said, re.MULTILINE)
        done = spawn(*shlex.split(command))
        assert done.returncode == 0, done.stderr
