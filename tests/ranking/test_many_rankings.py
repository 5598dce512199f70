"""Many rankings at once: what is no table of rankings is refused; exact ends of the overlap."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import UsageError

MATRICES = ("spearman_matrix", "tau_b_matrix", "kendall_matrix")


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2, 3], r"have shape \(3,\), not \(J, n\)"),
        ([[[1, 2]]], r"have shape \(1, 1, 2\)"),
        ([[], []], r"have shape \(2, 0\)"),
        ([["a", "b"]], "not a table of numbers"),
        ([[1, 2], [1, 2, 3]], "not a table of numbers"),
        ([[1, 2, 3], [1, np.nan, 2]], "ranking 2 has nan at place 2"),
    ],
)
def test_what_are_no_rankings_is_refused(name, given, message):
    with pytest.raises(UsageError, match=message):
        getattr(dh.distances, name)(given)


@pytest.mark.parametrize("name", MATRICES)
def test_lists_will_do(name):
    assert getattr(dh.distances, name)([[1, 2, 3], [3, 2, 1]]).shape == (2, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 50])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 0.98])
def test_a_ranking_overlaps_with_itself_exactly(n, p):
    order = np.random.default_rng(n).permutation(n)
    assert dh.distances.rank_biased_overlap(order, order, p=p) == 1
    assert dh.distances.rank_biased_overlap(np.ones(n), np.ones(n), p=p) == 1


def test_few_candidates_overlap_much_even_in_opposite_order():
    """By hand: nothing of the first, one of the first two, then all; .9**3 is the rest."""
    by_hand = 0.1 * (0 + 0.5 * 0.9 + 1 * 0.9**2) + 0.9**3
    assert dh.distances.rank_biased_overlap([1, 2, 3], [3, 2, 1]) == pytest.approx(by_hand)
