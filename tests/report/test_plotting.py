"""From a table to a picture: what is computed first, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.group import deadheat
from deadheat.cli.plot import command
from deadheat.errors import UsageError
from deadheat.report.plotting import subject_of
from deadheat.report.registry import kind_named

SOURCE = Path(dh.__file__).parent
# What writes warnings about results, and hints where they are refused, that a picture needs.
ADVISING = (
    *("cautions", "strict_cautions", "coverage", "rating_cautions", "rating_record"),
    *("merit_intervals", "intervals"),
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
    monkeypatch.setattr("deadheat.inference.strict.ASIDE", 0)
    assert dh.plot(table, kind, replicates=400).kind == kind
    with pytest.raises(UsageError, match="tests of all pairs") as refused:
        dh.verdict(table, replicates=400).plot(kind)
    assert "strict=True" in str(refused.value.hint)


def test_the_command_takes_every_option_that_warnings_recommend():
    taken = {name for option in command.params for name in option.opts}
    for name in ADVISING:
        text = (SOURCE / "inference" / f"{name}.py").read_text(encoding="utf-8")
        recommended = set(re.findall(r"--[a-z][a-z-]+[a-z]", text))
        assert recommended <= taken, name


def test_the_command_says_what_it_has_written(tmp_path):
    source, target = tmp_path / "table.csv", tmp_path / "fig.json"
    source.write_text("candidate,x,y,z\na,3,2,4\nb,1,3,2\nc,2,1,1\n", encoding="utf-8")
    asked = ["plot", str(source), "rank-lines", "-o", str(target), "--better", "higher"]
    found = CliRunner().invoke(deadheat, [*asked, "--by", "mean,median"])
    assert found.exit_code == 0, found.output
    assert "wrote" in found.output
    assert "median" in target.read_text(encoding="utf-8")
    refused = CliRunner().invoke(deadheat, [*asked, "--replicates", "10"])
    assert refused.exit_code == 2
    assert "--replicates" in refused.output
