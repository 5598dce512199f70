"""Simulated rounds and battles follow the model they are drawn from."""

from __future__ import annotations

import numpy as np
import pytest
import rating_oracle as oracle
from scipy.stats import logistic

from deadheat.models.rating.pair_counts import PairCounts, pairs_of_rounds
from deadheat.rate import calibration as module
from deadheat.rate.calibration import battles_like, rounds_like, shared_noise

RATINGS = np.array([1.0, 0.2, -1.2])


def like(scores, ratings=RATINGS, **ask):
    given = {k: v for k, v in ask.items() if k == "pairing"}
    return rounds_like(scores, pairs_of_rounds(scores, **given), ratings, **ask)


def expected_shares(ratings):
    return 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))


def test_rounds_are_won_with_logistic_probability():
    rng = np.random.default_rng(0)
    simulation = like(rng.normal(size=(3, 40_000)))
    won, lost, tied = simulation(rng)
    pairs = np.triu_indices(3, 1)
    np.testing.assert_allclose(won / 40_000, expected_shares(RATINGS)[pairs], atol=0.01)
    assert (won + lost == 40_000).all()
    assert not tied.any()


def test_rounds_that_share_noise_meet_across_rounds_as_the_model_says():
    """Of S^2 matches all but S are between rounds that have nothing in common."""
    rng = np.random.default_rng(1)
    scores = 3 * rng.normal(size=400) + rng.normal(size=(3, 400))
    simulation = like(scores, pairing="all")
    assert simulation.shared == pytest.approx(0.9, abs=0.03)
    shares = np.mean([simulation(rng)[0] for _ in range(40)], axis=0) / 400**2
    np.testing.assert_allclose(shares, expected_shares(RATINGS)[np.triu_indices(3, 1)], atol=0.02)
    drawn = simulation.scores(rng)
    assert np.corrcoef(drawn)[0, 1] > 0.6


def test_shared_noise_is_the_part_that_cancels_within_rounds():
    rng = np.random.default_rng(2)
    scores = 2 * rng.normal(size=3_000) + rng.normal(size=(5, 3_000))
    assert shared_noise(scores, pairing="all") == pytest.approx(0.8, abs=0.03)
    assert shared_noise(scores, pairing="same") == 0
    assert shared_noise(np.ones((3, 4)), pairing="all") == 0
    assert shared_noise(rng.normal(size=(1, 5)), pairing="all") == 0


def test_holes_and_weights_stay_where_they_are():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(3, 6))
    scores[0, 2] = scores[1, 5] = np.nan
    weights = np.array([1.0, 2, 3, 4, 5, 6])
    pairs = pairs_of_rounds(scores, weights[None]).of_replicate(0)
    simulation = rounds_like(scores, pairs, RATINGS, round_weights=weights)
    drawn = simulation.scores(np.random.default_rng(9))
    np.testing.assert_array_equal(np.isnan(drawn), np.isnan(scores))
    won, lost, tied = simulation(np.random.default_rng(9))
    again = oracle.counted(drawn, weights=weights)
    np.testing.assert_allclose([won, lost, tied], [again.wins, again.losses, again.ties])
    np.testing.assert_allclose(won + lost + tied, pairs.met)


@pytest.mark.parametrize("pairing", ["same", "all"])
def test_ties_are_as_frequent_as_they_were_and_shares_as_fitted(pairing):
    rng = np.random.default_rng(4)
    rounds = 2_000
    scores = np.floor((rng.gumbel(size=(3, rounds)) + RATINGS[:, None]) / 2)
    pairs = pairs_of_rounds(scores, pairing=pairing)
    ratings = oracle.fitted(pairs)
    simulation = rounds_like(scores, pairs, ratings, pairing=pairing)
    assert simulation.grid == pytest.approx(2, abs=0.2)
    drawn = np.mean([simulation(rng) for _ in range(20)], axis=0)
    met = pairs.met
    assert drawn[2].sum() / met.sum() == pytest.approx(pairs.ties.sum() / met.sum(), abs=0.01)
    points = (drawn[0] + drawn[2] / 2) / met
    np.testing.assert_allclose(points, expected_shares(ratings)[np.triu_indices(3, 1)], atol=0.01)


@pytest.mark.parametrize(("gap", "grid"), [(0.0, 0.5), (0.7, 1.3), (-2.0, 4.0)])
def test_rounding_to_a_random_grid(gap, grid):
    """Integrate over the logistic gap: the chance that both fall into one cell, and the points."""
    x = np.linspace(-60, 60, 400_001) + gap
    density = logistic.pdf(x - gap)
    points, tied = module._points_on_grid(np.array([gap]), grid)
    alone = np.maximum(1 - np.abs(x) / grid, 0)
    assert tied[0] == pytest.approx(np.trapezoid(density * alone, x), abs=1e-6)
    lead = np.clip(x / grid, -1, 1)
    assert points[0] == pytest.approx(0.5 + np.trapezoid(density * lead, x) / 2, abs=1e-6)


def test_tables_in_which_all_is_tied():
    scores = np.ones((3, 5))
    simulation = like(scores, np.zeros(3))
    won, lost, tied = simulation(np.random.default_rng(0))
    assert tied.sum() >= 14
    assert won.sum() + lost.sum() <= 1


def pairs_with(wins, losses, ties):
    first, second = np.triu_indices(3, 1)
    counts = (np.array(c, dtype=float) for c in (wins, losses, ties))
    return PairCounts(3, first, second, *counts)


@pytest.mark.parametrize(("ties", "tie"), [("half", None), ("davidson", -0.5), ("rao-kupper", 0.4)])
def test_battles_end_as_the_model_says(ties, tie):
    rng = np.random.default_rng(5)
    pairs = pairs_with([50, 80, 60], [30, 10, 30], [20, 10, 10])
    simulation = battles_like(pairs, RATINGS, ties=ties, tie=tie)
    drawn = np.array([simulation(rng) for _ in range(4_000)])
    assert (drawn.sum(axis=1) == 100).all()
    mean = drawn.mean(axis=0) / 100
    gaps = RATINGS[pairs.first] - RATINGS[pairs.second]
    expected = np.array([oracle.outcome_chances(gap, ties, tie) for gap in gaps]).T
    if ties == "half":
        np.testing.assert_allclose(mean[0] + mean[2] / 2, expected[0], atol=0.005)
        assert 100 * mean[2].sum() == pytest.approx(40, abs=0.5)
        p = expected[0]
        np.testing.assert_allclose(
            mean[2] / (p * (1 - p)), mean[2][0] / (p * (1 - p))[0], rtol=0.03
        )
    else:
        np.testing.assert_allclose(mean, expected, atol=0.005)
    spread = drawn[:, 0].var(axis=0)
    np.testing.assert_allclose(spread, 100 * mean[0] * (1 - mean[0]), rtol=0.1)


def test_battles_of_a_log_without_ties_have_none():
    simulation = battles_like(pairs_with([5, 8, 6], [3, 1, 3], [0, 0, 0]), RATINGS)
    assert not simulation(np.random.default_rng(0))[2].any()


def test_more_ties_than_the_shares_allow_are_as_many_as_they_do():
    simulation = battles_like(pairs_with([0] * 3, [0] * 3, [9_000] * 3), RATINGS)
    p = 1 / (1 + np.exp(-(RATINGS[[0, 0, 1]] - RATINGS[[1, 2, 2]])))
    won, _, tied = simulation(np.random.default_rng(0))
    np.testing.assert_allclose(tied / 9_000, 2 * np.minimum(p, 1 - p), atol=0.02)
    assert (won + tied == 9_000).all()  # the worse one never wins


def test_weighted_battles_keep_their_number_and_their_weight():
    pairs = pairs_with([5.0, 0.75, 1.5], [5.0, 0.25, 0.5], [0, 0, 0])
    battles = np.array([4.0, 10, 0])
    simulation = battles_like(pairs, RATINGS, battles=battles)
    won, lost, _ = simulation(np.random.default_rng(0))
    np.testing.assert_allclose(won + lost, [10, 1, 0])
    assert won[0] % 2.5 == 0
