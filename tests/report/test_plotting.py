"""From a table to a picture: what is computed first, and what is refused."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.plot import borrowed
from deadheat.cli.plot import plot as command
from deadheat.cli.program import deadheat
from deadheat.core.errors import UsageError
from deadheat.report.picture import kind_named
from deadheat.report.plot import MAKERS, subject_of

SOURCE = Path(dh.__file__).parent
# What writes warnings about results, and hints where they are refused, that a picture needs.
ADVISING = (
    *("verdict/warnings", "rate/words", "rate/matches"),
    *("statistics/evidence", "statistics/intervals"),
)
# What writes sentences of a page.
TELLING = (
    *("verdict/warnings", "verdict/words", "verdict/claims"),
    *("rate/words", "rate/result", "resampling/plans"),
)


@pytest.fixture
def table():
    scores = np.linspace(1, 0, 4)[:, None] + np.random.default_rng(0).normal(0, 0.5, (4, 12))
    return dh.Results(scores=scores, candidates=list("abcd"), better="higher")


def test_tables_and_runs_have_pictures_of_their_own(table):
    assert table.plot("condorcet").kind == "condorcet"
    assert table.plot().kind in {"condorcet", "heat-map"}
    runs = dh.Runs(candidate=["a", "b"], instance=["i", "i"], time=[1.0, 2.0], cutoff=9.0)
    assert runs.plot("cactus").kind == "cactus"
    with pytest.raises(UsageError, match="no picture of Runs"):
        runs.plot("intervals")


def test_who_beats_whom_is_not_resampled(table):
    assert subject_of(kind_named("condorcet"), table) is table


def test_rank_lines_of_a_table_rank_by_all_functions(table):
    found = subject_of(kind_named("rank-lines"), table)
    assert found.schema == "deadheat.rank/1"
    assert len(found.functions) > 3
    two = subject_of(kind_named("rank-lines"), table, by=["mean", "median"])
    assert [f.name for f in two.functions] == ["mean", "median"]


@pytest.mark.parametrize("kind", ["critical-difference", "significance"])
def test_tests_of_all_pairs_are_made_where_a_picture_shows_them(table, kind, monkeypatch):
    monkeypatch.setattr("deadheat.statistics.strict_groups.ASIDE", 0)
    assert dh.plot(table, kind, replicates=400).kind == kind
    with pytest.raises(UsageError, match="tests of all pairs") as refused:
        dh.verdict(table, replicates=400).plot(kind)
    assert "strict=True" in str(refused.value.hint)


def test_the_command_takes_every_option_that_warnings_recommend():
    taken = {name for option in command.params for name in option.opts}
    taken.add("--anchor")  # hinted at where one is given, which only `rate` takes
    for name in ADVISING:
        recommended = set(re.findall(r"--[a-z][a-z-]+[a-z]", source(name)))
        said = re.findall(r"\bsay\([\"'](\w+)[\"']", source(name))
        recommended |= {f"--{option.replace('_', '-')}" for option in said}
        assert recommended <= taken, name


def source(name):
    return (SOURCE / f"{name}.py").read_text(encoding="utf-8")


def with_options(tree):
    """Return the strings under a node of a source that name an option of the command line."""
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value)
    return {n for n in strings if isinstance(n.value, str) and re.search("--[a-z]", n.value)}


def says_option(tree):
    """Say whether a node of a source has an option written for the reader."""
    calls = (n for n in ast.walk(tree) if isinstance(n, ast.Call))
    return any(getattr(call.func, "id", "") == "say" for call in calls)


def test_no_warning_on_a_page_names_an_option():
    """The texts are read from the source: not every warning is easily provoked."""
    number = 0
    for name in TELLING:
        tree = ast.parse(source(name))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        words = [call for call in calls if getattr(call.func, "id", "") == "Words"]
        keywords = [word for call in calls for word in call.keywords]
        paged = [call for call in words if any(word.arg == "page" for word in call.keywords)]
        terminal = {n for call in paged for n in with_options(call.args[0])}
        hints = {n for word in keywords if word.arg == "hint" for n in with_options(word.value)}
        pages = [w.value for call in words for w in call.keywords if w.arg == "page"]
        assert not any(with_options(page) or says_option(page) for page in pages), name
        assert not any(says_option(call.args[0]) for call in words if call not in paged), name
        assert with_options(tree) <= terminal | hints, name
        number += len(words)
    assert number > 15


@pytest.fixture
def files(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("candidate,x,y,z\na,3,2,4\nb,1,3,2\nc,2,1,1\n")
    log = "left,right,winner\na,b,left\nb,c,right\na,c,left\nc,a,left\nb,a,right\n"
    (tmp_path / "log.csv").write_text(log)
    return tmp_path


def refused(*args, folder):
    found = CliRunner().invoke(deadheat, [*args, "-o", str(folder / "fig.svg")])
    assert found.exit_code in (2, 3), found.output
    assert not (folder / "fig.svg").exists()
    fact, hint = found.stderr.split("Hint: ")
    return fact, hint


def test_runs_are_asked_for_where_a_picture_needs_them(files):
    for kind in ("cactus", "performance-profile", "solved-by-family"):
        fact, hint = refused("plot", str(files / "a.csv"), kind, folder=files)
        assert f"{kind} needs runs" in fact
        assert "column of times" in fact
        assert "intervals" in hint


def test_a_battle_log_is_told_its_pictures(files):
    for kind in ("intervals", "cactus", "heat-map", "criteria"):
        fact, hint = refused("plot", str(files / "log.csv"), kind, folder=files)
        assert f"log.csv is a battle log, and {kind} is no picture" in fact
        assert "log.csv ratings" in hint
    with pytest.raises(UsageError, match="battle log"):
        dh.plot(files / "log.csv", "intervals")


def test_several_tables_are_no_battle_log(files):
    both = [str(files / name) for name in ("a.csv", "b.csv")]
    for args in (
        ["plot", *both, "intervals"],
        ["report", *both],
        ["report", *both, "--by", "mean"],
    ):
        fact, _ = refused(*args, folder=files)
        assert "2 files are given" in fact
        assert "one table" in fact
        assert "battle log" not in fact


@pytest.mark.parametrize("tail", [["--pair", "a,b", "-q"], ["--pair=a,b"], ["--pair", "a, b"]])
def test_a_pair_in_one_word_is_told_how_to_write_it(files, tail):
    done = CliRunner().invoke(deadheat, ["plot", str(files / "a.csv"), "scatter", *tail])
    assert done.exit_code == 2
    assert f"Hint: as two: deadheat plot {files / 'a.csv'} scatter --pair a b" in done.stderr


def test_names_with_commas_are_a_pair_too(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('candidate,x,y,z\n"p,q",3,2,4\nb,1,3,2\n', encoding="utf-8")
    asked = ["plot", str(path), "scatter", "--better", "higher", "-o", str(tmp_path / "f.json")]
    done = CliRunner().invoke(deadheat, [*asked, "--pair", "p,q", "b", "--replicates", "99"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("one", "hint"),
    [
        ("t.csv", "as intervals: deadheat plot t.csv intervals -o "),
        ("ranks", "name a file before it, such as: deadheat plot results.csv intervals "),
    ],
)
def test_a_picture_needs_a_file_and_a_kind(files, one, hint):
    fact, told = refused("plot", one, folder=files)
    assert f"only '{one}' is named." in fact
    assert told.startswith(hint)


def test_an_unknown_picture_is_told_what_is_near_and_where_all_are(files):
    fact, hint = refused("plot", str(files / "a.csv"), "rank-map", folder=files)
    assert "'ranks'" in fact
    assert "'heat-map'" in fact
    assert hint.startswith(f"with 'heat-map': deadheat plot {files / 'a.csv'} heat-map ")
    assert "deadheat list plots" in hint


def test_the_command_says_what_it_has_written(tmp_path):
    source, target = tmp_path / "table.csv", tmp_path / "fig.json"
    source.write_text("candidate,x,y,z\na,3,2,4\nb,1,3,9\nc,2,1,1\n", encoding="utf-8")
    asked = ["plot", str(source), "rank-lines", "-o", str(target), "--better", "higher"]
    found = CliRunner().invoke(deadheat, [*asked, "--by", "mean,median"])
    assert found.exit_code == 0, found.output
    assert "wrote" in found.output
    assert "median" in target.read_text(encoding="utf-8")
    refused = CliRunner().invoke(deadheat, [*asked, "--replicates", "10"])
    assert refused.exit_code == 2
    assert "--replicates" in refused.output


def test_a_saved_result_is_drawn_as_its_table_is(files):
    asked = [str(files / "a.csv"), "--better", "higher", "--replicates", "200", "-q"]
    run = CliRunner().invoke
    done = run(deadheat, ["verdict", *asked, "--json", "-o", str(files / "v.json")])
    assert done.exit_code == 0, done.output
    of_table, of_saved = files / "of_table.svg", files / "of_saved.svg"
    done = run(deadheat, ["plot", asked[0], "intervals", *asked[1:], "-o", str(of_table)])
    assert done.exit_code == 0, done.output
    saved = str(files / "v.json")
    done = run(deadheat, ["plot", saved, "intervals", "-q", "-o", str(of_saved)])
    assert done.exit_code == 0, done.output
    assert of_saved.read_bytes() == of_table.read_bytes()
    assert dh.plot(saved, "first").title == dh.load(saved).plot("first").title


def test_a_saved_result_is_not_computed_again(files):
    saved = files / "v.json"
    dh.verdict(files / "a.csv", better="higher", replicates=200).to_json(saved)
    fact, _ = refused("plot", str(saved), "intervals", "--replicates", "500", folder=files)
    assert "--replicates" in fact
    fact, hint = refused("plot", str(saved), "pairs", folder=files)
    assert "pairs needs the data" in fact
    assert "intervals" in hint


def test_ratings_are_drawn_with_their_intervals_where_nobody_names_a_picture(files):
    assert dh.rate(files / "log.csv", replicates=99).plot().kind == "ratings"


def test_every_option_that_is_borrowed_is_one_of_what_is_drawn():
    """An option of a command that makes results is one of their pictures, without its default."""
    makers = {name for maker in MAKERS.values() for name in inspect.signature(maker).parameters}
    options = {option.name: option for option in borrowed()}
    assert set(options) <= makers
    assert {"q", "repeats", "compat", "correlation", "stability", "pairing"} <= set(options)
    assert all(option.default is None for option in options.values())


def test_options_reach_what_is_drawn_and_no_other_picture(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table_file = tmp_path / "t.csv"
    rows = [",".join(["model", *table.judges])]
    rows += [",".join([c, *map(str, s)]) for c, s in zip("abcd", table.scores, strict=True)]
    table_file.write_text("\n".join(rows), encoding="utf-8")

    def draw(*said):
        return CliRunner().invoke(deadheat, ["plot", "t.csv", *said, "--better", "higher"])

    few = ("--trials", "9", "--q", "3", "--repeats", "2", "--correlation", "kendall")
    more = ("--stability", "kendall_w", "--by", "mean,copeland", "--scale-scores", "judge")
    assert draw("stability", "-o", "s.svg", *few, *more).exit_code == 0
    assert draw("heat-map", "-o", "h.svg", "--values", "ranks").exit_code == 0
    refused = draw("stability", "-o", "s.svg", "--pairing", "all")
    assert refused.exit_code == 2
    assert "--pairing: no option of the picture stability" in refused.stderr


@pytest.mark.parametrize("name", ["cd", "CD", "cd-diagram"])
def test_a_picture_has_the_names_that_others_give_it(name):
    assert kind_named(name).name == "critical-difference"
