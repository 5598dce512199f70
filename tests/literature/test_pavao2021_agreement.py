"""Pavao, Vaccaro, Guyon (2021), table 1: the concordance of the six matrices."""

from __future__ import annotations

import pytest

import deadheat as dh

# Table 1 prints two digits; the third is of a recomputation with correction for ties.
TABLE_1 = {
    "AutoDL-AUC": (66, 13, 0.38, 0.376),
    "AutoDL-ALC": (66, 13, 0.60, 0.605),
    "AutoML": (30, 17, 0.27, 0.274),
    "Artificial": (50, 20, 0.00, 0.003),
    "OpenML": (76, 292, 0.32, 0.318),
    "Statlog": (22, 24, 0.27, 0.268),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", TABLE_1)
def test_kendall_w_of_the_six_matrices(shared_data, name):
    """Table 1, columns datasets, algorithms and W. The direction of Statlog does not matter."""
    judges, candidates, printed, w = TABLE_1[name]
    path = shared_data / "esann2021" / f"{name}.csv"
    facts = dh.agreement(path, better="higher", judge="judge", by="average_rank").facts()
    assert (facts["judges"], facts["candidates"]) == (judges, candidates)
    assert facts["kendall_w"] == pytest.approx(w, abs=5e-4)
    assert facts["kendall_w"] == pytest.approx(printed, abs=6e-3)


@pytest.mark.shared
def test_the_mean_correlation_does_not_follow_from_w(shared_data):
    """Supplement, section 4.2, says (m W - 1) / (m - 1); with ties it is another number."""
    path = shared_data / "esann2021" / "AutoDL-AUC.csv"
    facts = dh.agreement(path, better="higher", judge="judge", by="average_rank").facts()
    assert facts["mean_spearman"] - facts["spearman_from_w"] > 0.01
    assert facts["constant"] == ["judge_21", "judge_45"]
