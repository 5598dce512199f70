"""The smallest lead that could have been seen, against its formula and against simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import deadheat as dh


def drawn(rng, means, m=50):
    scores = np.asarray(means)[:, None] + rng.standard_normal((len(means), m))
    return dh.Results(scores=scores, better="higher")


def test_a_tie_at_the_top_says_which_lead_would_have_been_seen():
    table = drawn(np.random.default_rng(2), [0.0, 0.0, -3.0])
    found = dh.verdict(table, by="mean", replicates=999)
    assert set(found.groups[0]) == set(table.candidates[:2])
    difference = table.scores[0] - table.scores[1]
    error = difference.std(ddof=1) / np.sqrt(50)
    expected = (norm.isf(0.05 / 2) + norm.ppf(0.8)) * error
    assert found.facts()["detectable"] == pytest.approx(expected, rel=0.02)
    assert (
        f"A lead of {expected:.2g} or more in {found.heading} would have been seen" in found.verdict
    )
    strict = dh.verdict(table, by="mean", replicates=999, strict=True)
    critical = strict.strictly.tests.critical
    assert strict.detectable == pytest.approx((critical + norm.ppf(0.8)) * error, rel=0.02)


def test_there_is_none_where_nobody_ties_or_nothing_can_be_shown():
    rng = np.random.default_rng(0)
    assert dh.verdict(drawn(rng, [9.0, 0.0]), by="mean", replicates=999).detectable is None
    assert dh.verdict(drawn(rng, [0.0, 0.0], m=4), by="mean", replicates=999).detectable is None
    same = dh.Results(scores=np.tile(np.arange(20.0), (2, 1)), better="higher")
    assert dh.verdict(same, by="mean", replicates=999).detectable is None


@pytest.mark.parametrize("test", ["nemenyi", "wilcoxon-holm"])
def test_tests_of_ranks_know_no_lead_in_merits(test):
    table = drawn(np.random.default_rng(2), [0.0, 0.0, -3.0])
    found = dh.verdict(table, by="mean", replicates=999, strict=True, test=test)
    assert len(found.groups[0]) > 1
    assert found.detectable is None
    assert "would have been seen" not in found.verdict


def test_functions_that_are_no_means_have_one_too():
    table = drawn(np.random.default_rng(2), [0.0, 0.0, -3.0])
    found = dh.verdict(table, by="median", replicates=999)
    gaps = found.merits[:, 0] - found.merits[:, 1]
    expected = (norm.isf(0.05 / 2) + norm.ppf(0.8)) * gaps.std()
    assert found.detectable == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_a_lead_of_that_size_is_seen_in_four_of_five_cases():
    rng = np.random.default_rng(7)
    gap = (norm.isf(0.05) + norm.ppf(0.8)) * np.sqrt(2 / 50)
    seen = [
        len(dh.verdict(drawn(rng, [0.0, -gap]), by="mean", replicates=999).groups) == 2
        for _ in range(400)
    ]
    assert np.mean(seen) == pytest.approx(0.8, abs=0.06)
