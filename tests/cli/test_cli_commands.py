"""The commands themselves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from typing import get_args

import click
import pytest
from click.shell_completion import ShellComplete

from deadheat.cli import options
from deadheat.cli.commands import KINDS
from deadheat.cli.program import COMMANDS, COMPLETION, EXAMPLES, NAME, deadheat
from deadheat.core.version import __version__
from deadheat.data.scoring_rule import rules
from deadheat.ranking.function import functions
from deadheat.report.picture import kinds

HEAVY = "{'numpy', 'scipy', 'duckdb', 'rich', 'narwhals', 'pandas', 'polars', 'pyarrow', 'altair'}"


def modules_after(code):
    script = f"import sys\n{code}\nprint(*sorted({HEAVY} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return set(done.stderr.decode().split())


@pytest.mark.parametrize(
    "args", [["--help"], ["rank", "--help"], ["list", "-h"], ["--version"], ["completion", "zsh"]]
)
def test_help_imports_nothing_heavy_beyond_the_package_itself(args):
    call = f"try: deadheat.main({args})\nexcept SystemExit: pass"
    run = f"from deadheat.cli.program import deadheat\n{call}"
    assert modules_after(run) <= modules_after("import deadheat") - {"rich", "duckdb"}


@pytest.mark.parametrize("words", ["deadheat ra", "deadheat rank --by cop"])
def test_completion_imports_nothing_heavy_beyond_the_package_itself(words):
    run = (
        "import os\n"
        f"os.environ |= dict(_DEADHEAT_COMPLETE='bash_complete', COMP_WORDS={words!r},"
        f" COMP_CWORD={str(words.count(' '))!r})\n"
        "from deadheat.cli.program import deadheat\ntry: deadheat.main([])\nexcept SystemExit: pass"
    )
    assert modules_after(run) <= modules_after("import deadheat") - {"rich", "duckdb"}


def completions(*words):
    found = ShellComplete(deadheat, {}, NAME, COMPLETION).get_completions([*words[:-1]], words[-1])
    return [item.value for item in found]


def test_commands_options_and_functions_are_completed():
    assert completions("ra") == ["rank", "rate"]
    assert "--better" in completions("rank", "--be")
    assert completions("rank", "--by", "cop") == ["copeland", "copeland_hard"]
    assert completions("rank", "--by", "mean,copeland-h") == ["mean,copeland_hard"]
    assert completions("check", "x", "--by", "cop") == ["copeland", "copeland_hard"]
    assert completions("check", "x", "--by", "al") == []
    assert completions("list", "fo") == ["formats"]


def test_completed_names_are_those_of_the_functions():
    from deadheat.ranking import functions as package

    of_ours = {f.name for f in functions() if f.kernel.__module__.startswith(package.__name__)}
    assert set(options.function_names()) == of_ours
    assert options.picture_names() == sorted(kinds())
    assert options.rule_names() == sorted(rule.name for rule in rules())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run, shell):
    done = run("completion", shell)
    assert done.exit_code == 0
    assert "_DEADHEAT_COMPLETE" in done.stdout


@pytest.mark.parametrize(
    ("command", "option", "place", "name"),
    [
        ("verdict", "interval", "statistics.evidence", "INTERVALS"),
        ("verdict", "correction", "statistics.corrections", "CORRECTIONS"),
        ("verdict", "show", "verdict.result", "TABLES"),
        ("influence", "over", "influence.leave_judges_out", "Over"),
        ("agree", "show", "agree.api", "TABLES"),
        ("consensus", "distance", "models.aggregation.objectives", "DISTANCES"),
        ("criteria", "stability", "criteria.trials", "Stability"),
        ("rate", "model", "rate.models", "MODELS"),
        ("rate", "ties", "models.rating.newton", "MODELS"),
    ],
)
def test_the_choices_are_the_words_of_the_library(command, option, place, name):
    words = getattr(import_module(f"deadheat.{place}"), name)
    params = deadheat.get_command(click.Context(deadheat), command).params
    (offered,) = (param.type.choices for param in params if param.name == option)
    assert set(offered) == set(get_args(words) or words)


def test_the_options_are_those_of_the_reader():
    import inspect

    from deadheat.data.reading.read import read

    parameters = set(inspect.signature(read).parameters) - {"source", "each", "engine"}
    assert parameters == {option.name for option in options.READING}


def test_every_reading_option_reaches_the_reader(run, monkeypatch):
    seen = {}

    def read(file, **said):
        seen.update(said, file=file)
        raise SystemExit(0)

    monkeypatch.setattr("deadheat.data.reading.read.read", read)
    text = "x.csv --better lower --layout long --candidate a --judge b --score c --where d=e"
    text += " --ignore h --ignore i"
    more = "--where f=g --tie-tol 0.5 --no-header --missing worst --delimiter tab --sheet 2"
    run("rank", *text.split(), *more.split())
    assert seen == {
        "file": "x.csv",
        "better": "lower",
        "layout": "long",
        "candidate": "a",
        "judge": "b",
        "score": "c",
        "where": ("d=e", "f=g"),
        "tie_tol": 0.5,
        "header": False,
        "ignore": ("h", "i"),
        "missing": "worst",
        "delimiter": "tab",
        "sheet": "2",
    }


@pytest.mark.parametrize("args", [["--version"]])
def test_the_version_is_told(run, args):
    assert run(*args).stdout.strip() == f"deadheat, version {__version__}"


def test_the_command_alone_says_what_to_do_next(run):
    done = run()
    assert done.exit_code == 0
    steps = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("  deadheat ")}
    assert {"demo", "FILE"} < steps
    assert steps - {"FILE"} <= set(COMMANDS)
    assert "deadheat --help" in done.stdout
    assert "Commands:" in run("--help").stdout


@pytest.mark.parametrize("convention", ["mean", "min", "dense"])
def test_ranks_follow_the_convention_that_is_asked_for(run, tmp_path, convention):
    path = tmp_path / "t.csv"
    path.write_text("model,a\nx,2\ny,2\nz,1\n", encoding="utf-8")
    done = run("rank", path, "--better", "higher", "--ranks", convention, "--json")
    ranks = [row["rank"] for row in json.loads(done.stdout)["rows"]]
    assert ranks == {"mean": [1.5, 1.5, 3], "min": [1, 1, 3], "dense": [1, 1, 2]}[convention]


def test_an_alias_means_its_function(run, table):
    done = run("rank", table, "--better", "higher", "--by", "iqm,mean", "--json")
    names = dict.fromkeys(row["function"] for row in json.loads(done.stdout)["rows"])
    assert list(names) == ["trimmed_mean", "mean"]


def test_columns_can_be_ignored(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,a,b,note\nx,1,9,good\ny,2,1,bad\n", encoding="utf-8")
    args = ("rank", path, "--better", "higher", "--ignore", "b", "--ignore", "note", "--json")
    done = run(*args)
    assert done.exit_code == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["made"]["judges"] == 1
    assert whole["rows"][0]["candidate"] == "y"


def test_help_says_what_the_options_do(run):
    text = " ".join(run("rank", "--help-all").stdout.split())
    assert "Scores of one judge within X of the best of their level are tied." in text
    assert "also != and, of numbers and dates, < <= > >=" in text


def options_in(text):
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "completion"])
def test_help_begins_with_examples_and_the_long_one_has_every_option(run, name):
    short, long = (run(name, flag).stdout for flag in ("--help", "--help-all"))
    lines = [line.strip() for line in short.splitlines()]
    examples = lines.index("Examples:")
    assert [*EXAMPLES[name]] == lines[examples + 1 : examples + 1 + len(EXAMPLES[name])]
    first = next(k for k, line in enumerate(lines) if line.startswith("-"))
    assert examples < first
    command = deadheat.get_command(click.Context(deadheat), name)
    shown = {opt for p in command.params if isinstance(p, click.Option) and not p.hidden
             for opt in [p.opts[-1]]}  # fmt: skip
    assert shown <= options_in(long) | {"--help"}
    left = options_in(long) - options_in(short)
    assert (f"--help-all shows {len(left)} more options" in short) == bool(left)
    assert "--help-all" not in long
    assert len(short.splitlines()) <= 60


def test_columns_of_the_file_are_completed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('solver;"instance";time\na;i;1\n', encoding="utf-8")
    for option in ("--candidate", "--judge", "--score", "--stratum"):
        assert completions("verdict", str(path), option, "") == ["solver", "instance", "time"]
    assert completions("verdict", str(path), "--where", "in") == ["instance="]
    assert completions("rate", str(path), "--winner", "ti") == ["time"]
    assert completions("verdict", str(tmp_path / "none.csv"), "--judge", "") == []
    assert completions("verdict", str(tmp_path), "--judge", "") == []


def test_several_functions_stand_side_by_side(run, table):
    args = ("rank", table, "--better", "higher", "--by", "mean,copeland", "--by", "borda")
    rows = json.loads(run(*args, "--json").stdout)["rows"]
    assert list(dict.fromkeys(row["function"] for row in rows)) == ["mean", "copeland", "borda"]
    assert run(*args, "--format", "md").stdout.startswith("| model | mean | copeland | borda |")


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


def test_demo_says_who_really_won_and_what_matters_most(run):
    done = run("demo", "--data", "compressors", "--format", "table")
    assert done.exit_code == 0
    headline, *_ = (line for line in done.stdout.splitlines() if "Dead heat" in line)
    assert headline.startswith("Dead heat: 6 of 10 compressors share first place")
    reasons = done.stdout[done.stdout.index("How solid is this?") :]
    assert re.search(r"^ ! 1 of 16 files alone decides who is first", reasons, re.MULTILINE)
    assert "warning" not in done.stdout + done.stderr
    assert run("demo", "--data", "compressors", "-q", "--no-report").stderr == ""


def test_demo_writes_table_and_sentence_also_in_a_pipe(spawn):
    done = spawn("demo", "--data", "compressors", "--no-report", env={"FORCE_COLOR": "1"})
    written = done.stdout.decode()
    assert done.returncode == 0
    assert not re.search("[\u2500-\u257f\u25cf\x1b\t]", written)
    assert "Dead heat: 6 of 10 compressors share first place" in written
    assert re.search("^-+", written, re.MULTILINE)
    assert re.search(r"^ +1 +=? +bzip2-9 .* -+o-+ ", written, re.MULTILINE)


def test_demo_obeys_what_is_said_about_its_form(run, tmp_path):
    assert run("demo", "--data", "compressors", "--format", "tsv").stdout.startswith("candidate\t")
    assert (
        json.loads(run("demo", "--data", "compressors", "--json").stdout)["schema"]
        == "deadheat.demo/1"
    )
    assert run("demo", "--data", "compressors", "-o", tmp_path / "demo.csv").stdout == ""
    assert "Dead heat: 6 of 10 " in run("demo", "--data", "compressors", "-o", "-").stdout


def test_demo_writes_its_page_beside_the_verdict_and_over_nobody_elses(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "report.html"
    done = run("demo", "--data", "compressors")
    assert done.exit_code == 0
    assert "wrote report.html" in done.stderr
    written = page.read_text(encoding="utf-8")
    assert "Dead heat: 6 of 10 compressors share first place" in written
    title = "How small deflate, bzip2 and LZMA make files"
    assert f"<title>{title} - deadheat report</title>" in written
    assert "wrote report.html" in run("demo", "--data", "compressors").stderr
    page.write_text("mine", encoding="utf-8")
    assert "it stays as it is" in run("demo", "--data", "compressors").stderr
    assert page.read_text(encoding="utf-8") == "mine"


def test_list_functions_says_where_the_axioms_are_explained(run):
    last = run("list", "functions", "--format", "table").stdout.rstrip().splitlines()[-1]
    assert "deadheat list axioms" in last
    assert "deadheat list axioms" not in run("list", "formats", "--format", "table").stdout
    assert "deadheat list axioms" not in run("list", "functions").stdout


def test_check_sees_the_holes_under_any_policy(run, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("model,a,b\nrf,0.9,\nsvm,0.8,0.7\n", encoding="utf-8")
    (tmp_path / "with.toml").write_text('missing = "worst"', encoding="utf-8")
    for more in ((), ("--missing", "worst"), ("--sidecar", tmp_path / "with.toml")):
        done = run("check", path, "--better", "higher", "--json", *more)
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout)["facts"]["holes"] == [{"candidate": "rf", "judge": "b"}]


def test_check_names_the_winner_by_the_function_that_is_asked_for(run, table, own):
    for by, name in (("mean", "mean"), ("iqm", "trimmed_mean"), (f"{own}:best", "top_score")):
        done = run("check", table, "--better", "higher", "--by", by, "--json")
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout)["made"]["function"] == [name]
    made = json.loads(run("check", table, "--better", "higher", "--json").stdout)["made"]
    assert made["function"] == ["average_rank"]


@pytest.mark.parametrize("by", ["mean,borda", "all", "", " "])
def test_check_takes_one_function_only(run, table, by):
    done = run("check", table, "--better", "higher", "--by", by)
    assert done.exit_code == 2
    assert "--by takes one function here" in done.stderr
