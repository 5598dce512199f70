"""Shares of ranks against counting one replicate at a time."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.report.plots.ranks import binned, bins, rank_shares


def places_of(rng, replicates, n, values):
    """Twice the mean rank of each candidate, from scores with many ties."""
    scores = rng.integers(0, values, (replicates, n))
    better = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    level = (scores[:, None, :] == scores[:, :, None]).sum(axis=2)
    return 2 * better + level + 1


@pytest.mark.parametrize("values", [1, 2, 4, 1000])
def test_shares_are_counts(values):
    places = places_of(np.random.default_rng(values), 60, 6, values)
    counted = np.zeros((6, 6))
    for row in places / 2:
        for i, rank in enumerate(row):
            counted[i, int(np.floor(rank)) - 1] += 0.5 / 60
            counted[i, int(np.ceil(rank)) - 1] += 0.5 / 60
    assert rank_shares(places) == pytest.approx(counted)


def test_shares_keep_the_mean_rank_and_add_up():
    places = places_of(np.random.default_rng(1), 200, 9, 5).astype(np.uint8)
    shares = rank_shares(places)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert shares @ np.arange(1, 10) == pytest.approx(places.mean(axis=0) / 2)


@pytest.mark.parametrize(("n", "most"), [(1, 1), (7, 3), (60, 60), (61, 60), (300, 30)])
def test_bins_hold_every_rank_once(n, most):
    runs = bins(n, most)
    assert [rank for low, high in runs for rank in range(low, high + 1)] == list(range(1, n + 1))
    assert len(runs) <= most


def test_binned_shares_are_sums():
    shares = rank_shares(places_of(np.random.default_rng(2), 50, 7, 9))
    middle = shares[:, 3] + shares[:, 4] + shares[:, 5]
    assert binned(shares, bins(7, 3))[:, 1] == pytest.approx(middle)
