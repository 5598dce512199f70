"""Intervals without ends: ties that run away, streams, beliefs and teams."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from rate_logs import log, table
from scipy.stats import binomtest

from deadheat.rate.api import rate
from deadheat.rate.evidence import difference_intervals

UNLOST = [("a b left", 8), ("a b tie", 2)]
TIE_MODELS = ("davidson", "rao-kupper")
MANY = [(f"{a} {b} left", 20) for a in "bcd" for b in "bcd" if a != b]


def rated(source, **options):
    return rate(source, **{"replicates": 100, "simulations": 0} | options)


def shares(ties, x, more):
    """Return the probabilities to win, lose and tie at a difference of ratings, as defined."""
    up, down = np.exp(x / 2), np.exp(-x / 2)
    if ties == "davidson":
        return np.array([up, down, np.exp(more)]) / (up + down + np.exp(more))
    wider = np.exp(abs(more))
    won, lost = up / (up + wider * down), down / (down + wider * up)
    return np.array([won, lost, 1 - won - lost])


def highest(ties, counts, reach):
    """Return the best difference within a reach, and its log-likelihood, by brute force."""
    x, more = np.meshgrid(np.linspace(-reach, reach, 20 * reach + 1), np.linspace(-9, 9, 1_801))
    logs = np.log(np.maximum(shares(ties, x, more), 1e-300))
    heights = sum(number * each for number, each in zip(counts, logs, strict=True) if number)
    return x.ravel()[heights.argmax()], heights.max()


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_without_a_loss_the_likelihood_grows_for_ever(ties):
    near, far = (highest(ties, (8, 0, 2), reach) for reach in (4, 8))
    assert (near[0], far[0]) == (4, 8)
    assert far[1] > near[1]
    r = rated(log(UNLOST), ties=ties)
    assert r.facts()["separated"] is True
    assert [row["mle"] for row in r.rows()] == ["+inf", "-inf"]
    best, worst = r.rows()
    assert best["high"] is worst["low"] is best["se"] is None
    assert best["low"] is not None
    assert any("low or high is empty" in warning for warning in r.warnings)
    json.loads(r.to_json(), parse_constant=pytest.fail)


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_a_loss_closes_the_interval(ties):
    best = highest(ties, (8, 1, 2), 8)[0]
    r = rated(log([*UNLOST, ("a b right", 1)]), ties=ties)
    assert r.facts()["separated"] is False
    assert r.mle[0] - r.mle[1] == pytest.approx(best, abs=0.06)
    assert r.facts()["interval"] == "percentile"
    assert all(np.isfinite([row["low"], row["high"]]).all() for row in r.rows())


def test_ties_say_nothing_about_who_wins_a_decided_match():
    """Davidson's odds of a decided match are those of the ratings: 8 of 8, exactly."""
    r = rated(log(UNLOST), ties="davidson", errors="fisher")
    found = difference_intervals(r.evidence, np.array([0]), np.array([1]))
    p = binomtest(8, 8).proportion_ci(0.95, method="exact").low
    assert found.low[0] == pytest.approx(np.log(p / (1 - p)))
    assert found.high[0] == np.inf


@pytest.mark.parametrize("threshold", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("number", [3, 40])
def test_the_exact_bound_of_rao_and_kupper_holds_under_every_threshold(number, threshold):
    """At the bound, and so below it, all of the decided matches are won too rarely."""
    r = rated(log([("a b left", number), ("a b tie", 2)]), ties="rao-kupper", errors="fisher")
    exact = replace(r.evidence.separation, ratings=None)
    (bound,) = exact.nearest(np.array([0]), np.array([1]), 0.05)
    won, lost, _ = shares("rao-kupper", bound, threshold)
    assert (won / (won + lost)) ** number <= 0.025 + 1e-12


def test_ties_between_equals_tell_no_order():
    """b and c only tied, and a beat both: where ties are sure, any difference explains them."""
    r = rated(
        log([("a b left", 8), ("a c left", 6), ("b c tie", 3)]), ties="davidson", errors="fisher"
    )
    assert {row["candidate"]: row["mle"] for row in r.rows()} == {"a": "+inf", "b": None, "c": None}
    found = difference_intervals(r.evidence, np.array([1]), np.array([2]))
    assert (found.low[0], found.high[0]) == (-np.inf, np.inf)


# Streams and beliefs


def test_a_stream_of_wins_has_no_end():
    r = rated(log([("a b left", 8)], ordered=True), model="elo", step=32.0)
    best, worst = r.rows()
    assert best["high"] is worst["low"] is best["se"] is None
    assert any("low or high is empty" in warning for warning in r.warnings)
    assert r.facts()["interval"] == "percentile, open where no loss joins"
    assert r.p_beats("a", "b").high == 1


def test_a_stream_with_a_loss_has_the_interval_of_its_replicates():
    r = rated(log([("a b left", 30), ("a b right", 10)], ordered=True), model="elo", step=32.0)
    low = {row["candidate"]: row["low"] for row in r.rows()}
    assert low["a"] == pytest.approx(np.quantile(r.evidence.replicates[:, 0], 0.025), abs=0.05)
    assert r.facts()["interval"] == "percentile"


def test_beliefs_are_called_what_they_are():
    never = rated(log([("a b left", 8)], ordered=True), model="gaussian")
    once = rated(log([("a b left", 8), ("a b right", 1)], ordered=True), model="gaussian")
    assert never.facts()["interval"] == once.facts()["interval"] == "posterior"
    assert any("from the prior" in warning for warning in never.warnings)
    assert not any("from the prior" in warning for warning in once.warnings)


# Circumstances and teams


def teams(rows):
    return log([(f"{one} {other} left", times) for one, other, times in rows])


def test_members_of_a_team_that_never_lost_have_no_end():
    """c and d beat each other; a+b never lost. Who of a and b it was nothing tells."""
    rows = [("a+c", "b+d", 5), ("b+d", "a+c", 5), ("a+d", "b+c", 5), ("b+c", "a+d", 5)]
    closed = rated(teams([*rows, ("a+b", "c+d", 5), ("c+d", "a+b", 5)]), teams="+")
    assert closed.facts()["interval"] == "percentile"
    r = rated(teams([*rows, ("a+b", "c+d", 9)]), teams="+")
    assert r.facts()["separated"] is True
    found = {row["candidate"]: row for row in r.rows()}
    assert found["a"]["high"] is found["b"]["high"] is None
    assert found["c"]["low"] is found["d"]["low"] is None
    within = difference_intervals(r.evidence, np.array([r.at("a")]), np.array([r.at("b")]))
    assert np.isfinite([within.low, within.high]).all()
    across = difference_intervals(r.evidence, np.array([r.at("a")]), np.array([r.at("c")]))
    assert across.high[0] == np.inf
    assert np.isfinite(across.low[0])


def test_a_side_that_explains_all_leaves_nothing_to_the_candidates():
    """Whoever stood on the left won: a never lost there, nor did b."""
    r = rated(log([("a b left", 9), ("b a left", 9)]), advantage=True, errors="fisher")
    assert r.facts()["separated"] is True
    assert r.grouped.groups.members[0] == (0, 1)


def test_whoever_joins_has_a_plain_rating_beside_one_who_runs_away():
    """b, c and d have the plain ratings they have without a, who beat them all."""
    rows = [("b c left", 12), ("b c right", 5), ("c d left", 9), ("c d right", 4), ("b d left", 3)]
    swapped = [("c b left", 4), ("d c right", 6), ("d b left", 2)]
    alone = rated(log(rows + swapped), advantage=True, errors="fisher")
    r = rated(
        log([*rows, *swapped, ("a b left", 9), ("d a right", 9)]), advantage=True, errors="fisher"
    )
    assert r.mle[r.at("a")] == np.inf
    expected = [alone.mle[alone.at(name)] for name in "bcd"]
    np.testing.assert_allclose([r.mle[r.at(name)] for name in "bcd"], expected, atol=1e-6)


# Shares of first places


@pytest.mark.parametrize(("number", "known"), [(2, False), (5, False), (6, True), (12, True)])
@pytest.mark.parametrize("model", ["bradley-terry", "elo"])
def test_two_wins_do_not_make_a_sure_winner(number, known, model):
    """Equals have so many wins of one with probability 2 ** (1 - number), and .05 is asked."""
    r = rated(log([("a b left", number)], ordered=True), model=model)
    assert (2.0 ** (1 - number) <= 0.05) == known
    assert [row["first_share"] for row in r.rows()] == ([1, 0] if known else [None, None])
    assert any("first_share is empty" in warning for warning in r.warnings) != known


def test_whoever_is_never_first_keeps_the_share_of_none():
    r = rated(log([*MANY, ("a b left", 2), ("c e left", 40), ("d e left", 40), ("b e left", 40)]))
    found = {row["candidate"]: row["first_share"] for row in r.rows()}
    assert found["a"] is None
    assert found["e"] == 0


# Strata and clusters


def test_a_plan_that_ignores_clusters_warns():
    source = table(clusters=[f"k{i // 2}" for i in range(25)])
    for errors in ("bootstrap", "sandwich"):
        warned = rated(source, plan="bootstrap", errors=errors).warnings
        assert any("keeps them together" in warning for warning in warned)
        warned = rated(source, errors=errors).warnings
        assert not any("keeps them together" in warning for warning in warned)


def test_a_sandwich_that_ignores_strata_warns():
    source = table(strata=["x"] * 12 + ["y"] * 13)
    assert any("2 strata" in w for w in rated(source, errors="sandwich").warnings)
    assert not any("takes the rounds" in w for w in rated(source).warnings)


def test_streams_of_each_category_are_not_called_separated_or_not():
    source = log(
        [("a b left", 8), ("a b right", 2)] * 2, ordered=True, category=["x"] * 10 + ["y"] * 10
    )
    r = rated(source, model="elo")
    assert r.facts()["separated"] is None
    assert {each.facts()["separated"] for each in r.parts.values()} == {None}
