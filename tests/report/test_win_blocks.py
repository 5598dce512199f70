"""Blocks of win probabilities against the mean pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.report.plots.ratings import win_blocks


@pytest.mark.parametrize(("n", "most"), [(7, 3), (10, 10), (5, 9), (12, 5), (2, 1)])
def test_a_block_is_the_mean_over_pairs_of_different_members(n, most):
    rng = np.random.default_rng(n)
    ratings = rng.normal(size=n)
    p = 1 / (1 + np.exp(ratings[None] - ratings[:, None]))
    order = np.argsort(-ratings).tolist()
    bounds, means = win_blocks(p, order, most=most)
    assert bounds[0][0] == 1
    assert bounds[-1][1] == n
    for a, (low, high) in enumerate(bounds):
        for b, (under, over) in enumerate(bounds):
            met = [
                p[i, j] for i in order[low - 1 : high] for j in order[under - 1 : over] if i != j
            ]
            if met:
                assert means[a, b] == pytest.approx(np.mean(met))
            else:
                assert np.isnan(means[a, b])
    sizes = [high - low + 1 for low, high in bounds]
    assert max(sizes) - min(sizes) <= 1
