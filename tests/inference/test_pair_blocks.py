"""Blocks of pairs against loops."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.inference.pair_blocks import block_means, pair_blocks


@pytest.mark.parametrize("most", [1, 2, 3, 5, 50])
def test_blocks_hold_everybody_once_and_split_no_group(most):
    groups = ((4, 0), (1,), (2, 3, 5, 6), (7,), (8, 9))
    blocks = pair_blocks(groups, most)
    assert len(blocks) <= most
    assert [i for block in blocks for i in block.members] == [i for group in groups for i in group]
    for block in blocks:
        joined = [i for k in range(block.first_group, block.last_group + 1) for i in groups[k - 1]]
        assert list(block.members) == joined


def test_means_leave_out_the_diagonal_and_what_is_unknown():
    rng = np.random.default_rng(0)
    matrix = rng.random((6, 6))
    matrix[1, 4] = np.nan
    blocks = pair_blocks(((1, 3), (0, 5, 4), (2,)), 3)
    found = block_means(matrix, blocks)
    for a, first in enumerate(blocks):
        for b, second in enumerate(blocks):
            cells = [matrix[i, j] for i in first.members for j in second.members if i != j]
            cells = [cell for cell in cells if not np.isnan(cell)]
            if cells:
                assert found[a, b] == pytest.approx(np.mean(cells))
            else:
                assert np.isnan(found[a, b])
