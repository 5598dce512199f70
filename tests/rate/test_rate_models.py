"""What the models other than plain Bradley-Terry say of themselves, against direct computation."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from rate_logs import NAMES, drawn, log, table
from scipy.optimize import minimize

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.online import elo
from deadheat.models.rating.pair_counts import pairs_of_rounds
from deadheat.models.rating.plackett_luce import plackett_luce
from deadheat.models.rating.uncertainty import Refitter
from deadheat.rate.models import POINTS
from deadheat.rate.tunability import halves_of, tunability_of

STREAM = dh.Battles(**drawn(number=120), ordered=True)
NEVER_LOST = [("a b left", 8), ("b c left", 3), ("c b left", 2)]


def test_replicates_with_another_spread_are_refused():
    with pytest.raises(UsageError) as error:
        dh.rate(table(), plan="jackknife", simulations=0)
    assert "errors='sandwich'" in error.value.hint


def test_halves_spread_as_a_bootstrap_does():
    half, usual = (
        dh.rate(table(rounds=60), plan=plan, simulations=0).evidence.errors
        for plan in ("subsample", "bootstrap")
    )
    np.testing.assert_allclose(half, usual, rtol=0.15)


@pytest.mark.parametrize("model", ["elo", "gaussian"])
def test_models_without_a_maximum_are_not_separated(model):
    r = dh.rate(
        STREAM, model=model, simulations=0, **({"replicates": 100} if model == "elo" else {})
    )
    assert not r.separated
    facts = r.facts()
    assert facts["separated"] is None
    assert facts["connected"] is facts["strongly_connected"] is True
    apart = log(NEVER_LOST, ordered=True)
    facts = dh.rate(apart, model="gaussian", simulations=0).facts()
    assert (facts["connected"], facts["strongly_connected"]) == (True, False)


def test_the_mle_of_circumstances_is_plain():
    columns = drawn(number=200)
    r = dh.rate(
        dh.Battles(**columns), advantage=True, penalty="ridge", strength=50.0, errors="sandwich"
    )
    at = {name: k for k, name in enumerate(r.candidates)}
    left = np.array([at[name] for name in columns["left"]])
    right = np.array([at[name] for name in columns["right"]])
    share = np.array([{"left": 1, "right": 0, "tie": 0.5}[w] for w in columns["winner"]])

    def loss(x):
        odds = np.append(x[:3], -x[:3].sum())
        gap = odds[left] - odds[right] + x[3]
        return np.logaddexp(0, gap).sum() - share @ gap

    best = minimize(loss, np.zeros(4)).x[:3]
    np.testing.assert_allclose(r.mle, np.append(best, -best.sum()), atol=1e-4)
    assert np.abs(r.ratings).max() < 0.8 * np.abs(r.mle).max()
    assert r.facts()["strongly_connected"] is True


def test_who_never_lost_has_an_infinite_mle_under_circumstances():
    rows = [*NEVER_LOST, ("b a right", 4), ("a c left", 2)]
    r = dh.rate(log(rows), advantage=True, errors="sandwich")
    assert r.mle[r.at("a")] == np.inf
    assert r.separated


def test_the_mle_of_rankings_is_plain():
    scores = table(rounds=20)
    plain = dh.rate(scores, model="plackett-luce", penalty="none", errors="fisher")
    held = dh.rate(scores, model="plackett-luce", penalty="ridge", strength=20.0, errors="fisher")
    np.testing.assert_allclose(held.mle, plain.ratings, atol=1e-6)
    assert np.abs(held.ratings).max() < 0.8 * np.abs(held.mle).max()
    levels = scores.scores.copy()
    levels[0] += 50
    apart = dh.Results(scores=levels, candidates=NAMES, better="higher")
    top = dh.rate(apart, model="plackett-luce", errors="sandwich")
    ranks = np.argsort(np.argsort(-levels[1:], axis=0), axis=0).T
    assert top.mle[0] == np.inf
    np.testing.assert_allclose(top.mle[1:], plackett_luce(ranks).ratings, atol=1e-6)


def test_replicates_of_shuffled_elo_average_over_as_many_orders():
    """Against the bootstrap by hand of the mean over 20 orders."""
    found = dh.rate(STREAM, model="elo", step=32.0, shuffles=20, replicates=200)
    by_hand = []
    for b in range(200):
        drawn_again = np.random.default_rng(b).integers(0, 120, 120)
        ratings = elo(
            *(getattr(STREAM, name)[drawn_again] for name in ("left", "right", "outcome")),
            4,
            k=32.0,
            shuffles=20,
            seed=b,
        ).ratings
        by_hand.append((ratings - ratings.mean()) / POINTS)
    np.testing.assert_allclose(found.evidence.errors, np.std(by_hand, axis=0), rtol=0.2)


def test_orders_of_replicates_depend_on_the_seed(monkeypatch):
    """With the same draws, other orders."""
    monkeypatch.setattr(
        import_module("deadheat.rate.models"), "_times", lambda log, asked, b: np.ones(log.cells)
    )
    one, other = (
        dh.rate(STREAM, model="elo", shuffles=1, replicates=100, seed=seed).evidence.replicates
        for seed in (1, 2)
    )
    assert not np.isclose(one, other).all(axis=1).any()


def test_orders_are_bounded_before_they_are_played(monkeypatch):
    monkeypatch.setattr(import_module("deadheat.rate.models"), "MOST_MOVES", 120 * 100 * 5)
    dh.rate(STREAM, model="elo", shuffles=5, replicates=100)
    with pytest.raises(UsageError, match="6 orders") as error:
        dh.rate(STREAM, model="elo", shuffles=6, replicates=100)
    assert "shuffles=" in error.value.hint


def test_gaussian_beliefs_know_no_weights():
    with pytest.raises(UsageError, match=r"battles.*from 1 to 2"):
        dh.rate(dh.Battles(**drawn(number=4), weight=[1, 2, 1, 1], ordered=True), model="gaussian")
    weights = np.r_[np.full(12, 0.5), np.ones(13)]
    with pytest.raises(UsageError, match=r"rounds.*from 0\.5 to 1"):
        dh.rate(table(judge_weights=weights), model="gaussian")
    voted = dh.rate(
        dh.Battles(**drawn(number=9), cluster=[1, 2, 3] * 3, ordered=True), model="gaussian"
    )
    assert any("clusters" in warning for warning in voted.warnings)


RARE = [("a b left", 9), ("b a left", 7), ("a b tie", 2), ("a c left", 1), ("c a left", 1)]


@pytest.mark.parametrize("ask", [{}, {"penalty": "ridge"}, {"model": "elo"}, {"advantage": True}])
def test_replicates_in_which_somebody_is_absent_are_left_out(ask):
    """Of c's 2 battles of 20 none is drawn with probability .9 ** 20 = .12."""
    drawn_again = {"replicates": 100, "simulations": 0, "plan": "bootstrap"}
    r = dh.rate(log(RARE, ordered="model" in ask), **drawn_again, **ask)
    left_out = 100 - len(r.evidence.replicates)
    assert 2 < left_out < 26
    assert any(f"{left_out} resamples left out" in warning for warning in r.warnings)


@pytest.mark.parametrize("ask", [{}, {"penalty": "ridge"}, {"advantage": True}])
def test_no_replicate_of_positive_weights_lacks_anybody(ask):
    r = dh.rate(log(RARE), replicates=100, simulations=0, **ask)
    assert len(r.evidence.replicates) == 100
    assert not any("left out" in warning for warning in r.warnings)


def test_who_is_hardly_ever_drawn_is_named_before_anything_is_drawn():
    """Each of 13 with one battle of 13 is there with probability 1 - (12/13) ** 13 = .65."""
    rare = log([*((f"a x{k} left", 1) for k in range(12)), ("b a left", 1)])
    with pytest.raises(DataError, match="in nearly all resamples somebody meets nobody") as error:
        dh.rate(rare, replicates=300, simulations=0, plan="bootstrap")
    assert "plan='bayesian'" in error.value.hint
    assert len(dh.rate(rare, replicates=300, simulations=0).evidence.replicates) == 300


def test_the_absent_have_no_rating_in_a_replicate():
    scores = np.array([[1.0, 2, 3, 1], [2, 1, 2, 2], [np.nan, np.nan, 1, 3]])
    weights = np.array([[1.0, 1, 0, 0], [1, 1, 1, 1]])
    pairs = pairs_of_rounds(scores, weights)
    found = Refitter(fit(pairs.of_replicate(1)))(pairs)
    assert np.isnan(found).tolist() == [[False, False, True], [False] * 3]


def settings(**more):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(4, 10)) + 0.2 * np.arange(4)[:, None]
    names = [f"{name}_{k}" for name in "xy" for k in (1, 2)]
    return {"scores": scores, "candidates": names, "better": "higher", **more}


def test_tunability_has_the_weights_of_the_rounds():
    r = dh.rate(
        dh.Results(**settings(judge_weights=np.r_[np.full(5, 10.0), np.full(5, 0.1)])),
        errors="sandwich",
    )
    for one in tunability_of(r):
        assert one.range == pytest.approx(np.ptp(r.ratings[one.settings]), abs=1e-6)


def test_held_out_wins_have_the_weights_of_the_rounds():
    """Half by half: who is ahead by weight in the one, and what it wins by weight in the other."""
    scores = np.array([[0.0] * 8, [1.0, 1, 1, -1, 1, -1, 1, 1]])
    weights = np.array([1.0, 1, 1, 4, 1, 4, 1, 1])
    results = dh.Results(
        scores=scores, candidates=["x_1", "x_2"], better="higher", judge_weights=weights
    )
    gain = tunability_of(dh.rate(results, errors="sandwich", simulations=0))[0].gain
    halves = halves_of(8, most=100, seed=0)
    points, total = 0.0, 0.0
    for half in halves:
        ahead = (weights * half) @ scores[1] > 0
        if ahead:
            points += (weights * ~half) @ (scores[1] > 0)
        else:
            points += (weights * ~half).sum() / 2  # against itself
        total += (weights * ~half).sum()
    assert gain.held_out_wins == pytest.approx(points / total)


def test_held_out_wins_know_what_is_a_tie():
    scores = np.tile([[1.0], [1.0 + 1e-7], [0.5]], (1, 10))
    results = dh.Results(
        scores=scores, candidates=["x_1", "x_2", "y_1"], better="higher", tie_tol=1e-3
    )
    gain = tunability_of(dh.rate(results, errors="fisher", simulations=0))[0].gain
    assert gain.held_out_wins == 0.5


def test_halves_in_which_somebody_is_absent_are_left_out():
    scores = settings()["scores"]
    scores[3, 2:] = np.nan  # there in two rounds of ten
    results = dh.Results(**{**settings(), "scores": scores}, missing="available")
    r = dh.rate(results, errors="sandwich", simulations=0)
    gain = tunability_of(r)[0].gain
    assert 0 < gain.halves < 100
    assert np.isfinite(gain.held_out)
