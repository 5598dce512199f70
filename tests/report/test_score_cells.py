"""Counts of scores in cells against comparing one by one."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.report.plots.scatter import score_counts, score_edges


@pytest.mark.parametrize("log", [True, False])
def test_every_pair_is_counted_in_its_cell(log):
    rng = np.random.default_rng(0)
    a, b = np.exp(rng.normal(0, 2, (2, 500)))
    edges = score_edges(np.concatenate([a, b]), 8, log=log)
    counts = score_counts(a, b, edges)
    assert counts.sum() == 500
    for row in range(8):
        for column in range(8):
            inside = (a >= edges[row]) & (b >= edges[column])
            inside &= (a < edges[row + 1]) | ((row == 7) & (a == edges[8]))
            inside &= (b < edges[column + 1]) | ((column == 7) & (b == edges[8]))
            assert counts[row, column] == inside.sum()


def test_cells_are_equally_wide():
    assert score_edges(np.array([1.0, 1000.0]), 3, log=True) == pytest.approx([1, 10, 100, 1000])
    assert score_edges(np.array([1.0, 4.0]), 3, log=False) == pytest.approx([1, 2, 3, 4])


@pytest.mark.parametrize("log", [True, False])
def test_one_value_lies_inside(log):
    edges = score_edges(np.array([5.0, 5.0]), 4, log=log)
    assert edges[0] < 5 < edges[-1]
    assert score_counts(np.array([5.0]), np.array([5.0]), edges).sum() == 1
