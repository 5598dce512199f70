"""Diagrams that join candidates: bars, arcs, points."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import rankdata

import deadheat as dh
from deadheat.cli.plot import plot as command
from deadheat.core.errors import UsageError
from deadheat.report.plots.pairs import bars_of
from deadheat.statistics.pair_tests import cliques

CIRCLE = dh.Results(
    scores=np.repeat([[5, 3, 4], [4, 5, 3], [3, 4, 5], [2, 2, 2]], 8, axis=1),
    candidates=["rock", "paper", "scissors", "well"],
    better="higher",
)


def values_of(picture):
    return [row for rows in picture.spec()["datasets"].values() for row in rows]


@pytest.mark.parametrize("seed", range(6))
def test_bars_join_only_who_is_not_separated(seed):
    rng = np.random.default_rng(seed)
    better = np.triu(rng.random((9, 9)) < 0.5, 1)
    order = np.arange(9)
    bars = bars_of(cliques(better, order), order)
    level = ~(better | better.T)
    joined = {pair for bar in bars.members for pair in combinations(sorted(bar), 2)}
    assert joined == {(i, j) for i, j in combinations(range(9), 2) if level[i, j]}
    drawn = [{*range(first, last + 1)} for first, last, *_ in bars.runs]
    assert sorted(p for part in drawn for p in part) == sorted(
        p for own in bars.places for p in own
    )


@pytest.mark.parametrize("seed", range(6))
def test_bars_in_one_lane_do_not_touch(seed):
    rng = np.random.default_rng(seed)
    better = np.triu(rng.random((12, 12)) < 0.6, 1)
    bars = bars_of(cliques(better, np.arange(12)), np.arange(12))
    for a, b in combinations(range(len(bars.places)), 2):
        if bars.lanes[a] == bars.lanes[b]:
            apart = bars.places[a][-1] < bars.places[b][0] or bars.places[b][-1] < bars.places[a][0]
            assert apart


def test_bars_left_out_are_the_smallest_and_counted():
    better = np.zeros((6, 6), dtype=bool)
    better[0, 2:] = better[1, 3:] = True
    found = cliques(better, np.arange(6))
    bars = bars_of(found, np.arange(6), most=1)
    assert bars.members == ((2, 3, 4, 5),)
    assert bars.left_out == 2


def test_bars_that_stay_join_what_no_other_one_joins():
    # 0-3 are level but for one pair; 4 and 5 are level with nobody else
    better = np.triu(np.ones((6, 6), dtype=bool), 1)
    for i, j in ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (4, 5)):
        better[i, j] = False
    found = cliques(better, np.arange(6))
    assert bars_of(found, np.arange(6), most=3).members == ((0, 1, 2), (1, 2, 3), (4, 5))
    better[0, 1] = True  # (0, 2) and (4, 5) add one pair each, (1, 2, 3) adds three
    found = cliques(better, np.arange(6))
    assert bars_of(found, np.arange(6), most=1).members == ((1, 2, 3),)


def test_of_many_only_the_first_ones_are_drawn_with_their_bars(subject_of):
    found = subject_of(dh.Verdict, 30)
    picture = found.plot("critical-difference", top=9)
    assert "The first 9 of 30 candidates are shown." in picture.see
    names = [row["candidate"].split("  ")[0] for row in values_of(picture) if "right" in row]
    order = np.argsort(found.evidence.ranks, kind="stable")
    best = {found.candidates[i] for i in order[:9].tolist()}
    assert set(names) == best
    ends = [row["end"] for row in values_of(picture) if "leads" in row]
    assert ends
    assert max(ends) <= 9


def test_where_not_all_bars_are_known_those_shown_reach_from_the_best_to_the_worst():
    n = 60  # only candidates further apart than 20 are told apart, a few neighbours besides
    better = np.triu(np.ones((n, n), dtype=bool), 20)
    better[np.arange(0, n - 1, 3), np.arange(1, n, 3)] = True
    found = cliques(better, np.arange(n))
    assert not found.whole
    bars = bars_of(found, np.arange(n), most=12)
    assert 6 <= len(bars.members) <= 12
    assert bars.places[0][0] < 5
    assert max(places[-1] for places in bars.places) > n - 20


def runs_of(places):
    """The first and last of places that stand side by side."""
    begins = [p for p in places if p - 1 not in places]
    return list(zip(begins, [p for p in places if p + 1 not in places], strict=True))


@pytest.mark.parametrize("n", [8, 30])
def test_the_bars_of_a_diagram_are_the_cliques(n, subject_of):
    found = subject_of(dh.Verdict, n)
    order = np.argsort(found.shown, kind="stable")
    every = cliques(found.all_pairs.tests.better, order)
    expected = bars_of(every, order, most=16 if n == 8 else 6).members
    place = {int(i): k for k, i in enumerate(order)}
    ends = [sorted(place[i] for i in clique) for clique in expected]
    names = [found.candidates[i] for i in order.tolist()]
    bars = [row for row in values_of(found.plot("critical-difference")) if "leads" in row]
    at = [
        (int(row["value"]) - 1, int(row["end"]) - 1)
        if n == 8
        else (names.index(row["candidate"]), names.index(row["end"]))
        for row in bars
    ]
    whole = [(own[0], own[-1]) for own in ends]
    parts = [(a, b) for own in ends for a, b in runs_of(own)]
    assert sorted(set(at)) == sorted({*whole, *parts})
    # a bar of the leader, and of nobody else, is in the accent
    led = {pair for own in ends if own[0] == 0 for pair in [(own[0], own[-1]), *runs_of(own)]}
    assert {pair for pair, row in zip(at, bars, strict=True) if row["leads"]} == led


def test_nemenyi_has_its_critical_difference_on_the_axis_of_mean_ranks():
    table = dh.examples.load("compressors")
    found = dh.verdict(table, by="mean", replicates=400, test="nemenyi")
    picture = found.plot("critical-difference")
    # Demsar's formula with q = 3.164 for ten candidates, table 5a
    distance = 3.164 * np.sqrt(10 * 11 / (6 * 16))
    said = [row["said"] for row in values_of(picture) if str(row.get("said", "")).startswith("CD")]
    assert said == [f"CD = {distance:.2f}"]
    ranks = rankdata(-table.scores, axis=0).mean(axis=1)
    shown = {
        row["candidate"].split()[0]: row["value"] for row in values_of(picture) if "right" in row
    }
    assert shown == pytest.approx(dict(zip(table.candidates, ranks, strict=True)))


def test_a_circle_is_told_and_drawn():
    picture = dh.plot(CIRCLE, "condorcet")
    assert "rock beats paper beats scissors beats rock" in picture.see
    assert picture.shows
    members = [row["candidate"] for row in values_of(picture) if "podium" in row]
    assert members == ["rock", "paper", "scissors"]
    assert "scissors beats rock on 66.7 %" in picture.alt


def test_a_winner_over_everybody_is_told():
    table = dh.Results(scores=[[3, 3], [2, 2], [1, 1]], candidates=list("abc"), better="higher")
    picture = dh.plot(table, "condorcet")
    assert picture.see == "a beats every other candidate on more judges than not."
    assert not picture.shows


def test_draws_are_told():
    table = dh.Results(scores=[[1, 2], [2, 1]], candidates=list("ab"), better="higher")
    assert "draws on top" in dh.plot(table, "condorcet").see


def test_a_circle_of_hardly_won_duels_is_a_sentence():
    hardly = np.hstack([CIRCLE.scores] * 17 + [-CIRCLE.scores] * 16)
    table = dh.Results(scores=hardly, candidates=CIRCLE.candidates, better="higher")
    picture = table.plot("condorcet")
    assert not picture.shows
    assert "but hardly: one wins on 50.5 %" in picture.see


def test_a_circle_far_from_the_podium_is_not_drawn():
    above = [[level] * CIRCLE.m for level in (9, 8, 7)]
    scores = np.vstack([above, CIRCLE.scores - 10])
    table = dh.Results(scores=scores, better="higher")
    assert not table.plot("condorcet").shows


def test_scatter_has_a_point_per_judge_on_the_side_of_who_is_better():
    table = dh.examples.load("compressors")
    found = dh.compare(table, "bzip2-9", "lzma-6", replicates=400)
    picture = found.plot()
    assert picture.kind == "scatter"
    points = [row for row in values_of(picture) if "judge" in row]
    assert len(points) == 16
    assert sum(row["a"] > row["b"] for row in points) == 12
    for row in points:
        assert row["who"].startswith("bzip2-9" if row["a"] > row["b"] else "lzma-6")
    assert "better on 12 of 16 files" in picture.see


def test_scatter_where_lower_is_better_and_scores_are_missing():
    scores = np.array([[1.0, 2.0, np.nan, 4.0], [2.0, 2.0, 1.0, 5.0], [3.0, 3.0, 3.0, 3.0]])
    table = dh.Results(scores=scores, candidates=list("abc"), better="lower", missing="available")
    picture = dh.compare(table, "a", "b", by="copeland", replicates=400).plot()
    who = {row["judge"]: row["who"] for row in values_of(picture) if "judge" in row}
    assert sorted(who.values()) == ["a better (2)", "a better (2)", "tied (1)"]
    assert "1 judge without two finite scores is not shown" in picture.alt


def test_many_judges_are_counted_in_cells():
    rng = np.random.default_rng(0)
    table = dh.Results(scores=rng.normal(size=(2, 3000)), candidates=list("ab"), better="higher")
    picture = dh.compare(table, "a", "b", replicates=400).plot()
    assert sum(row["judges"] for row in values_of(picture) if "judges" in row) == 3000
    assert len(json.dumps(picture.spec())) < 300_000


def test_the_pair_is_asked_for_and_refused(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("model,x,y,z\na,1,2,3\nb,2,1,4\nc,3,3,3\n")
    out = tmp_path / "p.json"
    asked = [str(table), "--better", "higher", "scatter", "-o", str(out)]
    found = CliRunner().invoke(command, [*asked, "--pair", "a", "b"], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    assert "b" in json.loads(out.read_text())["description"]
    with pytest.raises(UsageError, match="'c' and 'b': pair="):
        CliRunner().invoke(command, asked, catch_exceptions=False)
    other = [str(table), "--better", "higher", "intervals", "-o", str(out), "--pair", "a", "b"]
    with pytest.raises(UsageError, match="--pair: no option of the picture intervals"):
        CliRunner().invoke(command, other, catch_exceptions=False)


def test_in_python_the_pair_is_an_option_too():
    table = dh.examples.load("compressors")
    picture = dh.plot(table, "scatter", pair=("bzip2-9", "lzma-6"), replicates=400)
    assert picture.kind == "scatter"
    with pytest.raises(UsageError, match="two candidates"):
        dh.plot(table, "scatter")
