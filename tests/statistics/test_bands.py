"""Simultaneous bands against loops and against the normal theory."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.statistics.intervals import by_fixed_errors, intervals, studentized_band

RNG = np.random.default_rng(4)


def simultaneous(observed, merits, alpha):
    return studentized_band(observed, by_fixed_errors(observed, merits), alpha)


def band_by_hand(observed, merits, alpha):
    spread = [np.std([row[i] for row in merits]) for i in range(len(observed))]
    largest = [
        max(abs(row[i] - observed[i]) / spread[i] for i in range(len(observed)) if spread[i] > 0)
        for row in merits
    ]
    c = np.quantile(largest, 1 - alpha)
    low = [f - c * s for f, s in zip(observed, spread, strict=True)]
    return low, [f + c * s for f, s in zip(observed, spread, strict=True)]


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_band_is_the_definition(alpha):
    observed = np.array([0.0, 3.0, -1.0])
    merits = observed + RNG.normal(size=(200, 3)) * [1, 10, 0.1] + [0, 0.3, 0]
    low, high = simultaneous(observed, merits, alpha)
    expected = band_by_hand(observed, merits, alpha)
    np.testing.assert_allclose([low, high], expected)


def test_one_candidate_alone_has_its_normal_interval():
    low, high = simultaneous(np.array([0.0]), RNG.normal(size=(100_000, 1)), 0.05)
    assert [low[0], high[0]] == pytest.approx([-1.96, 1.96], abs=0.03)


def test_independent_candidates_have_the_sidak_factor():
    """P(max of 10 absolute normals <= c) = .95 at c = 2.80."""
    low, high = simultaneous(np.zeros(10), RNG.normal(size=(40_000, 10)), 0.05)
    np.testing.assert_allclose(high, 2.80, atol=0.06)
    np.testing.assert_allclose(low, -high)


def test_the_band_holds_every_interval_of_a_single_candidate():
    merits = RNG.normal(size=(5_000, 8)) @ RNG.normal(size=(8, 8))
    observed = merits.mean(axis=0)
    low, high = simultaneous(observed, merits, 0.05)
    one_low, one_high = intervals("percentile", observed=observed, merits=merits, alpha=0.05, m=50)
    assert (low < one_low).all()
    assert (high > one_high).all()


def test_equal_replicates_have_no_width_and_widen_nobody():
    """Summation noise in the last digit is no spread."""
    moving = RNG.normal(size=(500, 1))
    still = np.where(np.arange(500) % 2, 0.3, 0.1 + 0.2)[:, None]
    observed = np.array([0.0, 0.3 + 4e-16])
    low, high = simultaneous(observed, np.hstack([moving, still]), 0.05)
    assert low[1] == high[1] == observed[1]
    alone_low, alone_high = simultaneous(observed[:1], moving, 0.05)
    assert (low[0], high[0]) == pytest.approx((alone_low[0], alone_high[0]), rel=1e-12)


def test_when_nothing_moves_nothing_has_width():
    low, high = simultaneous(np.array([1.0, 2.0]), np.tile([1.0, 2.0], (9, 1)), 0.05)
    assert low.tolist() == high.tolist() == [1, 2]


def test_parts_of_the_replicates_change_nothing(monkeypatch):
    merits = RNG.normal(size=(53, 4))
    whole = simultaneous(np.zeros(4), merits, 0.1)
    monkeypatch.setattr("deadheat.ranking.block.WORKING_SET", 20)
    np.testing.assert_array_equal(simultaneous(np.zeros(4), merits, 0.1), whole)


def test_float32_replicates_that_only_rounding_separates_do_not_move():
    """A constant of 0.1 in float32 differs by 1e-8 between sums; 1e-12 would call that spread."""
    rng = np.random.default_rng(5)
    moving = rng.normal(size=(400, 1)).astype(np.float32)
    still = (np.float32(0.1) * (1 + 1e-7 * rng.integers(-2, 3, (400, 1)))).astype(np.float32)
    assert len(np.unique(still)) > 1
    observed = np.array([0.0, 0.1], dtype=np.float32)
    low, high = simultaneous(observed, np.hstack([moving, still]), 0.05)
    assert low[1] == high[1] == observed[1]
    alone = simultaneous(observed[:1], moving, 0.05)
    assert (low[0], high[0]) == (alone[0][0], alone[1][0])
