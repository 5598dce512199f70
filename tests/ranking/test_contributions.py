"""What each judge contributes: the same merits as the kernel, from one product."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.ranking import contributions as module
from deadheat.ranking.contributions import contributions
from deadheat.ranking.function import functions, get
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import ranks

ADDITIVE = [f for f in functions() if f.additive and f.form != "table"]


def table_of(rng, n, m, *, whole_weights=True, grades=4):
    scores = rng.integers(1, grades + 1, size=(n, m)) / grades
    base = rng.integers(1, 4, size=m) if whole_weights else rng.random(m) + 0.1
    return dh.Results(scores=scores, better="higher", judge_weights=base)


@pytest.mark.parametrize("f", ADDITIVE, ids=lambda f: f.name)
@pytest.mark.parametrize("whole", [True, False], ids=["counts", "real weights"])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 7), m=st.integers(1, 9))
def test_the_product_gives_the_merits_of_the_kernel(f, whole, seed, n, m):
    rng = np.random.default_rng(seed)
    table = table_of(rng, n, m, whole_weights=whole)
    drawn = rng.integers(0, 4, size=(6, m)) if whole else rng.random((6, m))
    drawn[:, 0] += 1
    found = contributions(table, f)
    assert found is not None
    mine = found.merits(drawn.astype(np.float32 if whole else np.float64))
    kernel = merits_of(table, [f], drawn)[f.name]
    assert mine == pytest.approx(kernel, abs=1e-12)
    assert np.array_equal(ranks(mine), ranks(kernel))


@pytest.mark.parametrize("f", ADDITIVE, ids=lambda f: f.name)
def test_a_judge_contributes_what_it_alone_would_give(f):
    table = table_of(np.random.default_rng(3), 5, 150)
    found = contributions(table, f)
    assert found is not None
    for k in (0, 63, 64, 149):
        alone = f(table.scores[:, [k]])[0]
        assert found.per_judge[:, k] == pytest.approx(alone, abs=1e-12)


def test_places_are_counted_exactly():
    table = table_of(np.random.default_rng(0), 6, 50)
    for name in ("average_rank", "success_rate", "success_rate_half", "borda"):
        found = contributions(table, get(name))
        assert found is not None
        assert found.counts
        assert found.values.dtype == np.float32


@pytest.mark.parametrize("small", [1e-12, 1e-9, 0.3, 1.0000000001, 2**25 + 0.0])
def test_scores_that_are_no_small_whole_numbers_keep_their_digits(small):
    scores = np.array([[1.0, 0.0], [small, 0.0], [0.0, small]])
    found = contributions(dh.Results(scores=scores, better="higher"), get("mean"))
    assert found is not None
    assert not found.counts
    assert np.array_equal(found.per_judge, scores)
    assert found.merits(np.ones((1, 2)))[0] == pytest.approx(scores.mean(axis=1), rel=1e-15)


def test_large_counts_are_summed_in_parts_that_float32_holds(monkeypatch):
    rng = np.random.default_rng(5)
    table = dh.Results(scores=rng.integers(0, 1_000, size=(4, 300)), better="higher")
    drawn = rng.integers(0, 5, size=(20, 300)).astype(np.float32)
    exact = (drawn.astype(int) @ table.scores.T.astype(int)) / drawn.sum(axis=1, keepdims=True)
    for limit in (2**24, 40_000, 3_000, 500):
        monkeypatch.setattr(module, "EXACT_IN_FLOAT32", limit)
        found = module.Contributions(
            table.scores.astype(np.float32), table.weights, scale=1.0, counts=True
        )
        parts = list(found._parts(drawn))
        assert [part.start for part, _ in parts[1:]] == [part.stop for part, _ in parts[:-1]]
        assert (parts[0][0].start, parts[-1][0].stop) == (0, 300)
        assert found.merits(drawn) == pytest.approx(exact, rel=1e-15)
    assert {dtype for _, dtype in parts} == {np.float64}


def test_sums_beyond_float32_stay_exact():
    """Two candidates that differ by one in 40 million: plain float32 sums would tie them."""
    scores = np.full((2, 20_000), 2_000.0)
    scores[0, -1] -= 1
    found = contributions(dh.Results(scores=scores, better="higher"), get("mean"))
    assert found is not None
    assert found.counts
    merits = found.merits(np.ones((1, 20_000), dtype=np.float32))[0]
    assert merits[1] > merits[0]


def test_a_callers_float32_stays_float32():
    scores = np.random.default_rng(0).random((3, 20_000), dtype=np.float32)
    found = contributions(dh.Results(scores=scores, better="higher"), get("mean"))
    assert found is not None
    assert np.shares_memory(found.values, scores)
    merits = found.merits(np.ones((1, 20_000), dtype=np.float32))
    assert merits.dtype == np.float32
    assert merits[0] == pytest.approx(scores.mean(axis=1, dtype=np.float64), rel=1e-6)


def test_tied_scores_within_the_tolerance_count_as_tied():
    scores = [[0.90, 0.2], [0.88, 0.3], [0.5, 0.1]]
    table = dh.Results(scores=scores, better="higher", tie_tol=0.05)
    found = contributions(table, get("average_rank"))
    assert found is not None
    assert found.per_judge[:, 0].tolist() == [-1.5, -1.5, -3]


def test_what_is_no_mean_over_judges_has_no_contributions():
    table = table_of(np.random.default_rng(0), 4, 5)
    assert contributions(table, get("median")) is None
    assert contributions(table, get("copeland")) is None
    holes = np.array([[1, np.nan], [2, 3.0]])
    holey = dh.Results(scores=holes, better="higher", missing="available")
    assert contributions(holey, get("mean")) is None
