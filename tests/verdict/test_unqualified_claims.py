"""What is said flatly, without a test beside it, against tests of all pairs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_rel

import deadheat as dh
from deadheat.verdict.words import headline
from verdict_oracle import graded, table

FLAT = re.compile("clear winner")


def holm(scores, alpha=0.05):
    """Return who is better than whom by paired t-tests of all pairs with Holm's correction."""
    n = len(scores)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    p = np.array([ttest_rel(scores[i], scores[j]).pvalue for i, j in pairs])
    better = set()
    for step, k in enumerate(np.argsort(p)):
        if p[k] > alpha / (len(pairs) - step):
            break
        i, j = pairs[k]
        better.add((i, j) if scores[i].mean() > scores[j].mean() else (j, i))
    return better


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 5),
    m=st.integers(10, 40),
    gap=st.sampled_from([0.0, 0.3, 0.6, 1.2]),
)
def test_better_is_said_flatly_exactly_where_all_pairs_confirm_it(seed, n, m, gap):
    scores = graded(seed, np.linspace(gap, 0, n), m)
    v = dh.verdict(table(scores), by="mean", test="t-holm", replicates=199, seed=seed)
    below = [j for group in v.members[1:] for j in group]
    leader = v.paper.rounds[0].leader
    named = below and len(v.members[0]) == 1
    confirmed = {(leader, j) for j in below} <= holm(scores)
    said = headline(v)
    assert bool(FLAT.search(said)) == bool(named and confirmed)
    assert ("one-sided tests at 5 % show" in said) == bool(named and not confirmed)


def test_a_dead_heat_that_all_pairs_do_not_confirm_names_its_tests():
    for seed in range(60):
        v = dh.verdict(table(graded(seed, (0.5, 0.4, 0), 30)), by="mean", replicates=499)
        if len(v.groups[0]) == 2 and len(v.all_pairs.members) == 1:
            leader = v.candidates[v.paper.rounds[0].leader]
            assert v.sentences[0].startswith("Dead heat: 2 of 3 candidates share first place (")
            assert v.grid().legend[0] == (
                f"=  level with {leader}: one-sided tests at 5 % do not separate them"
            )
            (other,) = [reason for reason in v.reasons if "claims about pairs" in reason]
            assert "it leaves all 3 level with first" in other
            assert not any("better than" in each for each in v.sentences)
            return
    raise AssertionError("no such table")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"by": "copeland"},
            (
                "a is put ahead of each of the 2 other candidates, by resamples that control no "
                "error, since copeland is not a mean over the judges (copeland, 40 judges)."
            ),
        ),
        (
            {"by": "mean", "test": "nemenyi"},
            "a wins: tests of ranks at 5 % show it better than each of the 2 other ",
        ),
        (
            {"by": "mean", "test": "wilcoxon-holm", "alpha": 0.1},
            "a wins: tests of ranks at 10 % show it better than each of the 2 other ",
        ),
        ({"by": "mean"}, "a is the clear winner: tests show it better than each of the 2 other"),
        ({"by": "median"}, "a is the clear winner: tests show it better than each of the 2 other"),
    ],
)
def test_strict_tests_that_err_or_ask_otherwise_are_named(options, words):
    v = dh.verdict(table(graded(0, (9, 0, 0))), strict=True, replicates=199, **options)
    assert headline(v).startswith(words)


@pytest.mark.parametrize("by", ["copeland", "minimax"])
def test_nobody_is_shown_better_by_a_function_whose_tests_do_not_hold(by):
    v = dh.verdict(table(graded(0, (9, 0, 0))), by=by, replicates=199)
    assert headline(v).startswith("a is put ahead of each of the 2 other candidates, by resamples ")
    assert not v.reading.shows


def test_official_pairs_that_only_one_sided_tests_tell_apart_are_said_so():
    for seed in range(60):
        scores = table(graded(seed, (0.4, 0), 30))
        v = dh.verdict(scores, by="mean", replicates=499, official=["b", "a"])
        if v.groups == (("a",), ("b",)) and len(v.all_pairs.members) == 1:
            assert "(a above b); one-sided tests at 5 % separate them." in v.verdict
            return
    raise AssertionError("no such table")


@pytest.mark.slow
@pytest.mark.parametrize("m", [7, 25, 50])
def test_equal_candidates_are_seldom_told_apart_flatly(m):
    """Three standard errors above 5 %; one-sided tests alone said so in 12 to 27 % of tables."""
    tables = 400
    rng = np.random.default_rng(m)
    flat = 0
    for seed in range(tables):
        scores = table(rng.normal(size=(5, m)))
        said = headline(dh.verdict(scores, by="mean", replicates=399, seed=seed))
        flat += bool(FLAT.search(said))
    assert flat / tables <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / tables)
