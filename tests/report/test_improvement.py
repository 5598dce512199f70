"""Probability of improvement against sums written out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.report.plots.improvement import improvements
from deadheat.resampling.plans import blocks

ALPHA = 0.1


@pytest.fixture(params=["bootstrap", "weighted", "holes"])
def found(request):
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 4, (4, 30)).astype(float)
    scores[0] += 2  # clearly better than the next one
    more = {}
    if request.param == "weighted":
        more["judge_weights"] = rng.integers(1, 4, 30)
    if request.param == "holes":
        scores[1, 4] = np.nan
        more["missing"] = "available"
    table = dh.Results(scores=scores, better="higher", **more)
    return dh.verdict(table, by="mean", replicates=300, alpha=ALPHA)


def won(table, a, b, weights):
    """The share of the judges that know both on which a beats b, one judge after the other."""
    total = points = 0.0
    for x, y, weight in zip(table.scores[a], table.scores[b], weights, strict=True):
        if np.isnan(x) or np.isnan(y):
            continue
        total += weight
        points += weight * (1.0 if x > y else 0.5 if x == y else 0.0)
    return points / total


def test_shares_and_intervals_are_those_of_a_literal_bootstrap(found):
    pairs = [(0, 1), (1, 2), (3, 0)]
    table, plan = found.evidence.results, found.evidence.plan
    told = improvements(found.evidence, pairs, alpha=ALPHA)
    drawn = np.concatenate([plan.draw(k, 3, 30).judges for k in blocks(plan, 3, 30)])
    for k, (a, b) in enumerate(pairs):
        assert told.shares[k] == pytest.approx(won(table, a, b, table.weights))
        again = [won(table, a, b, table.weights * times) for times in drawn]
        low, high = np.quantile(again, [ALPHA / 2, 1 - ALPHA / 2])
        assert (told.low[k], told.high[k]) == pytest.approx((low, high))


def test_neighbours_of_the_ranking_are_drawn_with_their_shares(found):
    picture = found.plot("improvement", top=3)
    rows = next(t for t in picture.spec()["datasets"].values() if "loses" in t[0])
    first, second, third = (found.candidates[i] for i in found.order[:3])
    assert [r["candidate"] for r in rows] == [f"{first} over {second}", f"{second} over {third}"]
    a, b = found.order[:2]
    table = found.evidence.results
    assert rows[0]["at"] == pytest.approx(won(table, a, b, table.weights))
    assert "The first 3 of 4 candidates are shown." in picture.see


def test_both_names_of_a_pair_are_shortened_and_pairs_remain_apart(found):
    long = {name: f"{'x' * 30}{k}" for k, name in enumerate(found.candidates)}
    table = dh.Results(
        scores=found.evidence.results.scores, better="higher", candidates=list(long.values()),
        missing="available",
    )  # fmt: skip
    picture = dh.verdict(table, by="mean", replicates=50).plot("improvement", width="column")
    rows = next(t for t in picture.spec()["datasets"].values() if "loses" in t[0])
    assert len({r["candidate"] for r in rows}) == len(rows)
    for row in rows:
        first, second = row["candidate"].split(" over ")
        assert len(first) == len(second) < 20
        assert (first[-1], second[-1]) == (row["a"][-1], row["b"][-1])


def test_where_nobody_clearly_beats_the_next_one_it_is_a_sentence():
    scores = np.random.default_rng(5).normal(size=(4, 30))
    picture = dh.verdict(dh.Results(scores=scores, better="higher"), replicates=300).plot(
        "improvement"
    )
    assert not picture.shows
    assert "Nobody of the first 4 clearly beats the next one" in picture.see


def test_who_is_better_by_the_mean_and_wins_less_often_is_explained():
    rng = np.random.default_rng(0)
    often = rng.normal(0, 0.01, 60) + np.tile([1, 1, 1, -4], 15)  # narrow wins, dear losses
    scores = np.array([np.zeros(60), often, np.full(60, -9.0)])
    why = (
        " Wins on single judges, not mean: many narrow wins can weigh less than a few dear losses."
    )
    table = dh.Results(scores=scores, better="higher")
    assert why in dh.verdict(table, by="mean", replicates=300).plot("improvement").see
    assert why not in dh.verdict(table, by="average_rank", replicates=300).plot("improvement").see
    plain = np.arange(3.0)[:, None] * 2 + rng.normal(0, 1, (3, 60))
    clear = dh.verdict(dh.Results(scores=plain, better="higher"), by="mean", replicates=300)
    assert "single judges" not in clear.plot("improvement").see
