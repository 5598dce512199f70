"""The oracles that search cleverly, against the definitions on all paths of tiny tables."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

import oracle


def simple_paths(n, start, end):
    """Yield every path from start to end that visits nobody twice."""
    others = [i for i in range(n) if i not in (start, end)]
    for size in range(len(others) + 1):
        for between in permutations(others, size):
            yield (start, *between, end)


@pytest.mark.parametrize("seed", range(40))
def test_a_widest_path_is_the_widest_of_all_paths(seed):
    won = np.array(oracle.margins(np.random.default_rng(seed).integers(0, 4, size=(5, 7))))
    for start in range(5):
        found = oracle.widest_paths(won, start)
        for end in oracle.rivals(5, start):
            widths = [
                min(won[i][j] for i, j in pairwise(path)) for path in simple_paths(5, start, end)
            ]
            assert found[end] == max(0, *widths)


@pytest.mark.parametrize("seed", range(40))
def test_whoever_is_reachable_is_the_end_of_a_path(seed):
    edges = np.random.default_rng(seed).random((5, 5)) < 0.3
    np.fill_diagonal(edges, val=False)
    locked = [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in edges]
    for start in range(5):
        expected = {
            end
            for end in oracle.rivals(5, start)
            if any(all(edges[i, j] for i, j in pairwise(p)) for p in simple_paths(5, start, end))
        }
        assert set(oracle.members(oracle.reachable(locked, start))) - {start} == expected
