"""Sentences and sets that must not contradict each other, found by a new user."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import norm

import deadheat as dh

QUICK = {"replicates": 500, "engine": "serial"}


def trend(n, m, gap=0.5, seed=0, **more):
    scores = np.random.default_rng(seed).normal(size=(n, m)) - gap * np.arange(n)[:, None]
    return dh.Results(scores=scores, better="higher", **more)


def test_a_judge_of_nearly_all_weight_leaves_too_few_for_a_claim():
    weights = np.where(np.arange(30) == 0, 100.0, 1.0)
    v = dh.verdict(trend(5, 30, judge_weights=weights), by="mean", strict=True, **QUICK)
    said = f"{v.verdict} {v.guarantee}"
    assert "worth 1.7 of equal weight" in said
    assert "shown better" not in said
    assert v.best is None


@pytest.mark.parametrize("seed", range(20))
def test_nobody_whom_tests_of_all_pairs_show_worse_may_be_the_best(seed):
    v = dh.verdict(trend(6, 30, seed=seed), by="mean", **QUICK)
    worse = v.all_pairs.tests.better.any(axis=0)
    assert not {v.candidates[i] for i in np.flatnonzero(worse)} & {*v.best}


def test_no_lead_is_told_that_no_judge_could_show():
    v = dh.verdict(trend(8, 10, gap=0.0), by="average_rank", strict=True, **QUICK)
    assert v.detectable is None or v.detectable < 7


def test_what_is_undecided_has_no_groups_to_compare_or_to_turn():
    v = dh.verdict(trend(50, 20), by="mean", replicates=100, engine="serial")
    assert v.undecided
    assert "Undecided" in v.verdict
    assert "Stricter" not in v.verdict
    assert "strict" not in v.verdict
    assert "Borderline" not in v.verdict
    heads = [v.to_csv().split("\n")[0].split(","), v.to_tsv().split("\n")[0].split("\t")]
    heads.append([column.name for column in v.grid().columns])
    assert not [head for head in heads if "group" in head]
    assert dh.load(v.to_json()).to_csv() == v.to_csv()


def test_what_is_undecided_for_lost_resamples_asks_for_enough_of_them():
    """Whoever has few scores has none in many resamples; these are left out."""
    scores = trend(50, 20, gap=3.0).scores.copy()
    scores[:2, 2:] = np.nan
    held = dh.Results(scores=scores, better="higher")
    how = {"by": "mean", "missing": "available", "engine": "serial"}
    v = dh.verdict(held, replicates=999, **how)
    assert v.undecided
    kept, needed = len(v.merits), v.paper.needed
    (asked,) = (int(n) for n in re.findall(r"replicates=(\d+) can", v.sentences[0]))
    assert f"only {kept:,} of 999 resamples have a score for every candidate" in v.sentences[0]
    assert asked * kept / 999 >= needed
    assert not dh.verdict(held, replicates=asked, **how).undecided


def test_a_stratum_without_weight_is_told():
    strata = ["a"] * 12 + ["b"] * 12
    weights = [1.0] * 12 + [0.0] * 12
    v = dh.verdict(trend(4, 24, strata=strata, judge_weights=weights), by="mean", **QUICK)
    assert any("without any weight (b)" in warning for warning in v.warnings)


def test_who_is_not_tested_leads_no_group_of_ratings():
    rng = np.random.default_rng(1)
    left, right, winner = [], [], []
    for _ in range(900):
        a, b = rng.choice(6, 2, replace=False)
        left.append(f"p{a}")
        right.append(f"p{b}")
        winner.append("left" if rng.random() < 1 / (1 + np.exp(a - b)) else "right")
    for other in ("p0", "p1", "p0"):
        left.append("new")
        right.append(other)
        winner.append("left")
    left.append("new")
    right.append("p0")
    winner.append("right")
    battles = dh.Battles(left=left, right=right, winner=winner)
    rated = dh.rate(battles, strict=True, replicates=300, simulations=0, engine="serial")
    assert len(rated.facts()["groups"]) > 1


def test_a_tie_of_ratings_says_which_lead_would_have_been_seen():
    """One-sided at .05 / 3, the first step of Holm's test, and a power of four in five."""
    rated = dh.rate(trend(4, 40, gap=0.0), errors="sandwich", simulations=0, engine="serial")
    assert len(rated.groups[0]) == 4
    leader = rated.at(rated.leader_corrected["candidate"])
    gaps = np.delete(np.eye(4)[leader] - np.eye(4), leader, axis=0)
    errors = np.sqrt(np.einsum("ki,ij,kj->k", gaps, rated.evidence.covariance, gaps))
    expected = (norm.isf(0.05 / 3) + norm.ppf(0.8)) * errors.max()
    assert rated.facts()["detectable"] == pytest.approx(expected)
    assert f"A lead of {expected:.2g} or more would have been seen" in rated.verdict


def test_few_rounds_or_a_winner_say_nothing_about_leads():
    few = dh.rate(trend(4, 8, gap=0.0), errors="sandwich", simulations=0)
    clear = dh.rate(trend(2, 60, gap=0.8), errors="sandwich", simulations=0)
    for rated in (few, clear):
        assert rated.detectable is None
        assert "would have been seen" not in rated.verdict
