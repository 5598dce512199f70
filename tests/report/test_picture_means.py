"""Means that pictures show, against loops."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.agree.maps import cluster_table
from deadheat.statistics.embedding import RatingMatrix


def test_settings_stand_by_their_mean_over_the_data_sets_that_have_them():
    ratings = np.array([[1.0, 5.0, np.nan], [3.0, np.nan, 2.5]])
    matrix = RatingMatrix(
        data_sets=("x", "y"),
        settings=("a", "b", "c"),
        ratings=ratings,
        separated=np.zeros((2, 3), dtype=bool),
    )
    assert matrix.best_first == ["b", "c", "a"]  # means 5, 2.5 and 2


@pytest.mark.parametrize("most", [200, 4])
def test_mean_ranks_of_blocks_are_over_all_judges(most):
    scores = np.random.default_rng(1).normal(0, 1, (9, 11))
    given = dh.Results(scores=scores, better="higher")
    found = cluster_table(given, scores=False, most_judges=most, most_candidates=most)
    for block, mean in zip(found.candidates, found.means, strict=True):
        ranks = [1 + sum(column > column[i]) for column in scores.T for i in block]
        assert mean == pytest.approx(sum(ranks) / len(ranks))
