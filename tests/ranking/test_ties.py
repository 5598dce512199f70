"""Who is tied, as :func:`deadheat.rank` says it; nothing here asks a function for its tolerance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.ranking import function as registry
from strategies import KINDS, kinds_for, tables

FUNCTIONS = registry.functions()
PRECISIONS = [np.float64, np.float32]


def every(functions):
    return pytest.mark.parametrize("f", functions, ids=[f.name for f in functions])


def ranked(scores, by, **options):
    """Return the ranks by one function, through the front door.

    With a second function, rank does not try all the others to see whether they agree.
    """
    table = dh.Results(scores=np.asarray(scores), better="higher", **options)
    return dh.rank(table, by=[by, "plurality"]).ranks[0].tolist()


# Numbers of other sizes beside them never tie two candidates

FAR_APART = [
    ("mean", [[1, 1], [2, 2], [1e13, 1e13]], [3, 2, 1]),
    ("mean", [[-1, -1], [-2, -2], [-1e13, -1e13]], [1, 2, 3]),
    ("mean", [[1e-13, 1e-13], [2e-13, 2e-13], [10, 10]], [3, 2, 1]),
    ("median", [[1, 1, 1], [2, 2, 2], [3, 3, 1e13]], [3, 2, 1]),
    ("median", [[1, 1, 1], [2, 2, 2], [3, 3, -1e13]], [3, 2, 1]),
    ("median", [[1, 1, 1e13], [2, 2, 1e13], [3, 3, 1e13]], [3, 2, 1]),
    ("trimmed_mean", [[1, 1, 1], [2, 2, 2], [3, 3, 1e13]], [3, 2, 1]),
    ("trimmed_mean", [[1, 1, 1, 1e13], [2, 2, 2, 1e13], [3, 3, 3, 1e13]], [3, 2, 1]),
    ("trimmed_mean", [[-1e13, 1, 2, 3], [-1e13, 1, 2.5, 3]], [2, 1]),
    ("geometric_mean", [[1e-13, 1e-13], [2e-13, 2e-13], [10, 10]], [3, 2, 1]),
    ("geometric_mean", [[1, 4], [2, 2], [1e13, 1e13]], [2.5, 2.5, 1]),
    ("relative_difference", [[1e-13, 1e-13], [2e-13, 2e-13], [10, 10]], [3, 2, 1]),
    ("average_rank", [[1, 1], [2, 2], [1e13, 1e13]], [3, 2, 1]),
]


@pytest.mark.parametrize(("name", "scores", "expected"), FAR_APART)
def test_a_number_of_another_size_ties_nobody(name, scores, expected):
    assert ranked(scores, name) == expected
    alone = dh.rank(dh.Results(scores=scores, better="higher"), by=name)
    assert alone.ranks[0].tolist() == expected
    assert len(alone.first[name]) == expected.count(min(expected))


@pytest.mark.parametrize("name", ["mean", "median", "trimmed_mean", "geometric_mean"])
def test_a_number_of_another_size_ties_nobody_in_single_precision(name):
    scores = np.array([[1, 1, 1], [2, 2, 2], [1e9, 1e9, 1e9]], dtype=np.float32)
    assert ranked(scores, name) == [3, 2, 1]


def test_judge_weights_do_not_make_an_average_of_the_middle_blind():
    """The heaviest judge alone is the middle half; what the others say ties nobody."""
    scores = [[1, 1e13, -1e13, 1e13], [2, 1e13, -1e13, 1e13]]
    assert ranked(scores, "trimmed_mean", judge_weights=[97, 1, 1, 1]) == [2, 1]
    assert ranked(scores, "median", judge_weights=[97, 1, 1, 1]) == [2, 1]


@every([f for f in FUNCTIONS if "iia" in f.satisfies])
@given(data=st.data())
def test_an_outlier_does_not_change_the_order_of_the_others(f, data):
    kinds = [kind for kind in kinds_for(f) if kind != "infinite"]
    scores = data.draw(tables(kind=data.draw(st.sampled_from(kinds))))
    far = [1e13, 1e-13] if f.needs else [1e13, 1e-13, -1e13]
    dtype = scores.dtype
    outlier = np.full((1, scores.shape[1]), data.draw(st.sampled_from(far)), dtype=dtype)
    alone = np.array(ranked(scores, f))
    joined = np.array(ranked(np.concatenate([scores, outlier]), f))[:-1]
    np.testing.assert_array_equal(
        np.sign(np.subtract.outer(joined, joined)), np.sign(np.subtract.outer(alone, alone))
    )


# The order of summation never unties two candidates


def mirrored(scores):
    """Return a table in which each judge has a twin that takes candidates 0 and 1 for each other.

    Whatever is fair to judges and candidates ties the two.
    """
    twins = scores.copy()
    twins[[0, 1]] = scores[[1, 0]]
    return np.concatenate([scores, twins], axis=1)


@pytest.mark.parametrize("dtype", PRECISIONS, ids=["float64", "float32"])
@every([f for f in FUNCTIONS if not f.by_label])
@given(seed=st.integers(0, 10_000), size=st.sampled_from([1e-6, 1.0, 1e6]))
def test_whoever_is_treated_alike_is_tied(f, dtype, seed, size):
    rng = np.random.default_rng(seed)
    half = int(rng.integers(2, 40))
    scores = mirrored(rng.uniform(0.01, 1, size=(int(rng.integers(2, 6)), half)) * size)
    weights = rng.choice([1, 1 / 3, 0.1, 2], size=half) if f.form != "table" else np.ones(half)
    order = rng.permutation(2 * half)
    found = ranked(scores[:, order].astype(dtype), f, judge_weights=np.tile(weights, 2)[order])
    assert found[0] == found[1]


SYMMETRIC = ("mean", "median", "trimmed_mean", "geometric_mean", "majority_judgement")


@pytest.mark.parametrize("dtype", PRECISIONS, ids=["float64", "float32"])
@pytest.mark.parametrize("name", SYMMETRIC)
@given(seed=st.integers(0, 10_000), signed=st.booleans())
def test_the_same_scores_in_another_order_are_tied(name, dtype, seed, signed):
    rng = np.random.default_rng(seed)
    low = -1 if signed and name != "geometric_mean" else 0.01
    row = rng.uniform(low, 1, size=int(rng.integers(2, 300))).astype(dtype)
    scores = np.stack([rng.permutation(row) for _ in range(5)])
    assert ranked(scores, name) == [3.0] * 5


@pytest.mark.parametrize("dtype", PRECISIONS, ids=["float64", "float32"])
@pytest.mark.parametrize("name", SYMMETRIC)
def test_many_scores_in_another_order_are_tied(name, dtype):
    rng = np.random.default_rng(0)
    row = rng.uniform(0.5, 1, size=20_000).astype(dtype)
    scores = np.stack([np.sort(row), np.sort(row)[::-1], rng.permutation(row)])
    assert ranked(scores, name) == [2.0] * 3


@pytest.mark.parametrize("dtype", PRECISIONS, ids=["float64", "float32"])
def test_equal_products_are_tied(dtype):
    scores = np.array([[1, 6], [2, 3], [1.5, 4], [7, 9], [3, 21]], dtype=dtype)
    assert ranked(scores, "geometric_mean") == [4, 4, 4, 1.5, 1.5]


@pytest.mark.parametrize("name", ["mean", "median", "trimmed_mean"])
@given(seed=st.integers(0, 10_000))
def test_a_tie_stays_one_where_the_scores_cancel(name, seed):
    """Equal averages of decimals stay equal when what they average to is all but 0."""
    rng = np.random.default_rng(seed)
    a, b = rng.choice(np.arange(1, 10), size=2, replace=False) / 10
    scores = [[-a, a + 1e-7], [-b, b + 1e-7], [-a, a]]
    assert ranked(scores, name) == [1.5, 1.5, 3]


@pytest.mark.parametrize("name", ["mean", "median", "trimmed_mean"])
def test_decimals_in_single_precision_are_tied_as_they_were_written(name):
    """In float32, the middle of 1.1 and 0.3 differs from 0.7 by its last digits only."""
    scores = np.array([[1.1, 0.3], [0.7, 0.7]], dtype=np.float32)
    assert ranked(scores, name) == [1.5, 1.5]


# Company changes nothing


@every(FUNCTIONS)
@given(data=st.data(), dtype=st.sampled_from(PRECISIONS))
def test_company_does_not_change_the_ranks(f, dtype, data):
    kinds = [kind for kind in ("levels", "strict", "signed") if kind in kinds_for(f)]
    scores = data.draw(tables(kind=data.draw(st.sampled_from(kinds)))).astype(dtype)
    table = dh.Results(scores=scores, better="higher")
    alone = dh.rank(table, by=f)
    for by in ([f, "copeland"], ["copeland", f], [f, "mean", "average_rank"]):
        together = dh.rank(table, by=by)
        row = [other.name for other in together.functions].index(f.name)
        np.testing.assert_array_equal(together.ranks[row], alone.ranks[0])
        assert together.first[f.name] == alone.first[f.name]


def test_a_tie_of_noise_in_single_precision_stays_one_in_company():
    row = np.random.default_rng(3).uniform(0, 1, size=200).astype(np.float32)
    scores = np.stack([row, row[::-1], np.sort(row), np.zeros_like(row)])
    table = dh.Results(scores=scores, better="higher")
    assert dh.rank(table, by="mean").ranks.tolist() == [[2, 2, 2, 4]]
    for by in ("mean,copeland", "copeland,mean", "all"):
        found = dh.rank(table, by=by)
        row = [f.name for f in found.functions].index("mean")
        assert found.ranks[row].tolist() == [2, 2, 2, 4]


def test_every_kind_of_table_is_used_by_some_function():
    assert {kind for f in FUNCTIONS for kind in kinds_for(f)} == set(KINDS)
