"""Ratings across data sets: split noise of the spec, correlations by loops, reversals in words."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.core.errors import DataError
from deadheat.rate import tournaments as module
from deadheat.rate.calibration import split_sd
from deadheat.rate.tournaments import across_data_sets, advice, data_set_agreement
from deadheat.statistics.embedding import RatingMatrix


def matrix(ratings):
    ratings = np.asarray(ratings, dtype=float)
    return RatingMatrix(
        data_sets=tuple(f"d{d}" for d in range(len(ratings))),
        settings=tuple(f"s{k}" for k in range(ratings.shape[1])),
        ratings=ratings,
        separated=np.zeros(ratings.shape, bool),
    )


def pairwise_sd(scores):
    """Pool the variance of the differences of every pair over its common splits."""
    total = freedom = 0.0
    for a, b in combinations(scores, 2):
        gaps = [x - y for x, y in zip(a, b, strict=True) if not np.isnan(x - y)]
        if len(gaps) > 1:
            total += np.var(gaps, ddof=1) * (len(gaps) - 1)
            freedom += len(gaps) - 1
    return np.sqrt(total / freedom / 2) if freedom else np.nan


def test_settings_that_only_rounding_tells_apart_are_in_no_order():
    ratings = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    spoilt = ratings * (1 + 1e-15 * np.array([[1, -1, 0], [0, 1, -2], [-2, 2, 0]]))
    exact, rounded = (data_set_agreement(matrix(each)) for each in (ratings, spoilt))
    assert (exact.discordant == rounded.discordant).all()


def test_the_noise_of_the_same_split_is_that_of_two_way_residuals():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6, 9)) + 3 * rng.normal(size=9) + np.arange(6)[:, None] + 50
    left = x - x.mean(axis=0) - x.mean(axis=1, keepdims=True) + x.mean()
    assert split_sd(x) == pytest.approx(np.sqrt((left**2).sum() / (5 * 8)))
    assert split_sd(x) == pytest.approx(split_sd(x + 100 * rng.normal(size=9)))
    assert split_sd(x, pairing="all") == pytest.approx(np.sqrt(x.var(axis=1, ddof=1).mean()))


def test_scores_that_a_policy_ranks_last_are_no_noise():
    x = np.random.default_rng(3).normal(size=(4, 6))
    worst, hole = x.copy(), x.copy()
    worst[1, 2], hole[1, 2] = -np.inf, np.nan
    assert split_sd(worst) == split_sd(hole)
    assert split_sd(worst, pairing="all") == split_sd(hole, pairing="all")


@given(seed=st.integers(0, 99))
def test_split_noise_with_holes(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(5, 6))
    x[rng.random(x.shape) < 0.4] = np.nan
    assert split_sd(x) == pytest.approx(pairwise_sd(x), nan_ok=True)


def test_one_split_tells_no_noise():
    assert np.isnan(split_sd(np.ones((3, 1))))
    assert np.isnan(split_sd(np.ones((3, 1)), pairing="all"))


def agreement_by_hand(ratings, weights, d):
    """Return the upper median of pairwise correlations, and the mean share of pairs opposed."""
    others = [k for k in range(len(ratings)) if k != d]
    each = {k: np.corrcoef(ratings[d], ratings[k])[0, 1] for k in others}
    half = sum(weights[k] for k in others) / 2
    reached = [r for r in each.values() if sum(weights[k] for k in others if each[k] >= r) >= half]
    opposed = [
        np.mean([
            (ratings[d, i] - ratings[d, j]) * (ratings[k, i] - ratings[k, j]) < 0
            for i, j in combinations(range(ratings.shape[1]), 2)
        ])
        for k in others
    ]  # fmt: skip
    return max(reached), np.average(opposed, weights=[weights[k] for k in others])


@given(seed=st.integers(0, 99), number=st.integers(2, 6), weighted=st.booleans())
def test_correlations_with_most_of_the_others(seed, number, weighted):
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=(number, 5))
    weights = rng.integers(1, 5, number).astype(float) if weighted else np.ones(number)
    found = data_set_agreement(matrix(ratings), weights=weights if weighted else None)
    for d in range(number):
        r, opposed = agreement_by_hand(ratings, weights, d)
        assert found.with_others[d] == pytest.approx(r)
        assert found.discordant[d] == pytest.approx(opposed)
    against = [d for d in range(number) if found.with_others[d] < 0]
    against.sort(key=found.with_others.item)
    assert found.reversed_ == tuple(f"d{d}" for d in against)
    assert found.beyond_noise == ()
    assert np.isnan(found.p_reversed).all()


def test_one_data_set_with_large_ratings_does_not_make_the_others_look_reversed():
    found = data_set_agreement(matrix([[0.5, 0, -0.5], [0.6, 0.05, -0.65], [-2, 0.1, 1.9]]))
    assert found.reversed_ == ("d2",)
    assert found.with_others[:2] == pytest.approx(
        np.corrcoef([0.5, 0, -0.5], [0.6, 0.05, -0.65])[0, 1]
    )
    assert "no common order" not in " ".join(advice(found))


@given(seed=st.integers(0, 99), number=st.integers(3, 8))
def test_a_majority_that_agrees_pairwise_is_never_called_reversed(seed, number):
    rng = np.random.default_rng(seed)
    agreeing = number // 2 + 1
    order = np.arange(5.0)
    signs = np.where(np.arange(number) < agreeing, 1, -1)[:, None]
    ratings = signs * order * 10.0 ** rng.uniform(-2, 2, (number, 1))
    found = data_set_agreement(
        matrix(ratings + 0.001 * np.abs(ratings) * rng.normal(size=(number, 5)))
    )
    assert set(found.reversed_) == {f"d{d}" for d in range(agreeing, number)}
    assert "no common order" not in " ".join(advice(found))


def test_replicates_are_correlated_one_by_one(monkeypatch):
    monkeypatch.setattr(module, "WORKING_SET", 120)  # several parts
    rng = np.random.default_rng(1)
    ratings = np.arange(5.0) * np.array([[1], [1], [-0.5]])
    drawn = [row + 2 * rng.normal(size=(60 + d, 5)) for d, row in enumerate(ratings)]
    found = data_set_agreement(matrix(ratings), replicates=drawn, alpha=0.1)
    p = []
    for d in range(3):
        again = [
            agreement_by_hand(np.stack([rows[b] for rows in drawn]), np.ones(3), d)[0]
            for b in range(60)
        ]
        ends = np.quantile(again, [0.05, 0.95])
        assert [found.low[d], found.high[d]] == pytest.approx(ends.tolist())
        p.append((1 + sum(r >= 0 for r in again)) / 61)
    stepped, largest = {}, 0.0
    for step, d in enumerate(np.argsort(p, kind="stable")):
        largest = max(largest, min(1.0, p[d] * (3 - step)))
        stepped[int(d)] = largest
    assert found.p_reversed == pytest.approx([stepped[d] for d in range(3)])


def reversed_field(noise, seed=0, size=400):
    """Four data sets of one order and a fifth that reverses it, as the paper's data set 334."""
    rng = np.random.default_rng(seed)
    order = np.linspace(-2, 2, 11)
    truth = np.stack([order, 0.8 * order, 1.2 * order, order, -order])
    ratings = truth + noise * rng.normal(size=truth.shape)
    return ratings, [row + noise * rng.normal(size=(size, 11)) for row in ratings]


def test_the_data_set_that_reverses_the_others_is_named():
    ratings, drawn = reversed_field(0.3)
    found = data_set_agreement(matrix(ratings), replicates=drawn)
    assert found.reversed_ == found.beyond_noise == ("d4",)
    assert found.with_others[4] < -0.9
    assert found.discordant[4] > 0.8
    words = " ".join(advice(found))
    assert "'d4' goes against the others" in words
    assert f"{found.with_others[4]:.2f}" in words
    assert "more than the noise" in words
    assert "Look at d4" in words


def test_a_reversal_within_noise_is_not_claimed():
    order = np.linspace(-0.1, 0.1, 6)
    ratings = np.stack([order, order, order, -0.2 * order])
    rng = np.random.default_rng(0)
    drawn = [row + rng.normal(size=(300, 6)) for row in ratings]
    found = data_set_agreement(matrix(ratings), replicates=drawn)
    assert found.reversed_ == ("d3",)
    assert found.beyond_noise == ()
    words = " ".join(advice(found))
    assert "may be noise" in words
    assert "Look at" not in words


def test_without_replicates_nothing_is_said_about_noise():
    words = " ".join(advice(data_set_agreement(matrix(reversed_field(0.1)[0]))))
    assert "was not tested" in words
    assert "more than the noise" not in words


def test_two_data_sets_cannot_tell_which_is_unusual():
    words = [*advice(data_set_agreement(matrix([[1.0, 0, -1], [-1, 0, 1]])))]
    assert len(words) == 1
    assert "nothing tells which of them is unusual" in words[0]
    assert not [*advice(data_set_agreement(matrix([[1.0, 0, -1], [1, 0, -1]])))]


def test_no_common_order_is_said():
    order = np.linspace(-1, 1, 5)
    found = data_set_agreement(matrix([order, -order, order, -order]))
    assert "no common order" in " ".join(advice(found))
    found = data_set_agreement(
        matrix([order, -order, order, -order]), weights=np.array([1.0, 0, 1, 0])
    )
    assert found.reversed_ == ("d1", "d3")
    assert "no common order" not in " ".join(advice(found))


def test_two_camps_are_told_in_one_sentence():
    up = np.array([2.0, 1.0, -0.5, -2.5])
    found = data_set_agreement(matrix([up, -up, 1.1 * up, -0.9 * up]))
    assert found.camps == (("d0", "d2"), ("d1", "d3"))
    (told,) = advice(found)
    assert "two camps that order the settings in opposite ways: d0, d2 against d1, d3;" in told
    assert "was not tested" in told
    rng = np.random.default_rng(1)
    for noise, words in ((0.01, "more than the noise of the splits"), (9.0, "may be noise of the")):
        drawn = [s * up + noise * rng.normal(size=(99, 4)) for s in (1, -1, 1, -1)]
        again = data_set_agreement(matrix([up, -up, up, -up]), replicates=drawn)
        assert words in next(advice(again))


def test_a_minority_or_a_muddle_is_no_camp_of_equal_right():
    up = np.array([2.0, 1.0, -0.5, -2.5])
    minority = data_set_agreement(matrix([up, up, up, -up]))
    assert minority.camps == (("d0", "d1", "d2"), ("d3",))
    assert next(advice(minority)).startswith("Data set 'd3' goes against the others")
    assert data_set_agreement(matrix([up, up, up])).camps == ()
    assert data_set_agreement(matrix(np.eye(3))).camps == ()  # each against each
    unweighted = data_set_agreement(matrix([up, -up, up]), weights=np.array([1.0, 0.0, 1.0]))
    assert unweighted.camps == ()


def test_equal_ratings_have_no_correlation():
    found = data_set_agreement(matrix([[0.0, 0, 0], [1, 0, -1], [1, 0, -1]]))
    assert np.isnan(found.with_others[0])
    assert found.with_others[1] == pytest.approx(1)
    assert found.reversed_ == ()


def test_what_all_data_sets_say_together():
    ratings = np.array([[1.0, -1.0], [3.0, -3.0], [-1.0, 1.0]])
    found = across_data_sets(matrix(ratings), weights=np.array([1.0, 1.0, 2.0]))
    expected = np.repeat(ratings, [1, 1, 2], axis=0)
    np.testing.assert_allclose(found.mean, expected.mean(axis=0))
    np.testing.assert_allclose(found.sd, expected.std(axis=0))
    assert found.high.tolist() == [3, 1]
    assert found.low.tolist() == [-1, -3]
    assert found.best_on.tolist() == [1, 2]
    assert found.worst_on.tolist() == [2, 1]


def test_wrong_requests_are_refused():
    with pytest.raises(DataError, match="missing: s0 on d1"):
        data_set_agreement(matrix([[1.0, 2], [np.nan, 1]]))


@pytest.mark.slow
def test_noise_is_seldom_taken_for_a_reversal():
    """Data sets of settings that are all equal: a reversal is claimed in at most alpha of them."""
    claimed = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        ratings = rng.normal(size=(6, 11))
        drawn = [row + rng.normal(size=(300, 11)) for row in ratings]
        claimed += bool(data_set_agreement(matrix(ratings), replicates=drawn).beyond_noise)
    assert claimed <= 0.05 * 400 + 3 * np.sqrt(400 * 0.05 * 0.95)
