"""Rank sets count who is shown better and who is shown worse."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deadheat.statistics.pair_tests import rank_sets


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8))
def test_every_order_that_respects_what_is_shown_lies_within(seed, n):
    """The bounds hold the rank of each candidate in an order that extends the shown one."""
    rng = np.random.default_rng(seed)
    place = rng.permutation(n)  # 0 = best
    better = (place[:, None] < place[None, :]) & (rng.random((n, n)) < 0.5)
    low, high = rank_sets(better)
    assert (low <= place + 1).all()
    assert (place + 1 <= high).all()
    for i in range(n):
        assert low[i] == 1 + sum(better[j, i] for j in range(n))
        assert high[i] == n - sum(better[i, j] for j in range(n))


def test_a_complete_order_leaves_one_rank_each():
    low, high = rank_sets(np.triu(np.ones((5, 5), dtype=bool), 1))
    assert low.tolist() == high.tolist() == [1, 2, 3, 4, 5]


def test_nothing_shown_leaves_every_rank():
    low, high = rank_sets(np.zeros((4, 4), dtype=bool))
    assert low.tolist() == [1] * 4
    assert high.tolist() == [4] * 4
