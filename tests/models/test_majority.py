"""The majority relation against loops over judges, sets and permutations."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

import deadheat as dh
from deadheat.models.aggregation.ballots import majority


def by_loops(scores, weights):
    n, m = scores.shape
    beats, rates = np.zeros((n, n), dtype=bool), np.full((n, n), np.nan)
    for i, j in permutations(range(n), 2):
        known = [k for k in range(m) if not np.isnan(scores[[i, j], k]).any()]
        won = sum(weights[k] for k in known if scores[i, k] > scores[j, k])
        lost = sum(weights[k] for k in known if scores[i, k] < scores[j, k])
        total = sum(weights[k] for k in known)
        beats[i, j] = won > lost
        if total:
            rates[i, j] = (won + (total - won - lost) / 2) / total
    return beats, rates


def smith_by_subsets(beats):
    n = len(beats)
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            outside = [j for j in range(n) if j not in chosen]
            if all(beats[i, j] for i in chosen for j in outside):
                return set(chosen)
    raise AssertionError


@pytest.fixture(params=range(10))
def case(request):
    rng = np.random.default_rng(request.param)
    n, m = int(rng.integers(2, 8)), int(rng.integers(1, 8))
    scores = rng.integers(0, 4, (n, m)).astype(float)
    if request.param % 2:
        scores[rng.random((n, m)) < 0.2] = np.nan
        scores[:, 0] = np.where(np.isnan(scores[:, 0]), 1, scores[:, 0])
    weights = rng.integers(1, 4, m).astype(float)
    table = dh.Results(scores=scores, better="higher", judge_weights=weights, missing="available")
    return scores, weights, majority(table)


def test_duels_are_counts(case):
    scores, weights, found = case
    beats, rates = by_loops(scores, weights)
    np.fill_diagonal(rates, 0.5)
    np.testing.assert_array_equal(found.beats, beats)
    np.testing.assert_allclose(found.rates, rates)
    assert found.wins.tolist() == beats.sum(axis=1).tolist()
    assert found.draws.tolist() == ((~beats & ~beats.T).sum(axis=1) - 1).tolist()


def test_every_layer_is_the_smith_set_of_what_is_left(case):
    *_, found = case
    rest = list(range(len(found.beats)))
    for layer in found.layers:
        smallest = smith_by_subsets(found.beats[np.ix_(rest, rest)])
        assert set(layer) == {rest[k] for k in smallest}
        rest = [i for i in rest if i not in layer]
    assert not rest


def test_the_winner_beats_everybody(case):
    *_, found = case
    n = len(found.beats)
    winners = [i for i in range(n) if found.beats[i].sum() == n - 1]
    assert found.winner == (winners[0] if winners else None)


def test_a_circle_is_a_shortest_one(case):
    *_, found = case
    for layer in found.layers:
        circles = [
            way
            for size in range(3, len(layer) + 1)
            for way in permutations(layer, size)
            if all(found.beats[a, b] for a, b in zip(way, way[1:] + way[:1], strict=True))
        ]
        circle = found.cycle(layer)
        assert len(circle) == min((len(way) for way in circles), default=0)
        assert not circle or circle in circles


def test_the_tie_tolerance_makes_draws():
    scores = [[1.0, 0.5], [0.95, 0.45]]
    assert majority(dh.Results(scores=scores, better="higher")).winner == 0
    near = majority(dh.Results(scores=scores, better="higher", tie_tol=0.1))
    assert near.winner is None
    assert near.layers == ((0, 1),)
