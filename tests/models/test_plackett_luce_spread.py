"""How sure Plackett-Luce ratings are: covariances and refits."""

from __future__ import annotations

import numpy as np
import pytest
from round_cases import literal, some_rounds

from deadheat.models.rating.plackett_luce import plackett_luce, plackett_luce_refits


def test_fisher_is_the_curvature_of_the_likelihood():
    ranks, h = some_rounds(2, 20, 4), 1e-4
    fit = plackett_luce(ranks)
    axes = np.eye(4)
    curvature = np.array(
        [
            [
                sum(
                    s * t * literal(ranks, fit.ratings + h * (s * x + t * y), {})
                    for s in (1, -1)
                    for t in (1, -1)
                )
                / (4 * h * h)
                for x in axes
            ]
            for y in axes
        ]
    )
    np.testing.assert_allclose(fit.fisher(), np.linalg.pinv(-curvature, rcond=1e-5), rtol=1e-4)


@pytest.mark.parametrize("rounded", [None, 0])
def test_the_sandwich_is_that_of_the_rounds(rounded):
    """The infinitesimal jackknife: what each round's weight does to the ratings, squared."""
    ranks = some_rounds(7, 9, 4, rounded=rounded)
    fit, h = plackett_luce(ranks), 1e-4
    pulls = []
    for s in range(9):
        up, down = (1 + h * (np.arange(9) == s) * sign for sign in (1, -1))
        moved = (
            plackett_luce(ranks, weights=up).ratings - plackett_luce(ranks, weights=down).ratings
        )
        pulls.append(moved / (2 * h))
    expected = np.array(pulls).T @ np.array(pulls) * 9 / 8
    np.testing.assert_allclose(fit.sandwich(), expected, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("rounded", [None, 0])
@pytest.mark.parametrize("penalty", ["none", "pseudo", "ridge"])
def test_refits_are_fits_with_weights(rounded, penalty):
    ranks = some_rounds(8, 25, 5, rounded=rounded)
    fit = plackett_luce(ranks, penalty=penalty)
    weights = np.random.default_rng(2).multinomial(25, np.ones(25) / 25, size=5).astype(float)
    found, separated = plackett_luce_refits(fit, weights)
    for b in np.flatnonzero(~separated):
        alone = plackett_luce(ranks, weights=weights[b], penalty=penalty)
        np.testing.assert_allclose(found[b], alone.ratings, atol=1e-6)
    assert (~separated).sum() > 2


def test_a_refit_that_has_no_plain_ratings_is_penalised_and_reported():
    ranks = some_rounds(8, 10, 3)
    fit = plackett_luce(ranks)
    weights = np.zeros((2, 10))
    weights[:, 0] = 5
    weights[1] = 1
    found, separated = plackett_luce_refits(fit, weights)
    assert separated.tolist() == [True, False]
    alone = plackett_luce(ranks, weights=weights[0], penalty="pseudo")
    np.testing.assert_allclose(found[0], alone.ratings, atol=1e-8)
    np.testing.assert_allclose(found[1], fit.ratings, atol=1e-8)


def test_a_refit_without_a_candidate_says_nothing_of_it():
    ranks = np.vstack([some_rounds(8, 10, 3), some_rounds(9, 10, 3)])
    ranks[10:, 2] = np.nan
    fit = plackett_luce(ranks)
    found, separated = plackett_luce_refits(fit, np.r_[np.zeros(10), np.ones(10)][None])
    alone = plackett_luce(ranks[10:, :2])
    assert np.isnan(found[0, 2])
    assert not separated.any()
    np.testing.assert_allclose(found[0, :2], alone.ratings, atol=1e-7)


def test_a_refit_without_ties_has_no_prevalence():
    ranks = np.vstack([some_rounds(8, 20, 3), [[1, 1, 2]]])
    fit = plackett_luce(ranks)
    found, _ = plackett_luce_refits(fit, np.r_[np.ones(20), 0][None])
    np.testing.assert_allclose(found[0], plackett_luce(ranks[:20]).ratings, atol=1e-6)


def test_how_many_replicates_at_once_changes_nothing(monkeypatch):
    ranks = some_rounds(8, 25, 5, rounded=0)
    fit = plackett_luce(ranks)
    weights = np.random.default_rng(2).multinomial(25, np.ones(25) / 25, size=5).astype(float)
    whole, _ = plackett_luce_refits(fit, weights)
    monkeypatch.setattr("deadheat.ranking.block.WORKING_SET", 3 * ranks.size)
    part, _ = plackett_luce_refits(fit, weights)
    np.testing.assert_allclose(part, whole, atol=1e-9)


@pytest.mark.parametrize("size", [0.1, 50.0])
def test_only_the_proportions_of_weights_move_plain_ratings(size):
    ranks = some_rounds(11, 20, 3)
    weights = np.random.default_rng(0).uniform(0.5, 2, (4, 20))
    fit = plackett_luce(ranks)
    one, other = (plackett_luce_refits(fit, w)[0] for w in (weights, size * weights))
    np.testing.assert_allclose(one, other, atol=1e-7)
    np.testing.assert_allclose(one[0], plackett_luce(ranks, weights=weights[0]).ratings, atol=1e-7)
