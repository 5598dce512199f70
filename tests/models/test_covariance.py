"""Covariances against published standard errors and against derivatives of the fit itself."""

from __future__ import annotations

import numpy as np
import pytest
from rating_cases import battles, counts, drawn, information
from test_bradley_terry import CITATIONS

from deadheat.core.errors import DataError
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import CellPairs, pairs_of_rounds
from deadheat.models.rating.uncertainty import (
    fisher,
    sandwich_of_battles,
    sandwich_of_rounds,
)

TIES = ("half", "davidson", "rao-kupper")


def variances(covariance):
    own = np.diagonal(covariance)
    return own[:, None] + own[None, :] - 2 * covariance


def by_derivatives(ratings_of, weights, *, factor):
    """Return the sum over units of squared derivatives of the ratings by their weights."""
    total = 0
    for unit in range(len(weights)):
        up, down = weights.copy(), weights.copy()
        up[unit] *= 1 + 1e-4
        down[unit] *= 1 - 1e-4
        slope = (ratings_of(up) - ratings_of(down)) / 2e-4
        total = total + np.outer(slope, slope)
    return total * factor


def test_the_journals_have_their_published_standard_errors():
    """Turner, Firth (2012), sec. 2: standard errors relative to Biometrika."""
    pairs = counts(4, CITATIONS)
    errors = np.sqrt(variances(fisher(fit(pairs), pairs))[0, 1:])
    np.testing.assert_allclose(errors, [0.10255, 0.06059, 0.07083], atol=6e-6)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("penalty", ["none", "firth"])
def test_fisher_is_the_inverse_of_the_information(ties, penalty):
    pairs = drawn(4, 5, most=30, ties=9)
    found = fit(pairs, ties=ties, penalty=penalty)
    covariance = fisher(found, pairs)
    np.testing.assert_allclose(covariance.sum(axis=0), 0, atol=1e-12)
    t = found.tie or 0.0
    inverse = np.linalg.inv(information(pairs, found.ratings, ties=ties, t=t))
    expected = np.zeros((5, 5))
    expected[:4, :4] = inverse[:4, :4]
    close = (
        {"rtol": 1e-9} if ties != "rao-kupper" else {"rtol": 0.1}
    )  # there it is the observed one
    np.testing.assert_allclose(variances(covariance), variances(expected), **close)


def test_penalties_that_add_battles_or_a_prior_sharpen_fisher():
    pairs = drawn(4, 4)
    for penalty, more in (("ridge", 2.0), ("pseudo", 1.5)):
        found = fit(pairs, penalty=penalty, strength=more)
        played = pairs.met + (2 * more if penalty == "pseudo" else 0)
        x = found.ratings[pairs.first] - found.ratings[pairs.second]
        p = 1 / (1 + np.exp(-x))
        laplacian = np.zeros((4, 4))
        for i, j, a in zip(pairs.first, pairs.second, played * p * (1 - p), strict=True):
            laplacian[np.ix_([i, j], [i, j])] += a * np.array([[1, -1], [-1, 1]])
        laplacian += (more if penalty == "ridge" else 0) * (np.eye(4) - 1 / 4)
        np.testing.assert_allclose(fisher(found, pairs), np.linalg.pinv(laplacian), atol=1e-12)


# Sandwiches: each unit's pull on the ratings is a derivative that a fit can be asked for


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("penalty", ["none", "ridge"])
def test_a_sandwich_sums_the_squared_pulls_of_all_battles(ties, penalty):
    pairs = drawn(6, 4, most=9, ties=4)
    found = fit(pairs, ties=ties, penalty=penalty)
    cells = np.concatenate([pairs.wins, pairs.losses, pairs.ties])
    total = 0
    for cell in np.flatnonzero(cells):
        moved = []
        for step in (1e-4, -1e-4):
            other = cells.copy()
            other[cell] += step
            moved.append(fit(pairs.with_counts(*np.split(other, 3)), ties=ties, penalty=penalty))
        slope = (moved[0].ratings - moved[1].ratings) / 2e-4
        total = total + cells[cell] * np.outer(slope, slope)
    outcomes = ((1, pairs.wins), (-1, pairs.losses), (0, pairs.ties))
    log = battles(
        [
            (i, j, outcome, count, count)
            for outcome, counts in outcomes
            for i, j, count in zip(pairs.first, pairs.second, counts, strict=True)
            if count
        ],
        "abcdef"[: pairs.n],
    )
    np.testing.assert_allclose(sandwich_of_battles(found, log), total, rtol=1e-4, atol=1e-9)


def voted(seed, *, clusters):
    rng = np.random.default_rng(seed)
    left, right = rng.integers(0, 4, size=(2, 80))
    kept = left != right
    rows = np.stack(
        [left, right, rng.integers(-1, 2, size=80), np.ones(80), rng.integers(1, 4, size=80)],
        axis=1,
    )[kept]
    voters = rng.integers(10, 19, size=len(rows))
    return battles(rows, "abcd", clusters=voters if clusters else None)


@pytest.mark.parametrize("ties", TIES)
def test_voters_are_units(ties):
    log = voted(1, clusters=True)
    found = fit(CellPairs(log).counts(), ties=ties)
    voters, row = np.unique(log.clusters, return_inverse=True)

    def ratings_of(weights):
        return fit(CellPairs(log).counts(log.weights * weights[row]), ties=ties).ratings

    expected = by_derivatives(
        ratings_of, np.ones(len(voters)), factor=len(voters) / (len(voters) - 1)
    )
    np.testing.assert_allclose(sandwich_of_battles(found, log), expected, rtol=1e-4, atol=1e-9)


def test_without_voters_every_battle_is_a_unit():
    log = voted(1, clusters=False)
    found = fit(CellPairs(log).counts())
    expected = by_derivatives(
        lambda weights: fit(CellPairs(log).counts(log.weights * weights)).ratings,
        np.ones(len(log.left)),
        factor=1,
    )
    np.testing.assert_allclose(sandwich_of_battles(found, log), expected, rtol=1e-4, atol=1e-9)


def test_battles_of_one_cell_share_its_weight():
    rows = [(0, 1, 1, 6, 9.0), (0, 1, -1, 4, 2.0)]
    split = [(0, 1, 1, 1, 1.5)] * 6 + [(0, 1, -1, 1, 0.5)] * 4
    found = [fit(CellPairs(battles(some, "ab")).counts()) for some in (rows, split)]
    one, other = (
        sandwich_of_battles(f, battles(some, "ab"))
        for f, some in zip(found, (rows, split), strict=True)
    )
    np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("pairing", ["same", "all"])
@pytest.mark.parametrize("ties", TIES)
def test_rounds_are_units(ties, pairing):
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 6, size=(4, 9)).astype(float)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    weights = rng.integers(1, 3, size=9).astype(float)

    def fitted(row):
        return fit(pairs_of_rounds(scores, row[None], pairing=pairing).of_replicate(0), ties=ties)

    expected = by_derivatives(lambda row: fitted(row).ratings, weights, factor=9 / 8)
    found = sandwich_of_rounds(fitted(weights), scores, round_weights=weights, pairing=pairing)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-9)


def test_one_round_or_voter_is_no_sample():
    scores = np.array([[1.0], [2.0]])
    with pytest.raises(DataError, match="two clusters or more, got 1"):
        sandwich_of_rounds(fit(pairs_of_rounds(scores)), scores)
    log = battles([(0, 1, 1, 1, 1), (0, 1, -1, 1, 1)], "ab", clusters=[7, 7])
    with pytest.raises(DataError, match="two clusters or more, got 1"):
        sandwich_of_battles(fit(CellPairs(log).counts()), log)


@pytest.mark.slow
@pytest.mark.parametrize(("pairing", "too_small"), [("same", 0.85), ("all", 0.35)])
def test_rounds_as_units_tell_the_spread_of_a_difference_and_fisher_does_not(pairing, too_small):
    """Spec D: 5 models, 20 splits; Fisher's error of a difference is a fraction of its spread."""
    rng = np.random.default_rng(0)
    differences, clustered, plain = [], [], []
    for _ in range(400):
        scores = rng.normal(size=(5, 20)) + np.linspace(0, 1, 5)[:, None]
        found = fit(pairs_of_rounds(scores, pairing=pairing))
        if found.penalty == "none":
            differences.append(found.ratings[0] - found.ratings[1])
            by_round = sandwich_of_rounds(found, scores, pairing=pairing)
            clustered.append(np.sqrt(variances(by_round)[0, 1]))
            plain.append(np.sqrt(variances(fisher(found, found.pairs))[0, 1]))
    spread = np.std(differences)
    assert np.mean(plain) < too_small * spread
    assert 0.85 * spread < np.mean(clustered) < 1.15 * spread
