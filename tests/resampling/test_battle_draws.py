"""Replicates of a battle log, against the Dirichlet and the multinomial distribution."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.resampling.draws import stream
from deadheat.resampling.plans import BATTLE_PLANS, BattleBootstrap, draw_cells

BATTLES = np.array([1, 3, 60, 500, 36])


def weights_of(plan, k):
    return np.concatenate([weights[:asked] for weights, asked in plan.in_tiles(k)])


def test_as_many_battles_are_drawn_as_there_are():
    rng = stream(0)
    for _ in range(50):
        assert draw_cells(rng, BATTLES).sum() == BATTLES.sum()


@pytest.mark.parametrize("battles", [BATTLES, np.array([2, 1, 3])])
def test_cells_are_multinomial(battles):
    """Means and covariances of 20,000 draws, within five standard errors."""
    rng, number, total = stream(1), 20_000, battles.sum()
    drawn = np.array([draw_cells(rng, battles) for _ in range(number)], dtype=float)
    p = battles / total
    covariance = total * (np.diag(p) - np.outer(p, p))
    sd = np.sqrt(np.diag(covariance))
    assert np.all(np.abs(drawn.mean(axis=0) - battles) < 5 * sd / np.sqrt(number))
    error = np.sqrt((np.outer(sd**2, sd**2) + covariance**2) / number)
    assert np.all(np.abs(np.cov(drawn.T) - covariance) < 6 * error)


def test_whole_clusters_are_drawn():
    plan = BattleBootstrap(
        battles=np.array([2, 1, 4]),
        weights=np.array([2.0, 1.0, 8.0]),
        clusters=np.array([0, 1, 0]),
        replicates=30,
        plan="bootstrap",
    )
    drawn = weights_of(plan, 0)
    times = drawn / plan.weights
    assert np.array_equal(times[:, 0], times[:, 2])
    assert np.array_equal(times[:, 0] + times[:, 1], np.full(30, 2))
    assert set(times[:, 0]) == {0, 1, 2}


@pytest.mark.parametrize("clusters", [None, np.arange(len(BATTLES))])
def test_positive_weights_are_those_of_the_bayesian_bootstrap(clusters):
    """Means and covariances of Dirichlet weights times N, within six standard errors."""
    number = 20_000
    plan = BattleBootstrap(
        battles=BATTLES, weights=1.0 * BATTLES, clusters=clusters, replicates=number
    )
    drawn = np.concatenate([weights_of(plan, k) for k in plan.blocks])
    assert (drawn > 0).all()
    alpha = BATTLES if clusters is None else np.ones(len(BATTLES))
    each = np.ones(len(BATTLES)) if clusters is None else BATTLES
    total, p = alpha.sum(), alpha / alpha.sum()
    covariance = total**2 * (np.diag(p) - np.outer(p, p)) / (total + 1) * np.outer(each, each)
    sd = np.sqrt(np.diag(covariance))
    assert np.all(np.abs(drawn.mean(axis=0) - BATTLES) < 5 * sd / np.sqrt(number))
    np.testing.assert_allclose(np.cov(drawn.T), covariance, atol=0.08 * sd.max() ** 2)


@pytest.mark.parametrize("way", BATTLE_PLANS)
def test_weights_follow_the_battles(way):
    battles, weights = np.array([2, 4]), np.array([1.0, 8.0])
    plan = BattleBootstrap(battles=battles, weights=weights, replicates=9, plan=way)
    assert np.allclose(weights_of(plan, 0) @ [2, 0.5], 6)  # in battles again: as many as there are


def test_blocks_cover_the_replicates_and_do_not_depend_on_their_number():
    battles = np.full(1_000_000, 2)
    few, many = (
        BattleBootstrap(battles=battles, weights=battles * 1.0, replicates=k) for k in (3, 9)
    )
    assert few.block_size == 4
    assert [len(weights_of(many, k)) for k in many.blocks] == [4, 4, 1]
    assert np.array_equal(weights_of(few, 0), weights_of(many, 0)[:3])
