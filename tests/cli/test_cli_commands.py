"""The commands themselves."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from typing import get_args

import pytest
from click.shell_completion import ShellComplete

from deadheat import typing
from deadheat.cli import deadheat, options
from deadheat.cli.list import KINDS
from deadheat.cli.program import COMPLETION, NAME
from deadheat.ranking.registry import functions
from deadheat.version import __version__

HEAVY = "{'numpy', 'scipy', 'duckdb', 'rich', 'narwhals', 'pandas', 'polars', 'pyarrow', 'altair'}"


def modules_after(code):
    script = f"import sys\n{code}\nprint(*sorted({HEAVY} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return set(done.stderr.decode().split())


@pytest.mark.parametrize(
    "args", [["--help"], ["rank", "--help"], ["list", "-h"], ["--version"], ["completion", "zsh"]]
)
def test_help_imports_nothing_heavy_beyond_the_package_itself(args):
    run = f"from deadheat.cli import deadheat\ntry: deadheat.main({args})\nexcept SystemExit: pass"
    assert modules_after(run) <= modules_after("import deadheat") - {"rich", "duckdb"}


@pytest.mark.parametrize("words", ["deadheat ra", "deadheat rank --by cop"])
def test_completion_imports_nothing_heavy_beyond_the_package_itself(words):
    run = (
        "import os\n"
        f"os.environ |= dict(_DEADHEAT_COMPLETE='bash_complete', COMP_WORDS={words!r},"
        f" COMP_CWORD={str(words.count(' '))!r})\n"
        "from deadheat.cli import deadheat\ntry: deadheat.main([])\nexcept SystemExit: pass"
    )
    assert modules_after(run) <= modules_after("import deadheat") - {"rich", "duckdb"}


def completions(*words):
    found = ShellComplete(deadheat, {}, NAME, COMPLETION).get_completions([*words[:-1]], words[-1])
    return [item.value for item in found]


def test_commands_options_and_functions_are_completed():
    assert completions("ra") == ["rank"]
    assert "--better" in completions("rank", "--be")
    assert completions("rank", "--by", "cop") == ["copeland", "copeland_hard"]
    assert completions("rank", "--by", "mean,copeland-h") == ["mean,copeland_hard"]
    assert completions("list", "fo") == ["formats"]


def test_completed_names_are_those_of_the_functions():
    from deadheat.ranking import functions as package

    of_ours = {f.name for f in functions() if f.kernel.__module__.startswith(package.__name__)}
    assert set(options.function_names()) == of_ours


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run, shell):
    done = run("completion", shell)
    assert done.exit_code == 0
    assert "_DEADHEAT_COMPLETE" in done.stdout


def test_the_choices_are_the_words_of_the_types():
    assert get_args(typing.MissingPolicy) == options.POLICIES
    assert get_args(typing.RankConvention) == options.CONVENTIONS


def test_the_options_are_those_of_the_reader():
    import inspect

    from deadheat.data.read import read

    parameters = set(inspect.signature(read).parameters) - {"source"}
    assert parameters == options.READ


def test_every_reading_option_reaches_the_reader(run, monkeypatch):
    seen = {}

    def read(file, **said):
        seen.update(said, file=file)
        raise SystemExit(0)

    monkeypatch.setattr("deadheat.data.read.read", read)
    text = "x.csv --better lower --layout long --candidate a --judge b --score c --where d=e"
    more = "--where f=g --tie-tol 0.5 --no-header --missing worst --delimiter tab --sheet 2"
    run("rank", *text.split(), *more.split())
    said = {name: value for name, value in seen.items() if value is not None}
    assert said == {
        "file": "x.csv",
        "better": "lower",
        "layout": "long",
        "candidate": "a",
        "judge": "b",
        "score": "c",
        "where": ("d=e", "f=g"),
        "tie_tol": 0.5,
        "header": False,
        "missing": "worst",
        "delimiter": "tab",
        "sheet": "2",
    }


@pytest.mark.parametrize("args", [["--version"]])
def test_the_version_is_told(run, args):
    assert run(*args).stdout.strip() == f"deadheat, version {__version__}"


def test_the_command_alone_prints_its_help(run):
    done = run()
    assert done.exit_code == 0
    assert "Commands:" in done.stdout


@pytest.mark.parametrize("convention", ["mean", "min", "dense"])
def test_ranks_follow_the_convention_that_is_asked_for(run, tmp_path, convention):
    path = tmp_path / "t.csv"
    path.write_text("model,a\nx,2\ny,2\nz,1\n", encoding="utf-8")
    done = run("rank", path, "--better", "higher", "--ranks", convention, "--json")
    ranks = [row["rank"] for row in json.loads(done.stdout)["rows"]]
    assert ranks == {"mean": [1.5, 1.5, 3], "min": [1, 1, 3], "dense": [1, 1, 2]}[convention]


def test_several_functions_stand_side_by_side(run, table):
    args = ("rank", table, "--better", "higher", "--by", "mean,copeland", "--by", "borda")
    rows = json.loads(run(*args, "--json").stdout)["rows"]
    assert list(dict.fromkeys(row["function"] for row in rows)) == ["mean", "copeland", "borda"]
    assert run(*args, "--format", "md").stdout.startswith("| candidate | mean | copeland | borda |")


OWN = """
import deadheat.ranking.registry as dh

@dh.ranks_table("top_score", scale="interval", shared_scale=True)
def best(scores):
    \"\"\"Rank by the best score.\"\"\"
    return scores.max(axis=1)

def unregistered(scores):
    return scores
"""


@pytest.fixture
def own(tmp_path):
    from deadheat.errors import DeadheatError
    from deadheat.ranking.registry import forget

    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    yield path
    with contextlib.suppress(DeadheatError):
        forget("top_score")


@pytest.mark.parametrize("name", [":top_score", ":top-score", ":best", ""])
def test_a_users_own_function_is_loaded_from_a_file(run, table, own, name):
    done = run("rank", table, "--better", "higher", "--by", f"mean,{own}{name}", "--json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {row["function"] for row in rows} == {"mean", "top_score"}


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (OWN, ":nothing", "nothing"),
        (OWN, ":unregistered", "not a registered function"),
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
        path.write_text(content, encoding="utf-8")
    done = run("rank", table, "--better", "higher", "--by", f"{path}{name}")
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_list_shows_every_kind(run, kind):
    done = run("list", kind, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["rows"]
    assert run("list", kind, "--format", "table").exit_code == 0
    assert kind in run("list").stdout


def test_list_functions_tells_all_that_is_claimed(run):
    rows = json.loads(run("list", "functions", "--json").stdout)["rows"]
    assert {row["name"] for row in rows} >= {"mean", "copeland"}
    keys = "aliases scale cost satisfies violates needs available slow heading formula reference"
    assert all(set(keys.split()) <= set(row) for row in rows)


def test_demo_says_who_is_first_and_under_how_many_functions(run):
    done = run("demo", "--format", "table")
    assert done.exit_code == 0
    assert "functions" in done.stdout
    assert done.stderr == ""
    assert run("demo", "--data", "compressors").stdout.startswith("candidate\t")
