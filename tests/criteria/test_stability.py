"""Stability, against all pairs of rankings one by one."""

from __future__ import annotations

import numpy as np
import pytest
from criteria_oracle import World, kendall_w, mean_over_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.measures import stability as pairs_of
from deadheat.criteria.trials import KEYS, Task, resamples_of
from deadheat.ranking.function import get
from deadheat.resampling.draws import multiplicities, stream

NAMES = ("mean", "median", "average_rank", "success_rate", "relative_difference", "copeland")
SEED, Q = 7, 6


def task_for(table, kind="spearman"):
    fs = tuple(get(name) for name in NAMES)
    return Task(results=table, functions=fs, seed=SEED, correlation=kind)


def random_table(seed, n, m):
    rng = np.random.default_rng(seed)
    return dh.Results(scores=rng.integers(1, 4, (n, m)) / 3, better="higher")


def worlds(table, name, axis, k=0):
    """Return the same resamples, copied: the random numbers are those of (seed, axis, k)."""
    n, m = table.scores.shape
    size = m if axis == "judges" else n
    drawn = multiplicities(stream(SEED, KEYS[axis], k), Q, size)
    judges = drawn if axis == "judges" else np.ones((Q, m))
    candidates = drawn if axis == "candidates" else np.ones((Q, n))
    rows = zip(judges, candidates, strict=True)
    return [World(table.scores, w, c, name) for w, c in rows]


def measured(table, axis, kind="spearman", stability="mean"):
    drawn = resamples_of(task_for(table, kind), axis, 0, Q, stability)
    return CRITERIA[f"stability_{axis}"].measure(drawn)


@pytest.mark.parametrize("axis", ["judges", "candidates"])
@pytest.mark.parametrize("kind", ["spearman", "kendall"])
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 7), m=st.integers(1, 6))
def test_the_mean_over_all_pairs(kind, axis, seed, n, m):
    table = random_table(seed, n, m)
    found = measured(table, axis, kind).values[:, 0]
    for name, value in zip(NAMES, found, strict=False):
        expected, _ = mean_over_pairs(worlds(table, name, axis), kind)
        np.testing.assert_allclose(value, expected, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("axis", ["judges", "candidates"])
def test_pairs_without_a_correlation_are_counted(axis):
    table = dh.Results(scores=[[1.0, 1.0, 2.0], [1.0, 1.0, 1.0]], better="higher")
    task = Task(results=table, functions=(get("mean"),), seed=SEED)
    drawn = resamples_of(task, axis, 0, Q, "mean")
    drawn = drawn.__class__(task=task, groups=drawn.groups[:1])  # without the baseline
    counts = CRITERIA[f"stability_{axis}"].measure(drawn).counts
    _, skipped = mean_over_pairs(worlds(table, "mean", axis), "spearman")
    assert skipped > 0
    assert counts == {"pairs of rankings without a correlation": skipped}


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 7), m=st.integers(1, 6))
def test_kendalls_w_is_that_of_the_supplement(seed, n, m):
    table = random_table(seed, n, m)
    found = measured(table, "judges", stability="kendall_w").values[:, 0]
    for name, value in zip(NAMES, found, strict=False):
        expected = kendall_w(worlds(table, name, "judges"))
        np.testing.assert_allclose(value, expected, atol=1e-9, err_msg=name)


def test_w_exceeds_the_mean_correlation_by_what_the_text_says():
    """Without ties W = ((q - 1) rho + 1) / q; section 7 of the design."""
    rng = np.random.default_rng(0)
    table = dh.Results(scores=rng.normal(size=(9, 20)), better="higher")
    mean = measured(table, "judges").values[0, 0]
    w = measured(table, "judges", stability="kendall_w").values[0, 0]
    assert w - mean == pytest.approx((1 - w) / (Q - 1))


def test_functions_that_look_at_no_rival_are_as_stable_as_can_be():
    table = dh.Results(scores=np.random.default_rng(1).random((40, 9)), better="higher")
    found = measured(table, "candidates").values[:, 0]
    assert found[:2].tolist() == [1.0, 1.0]  # mean and median, to the last bit
    assert (found[2:4] < 1).all()


@pytest.mark.parametrize("of_pairs", [pairs_of.spearman_of_pairs, pairs_of.kendall_of_pairs])
def test_little_memory_changes_nothing(of_pairs, monkeypatch):
    rng = np.random.default_rng(2)
    groups = rng.integers(0, 6, (9, 14))
    groups[:, 0] = 1
    whole = of_pairs(groups)
    monkeypatch.setattr(pairs_of, "AT_ONCE", 300)
    np.testing.assert_allclose(of_pairs(groups), whole, atol=1e-12)
    assert np.isfinite(whole).any()
