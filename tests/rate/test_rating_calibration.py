"""Deviance, residuals and calibration of ratings, against loops over pairs."""

from __future__ import annotations

import numpy as np
import pytest
import rating_oracle as oracle
from hypothesis import given
from hypothesis import strategies as st

from deadheat.models.rating.pair_counts import PairCounts
from deadheat.rate.calibration import calibration, chances, deviances, explained_share, freedom

MODELS = [("half", None), ("davidson", -0.4), ("rao-kupper", 0.3)]


def pairs_of(rng, n=5, shape=(), *, gaps=False):
    first, second = np.triu_indices(n, 1)
    counts = rng.integers(0, 9, (3, *shape, len(first))).astype(float)
    if gaps:
        counts[..., ::3] = 0
    return PairCounts(n, first, second, *counts)


@pytest.mark.parametrize(("ties", "tie"), MODELS)
@given(seed=st.integers(0, 99), gaps=st.booleans())
def test_the_deviance_is_that_of_loops(ties, tie, seed, gaps):
    rng = np.random.default_rng(seed)
    pairs, ratings = pairs_of(rng, gaps=gaps), rng.normal(size=5)
    expected = oracle.deviance(pairs, ratings, ties, tie)
    assert deviances(pairs, ratings, ties=ties, tie=tie)[1].sum() == pytest.approx(expected)


@pytest.mark.parametrize(("ties", "tie"), MODELS)
def test_replicates_are_rows(ties, tie):
    rng = np.random.default_rng(1)
    pairs, ratings = pairs_of(rng, shape=(4,)), rng.normal(size=(4, 5))
    column = None if tie is None else np.full((4, 1), tie) + np.arange(4)[:, None] / 10
    fitted, terms = deviances(pairs, ratings, ties=ties, tie=column)
    for b in range(4):
        own = None if tie is None else tie + b / 10
        one = pairs.of_replicate(b)
        assert terms[b].sum() == pytest.approx(oracle.deviance(one, ratings[b], ties, own))
        alone = deviances(one, ratings[b], ties=ties, tie=own)
        np.testing.assert_allclose([fitted[b], terms[b]], alone)


@pytest.mark.parametrize(("ties", "tie"), MODELS)
def test_chances_are_those_of_the_models_and_add_up(ties, tie):
    gaps = np.array([-50.0, -2, 0, 0.7, 4, 800])
    found = chances(gaps, ties=ties, tie=tie)
    np.testing.assert_allclose(sum(found), 1)
    for k, gap in enumerate(gaps[:5]):
        expected = oracle.outcome_chances(gap, ties, tie)
        assert [part[k] for part in found] == pytest.approx(expected)
    assert found[0][5] == pytest.approx(1)


def test_a_model_that_says_all_has_no_deviance():
    """Two candidates: the fitted share is the observed one."""
    pairs = PairCounts(2, np.array([0]), np.array([1]), *np.array([[6.0], [2.0], [0.0]]))
    ratings = np.array([np.log(3) / 2, -np.log(3) / 2])
    assert deviances(pairs, ratings)[1] == pytest.approx(0, abs=1e-12)
    assert freedom(pairs) == 0
    assert explained_share(pairs, ratings) == pytest.approx(1)
    assert explained_share(pairs, np.zeros(2)) == pytest.approx(0)


def test_pairs_that_are_all_even_leave_nothing_to_explain():
    pairs = PairCounts(2, np.array([0]), np.array([1]), *np.array([[3.0], [3.0], [2.0]]))
    assert np.isnan(explained_share(pairs, np.zeros(2)))


def test_degrees_of_freedom_are_shares_less_parameters():
    """Spec D: C(n, 2) - (n - 1) where all met; 2 shares per pair and a parameter more with ties."""
    pairs = pairs_of(np.random.default_rng(2), n=5).with_counts(*np.ones((3, 10)))
    assert freedom(pairs) == 10 - 4
    assert freedom(pairs, ties="davidson") == 20 - 4 - 1
    some = pairs.with_counts(*np.where(np.arange(10) < 4, 1.0, 0.0) * np.ones((3, 1)))
    assert freedom(some) == 4 - 4  # the first candidate met all others


def counts_of(pairs, k):
    return (np.array([c[k]]) for c in (pairs.wins, pairs.losses, pairs.ties))


@given(seed=st.integers(0, 99), bins=st.integers(1, 12))
def test_calibration_by_pair_and_in_bins(seed, bins):
    rng = np.random.default_rng(seed)
    pairs, ratings = pairs_of(rng, n=6, gaps=True), rng.normal(size=6)
    found = calibration(pairs, ratings, bins=bins)
    rows, binned = [], {}
    for k in range(15):
        met = pairs.wins[k] + pairs.losses[k] + pairs.ties[k]
        if met == 0:
            continue
        i, j = pairs.first[k], pairs.second[k]
        p = 1 / (1 + np.exp(ratings[j] - ratings[i]))
        share = (pairs.wins[k] + pairs.ties[k] / 2) / met
        one = PairCounts(2, np.array([0]), np.array([1]), *counts_of(pairs, k))
        away = np.sqrt(max(oracle.deviance(one, ratings[[i, j]]), 0)) * np.sign(share - p)
        rows.append((i, j, met, p, share, away))
        favourite, won = (p, share) if p >= 0.5 else (1 - p, 1 - share)
        binned.setdefault(min(int((favourite - 0.5) * 2 * bins), bins - 1), []).append(
            (met, favourite, won)
        )
    columns = (
        found.first,
        found.second,
        found.battles,
        found.fitted,
        found.observed,
        found.residuals,
    )
    np.testing.assert_allclose(np.stack(columns, axis=1), rows)
    assert found.worst == max(range(len(rows)), key=lambda k: abs(rows[k][5]))
    assert len(found.bins) == bins
    for k, part in enumerate(found.bins):
        assert (part.low, part.high) == pytest.approx(
            ((1 + k / bins) / 2, (1 + (k + 1) / bins) / 2)
        )
        inside = binned.get(k, [])
        assert part.pairs == len(inside)
        if inside:
            met, fitted, won = np.array(inside).T
            assert part.battles == met.sum()
            assert part.fitted == pytest.approx(np.average(fitted, weights=met))
            assert part.observed == pytest.approx(np.average(won, weights=met))
        else:
            assert np.isnan([part.fitted, part.observed]).all()


@pytest.mark.parametrize(("ties", "tie"), MODELS)
def test_squared_residuals_add_up_to_the_deviance(ties, tie):
    rng = np.random.default_rng(6)
    pairs, ratings = pairs_of(rng), rng.normal(size=5)
    pairs = pairs.with_counts(pairs.wins + 1, pairs.losses, pairs.ties)  # so that all met
    found = calibration(pairs, ratings, ties=ties, tie=tie)
    fitted, away = found.fitted, found.residuals
    assert (away**2).sum() == pytest.approx(oracle.deviance(pairs, ratings, ties, tie))
    for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        won, _, tied = oracle.outcome_chances(ratings[i] - ratings[j], ties, tie)
        met = pairs.wins[k] + pairs.losses[k] + pairs.ties[k]
        assert fitted[k] == pytest.approx(won + tied / 2)
        assert np.sign(away[k]) == np.sign(pairs.wins[k] + pairs.ties[k] / 2 - met * fitted[k])


def test_residuals_of_many_battles_are_differences_over_standard_errors():
    won = np.array([5_120.0])
    pairs = PairCounts(2, np.array([0]), np.array([1]), won, 10_000 - won, np.zeros(1))
    away = calibration(pairs, np.zeros(2)).residuals
    assert away[0] == pytest.approx(120 / np.sqrt(10_000 / 4), rel=1e-3)


def test_one_upset_of_a_sure_favourite_has_a_bounded_residual():
    pairs = PairCounts(2, np.array([0]), np.array([1]), *np.array([[19.0], [0.0], [1.0]]))
    away = calibration(pairs, np.array([12.0, -12.0])).residuals
    assert -6 < away[0] < -4


def test_far_ratings_stay_finite():
    pairs = PairCounts(2, np.array([0]), np.array([1]), *np.array([[5.0], [0.0], [0.0]]))
    ratings = np.array([400.0, -400.0])
    assert deviances(pairs, ratings)[1] == 0
    assert calibration(pairs, ratings).residuals[0] == 0
    assert np.isfinite(deviances(pairs, -ratings)[1])


def test_nobody_met_anybody():
    pairs = PairCounts(2, np.array([0]), np.array([1]), *np.zeros((3, 1)))
    assert calibration(pairs, np.zeros(2)).worst is None
