"""Boxes against Tukey's definition written out."""

from __future__ import annotations

import statistics

import numpy as np
import pytest

import deadheat as dh
from deadheat.report.plots.ratings import box, tuning_boxes


@pytest.mark.parametrize("n", [1, 2, 3, 5, 11, 40])
def test_a_box_has_the_quartiles_and_the_farthest_numbers_within_its_reach(n):
    values = np.random.default_rng(n).standard_t(1.5, size=n)
    found = box("a", values)
    assert found.median == pytest.approx(statistics.median(values))
    if n > 1:
        quartiles = statistics.quantiles(values.tolist(), n=4, method="inclusive")
        assert (found.quarter, found.three_quarters) == pytest.approx((quartiles[0], quartiles[2]))
    reach = 1.5 * (found.three_quarters - found.quarter)
    near = [v for v in values if found.quarter - reach <= v <= found.three_quarters + reach]
    assert (found.low, found.high) == (min(near), max(near))
    assert sorted([*near, *found.outside]) == sorted(values.tolist())


def test_settings_of_one_algorithm_make_one_box_on_the_shown_scale():
    rng = np.random.default_rng(0)
    names = ["svm_1", "knn_1", "svm_2", "knn_2", "svm_3", "glm"]
    scores = np.arange(6)[:, None] * 0.2 + rng.normal(0, 1, (6, 20))
    table = dh.Results(scores=scores, candidates=names, better="higher")
    ratings = dh.rate(table, replicates=100, simulations=0, scale="elo")
    shown = {row["candidate"]: row["rating"] for row in ratings.rows()}
    svm, knn, glm = tuning_boxes({name: shown[name] for name in names})
    assert [b.algorithm for b in (svm, knn, glm)] == ["svm", "knn", "glm"]
    assert svm.median == pytest.approx(statistics.median(shown[f"svm_{k}"] for k in (1, 2, 3)))
    assert (knn.low, knn.high) == pytest.approx(sorted(shown[f"knn_{k}"] for k in (1, 2)))
    assert glm.settings == 1
    assert glm.median == pytest.approx(shown["glm"])
