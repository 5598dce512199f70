"""Goodness of fit: the bookkeeping by hand, and p-values under the model and far from it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import rating_oracle as oracle

import deadheat as dh
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import PairCounts, pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter
from deadheat.rate import calibration as rating_fit
from deadheat.rate.calibration import battles_like, goodness
from deadheat.rate.matches import RoundMatches
from deadheat.resampling.plans import Bootstrap


def rounds_of(ratings, rounds, seed):
    noise = np.random.default_rng(seed).gumbel(size=(len(ratings), rounds))
    return np.asarray(ratings)[:, None] + noise


def goodness_of_rounds(scores, fitted, *, pairing="same", simulations=199, seed=0, on="threads"):
    results = dh.Results(scores=scores, better="higher", missing="available")
    matches = RoundMatches(results=results, plan=Bootstrap(), pairing=pairing)
    return matches.goodness(fitted, simulations=simulations, seed=seed, on=on)


def goodness_of_battles(fitted, **ask):
    logs = battles_like(fitted.pairs, fitted.ratings, ties=fitted.ties, tie=fitted.tie)
    return goodness(fitted, logs, **ask)


def judged(scores, *, pairing="same", **ask):
    pairs = pairs_of_rounds(scores, pairing=pairing)
    return goodness_of_rounds(scores, fit(pairs), pairing=pairing, **ask)


def test_a_p_value_counts_the_tables_that_reach_the_observed():
    """Ten tables with known counts: everything else follows by loops."""
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(4, 1)
    tables = [rng.integers(1, 9, (3, 6)).astype(float) for _ in range(11)]
    pairs = PairCounts(4, first, second, *tables[0])
    drawn = iter(tables[1:])

    ratings = oracle.fitted(pairs)
    found = goodness(fit(pairs), lambda _: next(drawn), simulations=10, on="serial")
    others = [PairCounts(4, first, second, *table) for table in tables[1:]]
    expected = [oracle.deviance(other, oracle.fitted(other)) for other in others]
    observed = oracle.deviance(pairs, ratings)
    assert found.deviance.observed == pytest.approx(observed)
    assert found.deviance.mean == pytest.approx(np.mean(expected), rel=1e-5)
    assert found.deviance.p == (1 + sum(d >= observed for d in expected)) / 11
    assert 0 < sum(d >= observed for d in expected) < 10
    assert found.df == 3
    assert found.simulations == 10


def test_a_table_is_compared_at_its_own_spread():
    """Deviances that grow with the variance of the ratings: only what is beyond that counts."""
    spread = np.linspace(0.5, 2, 30)
    usual = 3 * spread**0.8
    found = rating_fit._beyond(np.r_[2 * usual[-1], usual], np.r_[spread[-1], spread])
    np.testing.assert_allclose(found[1:], np.log(usual[-1]))
    assert found[0] == pytest.approx(np.log(2 * usual[-1]))
    steep, falling = spread**3, 1 / spread
    kept = rating_fit._beyond(np.r_[steep[:1], steep], np.r_[spread[:1], spread])
    np.testing.assert_allclose(np.exp(kept[1:]), steep / (spread / spread[0]))
    kept = rating_fit._beyond(np.r_[falling[:1], falling], np.r_[spread[:1], spread])
    np.testing.assert_allclose(np.exp(kept[1:]), falling)
    few, none = np.arange(1.0, 5), np.zeros(30)
    np.testing.assert_array_equal(rating_fit._beyond(few, few), few)
    np.testing.assert_array_equal(rating_fit._beyond(none, spread), none)
    same = np.full(31, 0.7)
    np.testing.assert_allclose(
        rating_fit._beyond(np.arange(1.0, 32), same), np.log(np.arange(1, 32))
    )


def test_without_simulations_nothing_is_calibrated():
    scores = rounds_of([0.5, 0, -0.5], 30, 0)
    found = judged(scores, simulations=0)
    assert found.simulations == 0
    assert np.isnan([found.deviance.p, found.deviance.mean]).all()
    pairs = pairs_of_rounds(scores)
    assert found.deviance.observed == pytest.approx(
        oracle.deviance(pairs, oracle.fitted(pairs)), abs=1e-6
    )


def test_the_engine_and_the_seed():
    scores = rounds_of([0.5, 0, -0.5, 0.2], 15, 1)
    plain = judged(scores, simulations=60, on="serial")
    with ThreadPoolExecutor(3) as pool:
        assert judged(scores, simulations=60, on=pool) == plain
    assert judged(scores, simulations=60, seed=1).deviance != plain.deviance


def test_fewer_simulations_are_the_first_of_more(monkeypatch):
    seen = []
    whole = rating_fit._calibrate
    monkeypatch.setattr(
        rating_fit, "_calibrate", lambda drawn, c: (seen.append(drawn[1:]), whole(drawn, c))[1]
    )
    scores = rounds_of([0.5, 0, -0.5, 0.2], 15, 1)
    for simulations in (30, 70):
        judged(scores, simulations=simulations)
    np.testing.assert_allclose(seen[0], seen[1][:30], rtol=1e-9)
    assert len(seen[1]) == 70
    assert not np.isclose(seen[1][50:], seen[1][:20]).any()  # a block has numbers of its own


@pytest.mark.parametrize("pairing", ["same", "all"])
def test_rounds_of_the_model_fit_it(pairing):
    """Spec D: on 5 candidates and 20 splits the deviance is far below its 6 degrees of freedom."""
    ratings = np.linspace(-0.6, 0.6, 5)
    found = [
        judged(rounds_of(ratings, 20, seed), pairing=pairing, simulations=49) for seed in range(12)
    ]
    assert {one.df for one in found} == {6}
    assert np.mean([one.deviance.observed for one in found]) < 5
    assert sum(one.deviance.p <= 0.05 for one in found) <= 3
    assert 0.25 < np.mean([one.deviance.p for one in found]) < 0.75


def test_a_circle_does_not_fit():
    """Rock, paper, scissors: each beats the next on 80 % of the rounds."""
    rng = np.random.default_rng(2)
    scores = np.stack([np.roll([3.0, 2.0, 1.0], k) for k in rng.choice(3, 60)], axis=1)
    scores += rng.normal(size=scores.shape) * 0.5
    found = judged(scores, simulations=199)
    assert found.triples.number == found.triples.triples == 1
    assert found.deviance.p == 1 / 200
    assert found.explained < 0.2


def test_battles_of_the_model_fit_it_and_a_circle_does_not():
    first, second = np.triu_indices(4, 1)
    ratings = np.array([0.8, 0.2, -0.3, -0.7])
    p = 1 / (1 + np.exp(ratings[second] - ratings[first]))
    rng, found = np.random.default_rng(3), []
    for _ in range(12):
        won = rng.binomial(50, p).astype(float)
        pairs = PairCounts(4, first, second, won, 50 - won, np.zeros(6))
        found.append(goodness_of_battles(fit(pairs), simulations=49))
    assert sum(one.deviance.p <= 0.05 for one in found) <= 3
    assert np.mean([one.deviance.mean for one in found]) == pytest.approx(3, abs=0.4)  # chi-square
    won = np.array([40.0, 10, 40])
    circle = PairCounts(3, np.array([0, 0, 1]), np.array([1, 2, 2]), won, 50 - won, np.zeros(3))
    assert goodness_of_battles(fit(circle), simulations=99).deviance.p == 1 / 100


@pytest.mark.parametrize("ties", ["half", "davidson", "rao-kupper"])
def test_ties_of_every_model(ties):
    scores = np.floor(2 * rounds_of([0.5, 0, -0.5, 0.2], 40, 4))
    pairs = pairs_of_rounds(scores)
    assert pairs.ties.sum() > 20
    fitted = fit(pairs, ties=ties)
    found = goodness_of_rounds(scores, fitted, simulations=49)
    expected = oracle.deviance(pairs, fitted.ratings, ties, fitted.tie)
    assert found.deviance.observed == pytest.approx(expected)
    assert found.df == (3 if ties == "half" else 8)
    assert found.deviance.p > 0.05
    assert goodness_of_battles(fitted, simulations=49).deviance.p > 0.05


def test_somebody_who_won_all_is_fitted_with_the_same_penalty():
    scores = rounds_of([9.0, 0, -0.5, 0.2], 12, 5)
    pairs = pairs_of_rounds(scores)
    fitted = fit(pairs)
    assert fitted.penalty == "firth"
    again = Refitter(fitted)(
        pairs.with_counts(*(c[None] for c in (pairs.wins, pairs.losses, pairs.ties)))
    )
    np.testing.assert_allclose(again[0], fitted.ratings, atol=1e-6)
    found = goodness_of_rounds(scores, fitted, simulations=49)
    assert np.isfinite(found.deviance.mean)
    assert found.deviance.p > 0.02


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pairing", "shared"), [("same", 0.0), ("same", 3.0), ("all", 0.0), ("all", 1.0)]
)
def test_p_values_are_uniform_under_the_model(pairing, shared):
    """Also where rounds differ in difficulty, which all candidates of a round share."""
    p = []
    for seed in range(200):
        scores = rounds_of(np.linspace(-0.8, 0.8, 5), 20, seed)
        scores += shared * np.random.default_rng([seed, 1]).normal(size=20)
        p.append(judged(scores, pairing=pairing, simulations=99).deviance.p)
    p = np.array(p)
    assert abs((p <= 0.1).mean() - 0.1) <= 3 * np.sqrt(0.09 / 200)
    assert abs((p <= 0.5).mean() - 0.5) <= 3 * np.sqrt(0.25 / 200)
