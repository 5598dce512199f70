"""Small tables on which a plausible mistake in a kernel shows, found by search and kept."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple
from unittest import mock

import laws
import numpy as np
import pytest

import oracle
from deadheat.ranking import function as registry
from strategies import Worlds


class Stored(NamedTuple):
    """A table, the weights of its candidates, and the merits of those who are there."""

    name: str
    scores: list[list[int]]
    candidates: list[int]
    merits: list[float]


CASES = {
    "an absent candidate closes a cycle": Stored(
        "ranked_pairs", [[0, 3, 2], [2, 0, 3], [3, 1, 1]], [0, 1, 1], [0, 1]
    ),
    "an absent candidate leads from one to another": Stored(
        "ranked_pairs", [[3, 1, 2, 0], [0, 2, 2, 3], [1, 3, 1, 0]], [0, 1, 1], [0.5, 0.5]
    ),
    "an absent candidate lies on a strongest path": Stored(
        "schulze", [[3, 1, 2, 0], [0, 2, 2, 3], [1, 3, 1, 0]], [0, 1, 1], [0.5, 0.5]
    ),
    "an absent candidate is no first": Stored("plurality", [[3, 3], [2, 1], [1, 2]], [0, 1, 1], []),
    "grades differ as far below the middle as above": Stored(
        "majority_judgement", [[1, 1, 1], [0, 2, 1]], [1, 2], [-1, -2, -2]
    ),
    "grades differ as far below the middle as above, among others": Stored(
        "majority_judgement", [[1, 2, 1], [3, 2, 1], [0, 3, 1]], [1, 1, 1], [-2, -1, -3]
    ),
    "thirds of votes add up to a tie": Stored(
        "instant_runoff", [[2, 0, 0, 2, 2, 1], [0, 1, 0, 2, 1, 1]], [2, 1], [1, 1, 1]
    ),
    "thirds of votes add up to a tie in a later round": Stored(
        "instant_runoff",
        [[2, 1, 1, 3, 1, 1], [2, 3, 3, 0, 2, 3], [2, 3, 2, 3, 0, 3]],
        [1, 2, 1],
        [1, 2, 2, 2],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_stored_case_has_the_merits_of_the_oracle(case):
    f, scores = registry.get(case.name), np.array(case.scores, dtype=float)
    copies = np.array([case.candidates])
    worlds = Worlds(scores, np.ones((1, scores.shape[1]), dtype=int), copies)
    laws.the_oracle_agrees(f, worlds)
    if case.merits:
        found = np.repeat(f(*worlds)[0], copies[0])
        np.testing.assert_allclose(found, case.merits, **laws.CLOSE)


# Counts beyond what single precision holds: exact integers say what is right

BEYOND_FLOAT32 = 2**24
COUNTING = (
    "borda",
    "success_rate",
    "success_rate_half",
    "copeland",
    "copeland_hard",
    "minimax",
    "schulze",
    "ranked_pairs",
)


def heavy_judges(seed, *, lead):
    """Return scores, weights up to a million, and copies; 0 beats 1 by exactly ``lead``.

    First come the judges for whom 0 is better, so that sums grow beyond 2**24 on the way.
    """
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, size=(5, 120)).astype(float)
    scores = scores[:, np.argsort(scores[1] - scores[0], kind="stable")]
    weights = rng.integers(400_000, 1_000_000, size=120)
    ahead = int(weights[:-1] @ np.sign(scores[0] - scores[1])[:-1].astype(int))
    scores[:2, -1] = [0, 1] if ahead >= lead else [1, 0]
    weights[-1] = abs(ahead - lead)
    return scores, weights, rng.integers(1, 4, size=5)


def weighed_in_integers(weights):
    """Let the oracle count judges by their weights, in exact integers."""
    exact = weights.astype(object)

    def preferring(scores, i, j):
        return int(sum(exact[scores[i] > scores[j]]))

    def level(scores, i, j):
        return int(sum(exact[scores[i] == scores[j]]))

    def common(scores, i, j):
        return int(sum(exact))

    return mock.patch.multiple(
        oracle, judges_preferring=preferring, judges_level=level, judges_common=common
    )


@pytest.mark.parametrize("lead", [-1, 0, 1])
@pytest.mark.parametrize("name", COUNTING)
def test_counts_beyond_single_precision_stay_exact(name, lead):
    f = registry.get(name)
    for seed in range(6):
        scores, weights, copies = heavy_judges(seed, lead=lead)
        assert weights.sum() * copies.sum() > 4 * BEYOND_FLOAT32
        with weighed_in_integers(weights):
            assert oracle.margins(scores)[0][1] == lead
            expected = oracle.ORACLES[name](np.repeat(scores, copies, axis=0))
        one_field = f(scores, weights, copies)[0]
        many_fields = f(scores, weights, np.stack([copies, copies[::-1]]))[0]
        for found in (one_field, many_fields):
            np.testing.assert_allclose(np.repeat(found, copies), expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("lead", [-1, 0, 1])
def test_the_average_rank_of_heavy_judges_is_that_of_their_points(lead):
    scores, weights, copies = heavy_judges(7, lead=lead)
    points = laws.one(registry.get("borda"), scores, weights, copies)
    mean_ranks = laws.one(registry.get("average_rank"), scores, weights, copies)
    np.testing.assert_allclose(mean_ranks, points - copies.sum(), rtol=1e-13)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_median_of_heavy_judges_is_told_by_a_single_one(more):
    """40 judges below, 40 above, equally heavy but for one: the median jumps."""
    weights = np.random.default_rng(1).integers(500_000, 1_000_000, size=80)
    weights[40:] = weights[:40][::-1]
    weights[-1] += more
    assert weights.sum() > 2 * BEYOND_FLOAT32
    scores = np.repeat([[0.0, 1.0], [1.0, 0.0]], 40, axis=1)
    upper = {-1: 0.0, 0: 0.5, 1: 1.0}[more]
    assert laws.one(registry.get("median"), scores, weights).tolist() == [upper, 1 - upper]
    places = laws.one(registry.get("majority_judgement"), scores, weights).tolist()
    assert places == {-1: [-2, -1], 0: [-1, -1], 1: [-1, -2]}[more]


@pytest.mark.parametrize("name", ["trimmed_mean", "mean"])
def test_an_average_over_heavy_judges_is_exact(name):
    rng = np.random.default_rng(2)
    weights = rng.integers(500_000, 1_000_000, size=60)
    scores = rng.integers(0, 9, size=(4, 60)).astype(float)
    for row, merit in zip(scores, laws.one(registry.get(name), scores, weights), strict=True):
        order = np.argsort(row, kind="stable")
        total = Fraction(int(weights.sum()))
        low, high = (total / 4, 3 * total / 4) if name == "trimmed_mean" else (0, total)
        expected, reached = Fraction(0), Fraction(0)
        for k in order.tolist():
            before, reached = reached, reached + int(weights[k])
            inside = max(min(reached, high) - max(before, low), 0)
            expected += inside * int(row[k])
        assert merit == pytest.approx(float(expected / (high - low)), rel=1e-13)
