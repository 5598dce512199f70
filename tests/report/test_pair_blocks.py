"""Blocks of pairs against loops."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.report.charts.grids import block_means
from deadheat.report.plots.pairs import pair_blocks


@pytest.mark.parametrize("most", [1, 2, 3, 5, 50])
@pytest.mark.parametrize(
    "groups",
    [
        ((4, 0), (1,), (2, 3, 5, 6), (7,), (8, 9)),
        (tuple(range(30)),),
        (tuple(range(25)), (25,), (27, 26), (28, 29)),
        tuple((i,) for i in range(30)),
    ],
)
def test_blocks_are_neighbours_of_about_one_size(groups, most):
    by_group = [i for group in groups for i in group]
    order = [*by_group[1::2], *by_group[::2]]  # a score that contradicts the groups
    group_of = {i: k for k, group in enumerate(groups, start=1) for i in group}
    blocks = pair_blocks(order, groups, most)
    assert len(blocks) <= most
    assert [i for block in blocks for i in block.members] == order
    for block in blocks:
        assert len(block.members) <= 2 * max(1, len(order) / most)
        assert order[block.place - 1] == block.members[0]
        assert min(group_of[i] for i in block.members) == block.first_group
        assert max(group_of[i] for i in block.members) == block.last_group


def test_many_are_cut_evenly():
    blocks = pair_blocks(range(300), (tuple(range(300)),), 60)
    assert [len(block.members) for block in blocks] == [5] * 60


def test_means_leave_out_the_diagonal_and_what_is_unknown():
    rng = np.random.default_rng(0)
    matrix = rng.random((6, 6))
    matrix[1, 4] = np.nan
    blocks = pair_blocks([1, 3, 0, 5, 4, 2], ((1, 3), (0, 5, 4), (2,)), 3)
    found = block_means(matrix, [block.members for block in blocks])
    for a, first in enumerate(blocks):
        for b, second in enumerate(blocks):
            cells = [matrix[i, j] for i in first.members for j in second.members if i != j]
            cells = [cell for cell in cells if not np.isnan(cell)]
            if cells:
                assert found[a, b] == pytest.approx(np.mean(cells))
            else:
                assert np.isnan(found[a, b])
