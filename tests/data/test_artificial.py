"""Artificial tables: how much their judges agree, on average over seeds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

import deadheat as dh
from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.data.artificial import expected_rho


def kendall_w(table):
    """Literally: rank sums, and no ties."""
    ranks = rankdata(-table.scores, axis=0)
    n, m = ranks.shape
    sums = ranks.sum(axis=1)
    return 12 * ((sums - sums.mean()) ** 2).sum() / (m**2 * (n**3 - n))


@pytest.mark.parametrize("kind", ["skill", "ranking"])
@pytest.mark.parametrize("wanted", [0.3, 0.6, 0.95])
@pytest.mark.parametrize(("n", "m"), [(12, 20), (5, 6)])
def test_the_mean_of_w_is_what_was_asked_for(kind, wanted, n, m):
    seeds = range(150)
    found = [kendall_w(dh.artificial(n, m, concordance=wanted, kind=kind, seed=s)) for s in seeds]
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx(wanted, abs=4 * error + 1e-9)
    assert error < 0.02


def test_judges_that_contradict_each_other():
    """Below 1/m = .05 only negative correlations lead, which noise around a ranking has not."""
    found = [kendall_w(dh.artificial(8, 20, concordance=0.02, seed=s)) for s in range(100)]
    assert np.mean(found) == pytest.approx(0.02, abs=0.004)
    apart = dh.artificial(8, 2, concordance=0, seed=0).scores
    assert spearmanr(*apart.T).statistic == pytest.approx(-1)
    least = [
        kendall_w(dh.artificial(8, 20, concordance=0, kind="ranking", seed=s)) for s in range(100)
    ]
    assert np.mean(least) == pytest.approx(1 / 20, abs=0.01)


def test_full_agreement():
    for kind in ("skill", "ranking"):
        assert kendall_w(dh.artificial(9, 7, concordance=1, kind=kind)) == pytest.approx(1)


@pytest.mark.parametrize("r", [-0.7, 0.2, 0.8])
def test_moran_by_simulation(r):
    rng = np.random.default_rng(3)
    pairs = rng.multivariate_normal([0, 0], [[1, r], [r, 1]], size=(4_000, 6))
    ranks = rankdata(pairs, axis=1)
    found = 1 - ((ranks[..., 0] - ranks[..., 1]) ** 2).sum(axis=1) * 6 / (6**3 - 6)
    assert found.mean() == pytest.approx(expected_rho(r, 6), abs=4 * found.std() / 4_000**0.5)


def test_low_rank_is_made_as_the_matrix_of_the_paper():
    values = np.linalg.svd(dh.artificial(20, 50, kind="low-rank", seed=4).scores, compute_uv=False)
    np.testing.assert_allclose(values, 100 * np.exp(-np.arange(20)), rtol=1e-5, atol=1e-6)


@pytest.mark.shared
def test_the_matrix_of_the_paper_has_those_singular_values(shared_data):
    table = dh.read(shared_data / "esann2021" / "Artificial.csv", better="higher", judge="judge")
    values = np.linalg.svd(table.scores, compute_uv=False)
    np.testing.assert_allclose(values[:12], 100 * np.exp(-np.arange(12)), rtol=1e-6)


def test_a_seed_is_a_table():
    first, again, other = (dh.artificial(6, 7, seed=s).scores for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_levels_make_ties_and_keep_the_order():
    plain, rounded = (dh.artificial(30, 4, levels=k, seed=1).scores for k in (None, 5))
    assert {*np.unique(rounded)} == {1.0, 2.0, 3.0, 4.0, 5.0}
    for j in range(4):
        assert (np.diff(rounded[np.argsort(plain[:, j]), j]) >= 0).all()
    assert (dh.artificial(4, 3, levels=1).scores == 1).all()


def test_clones_are_copies_and_opposite_judges_turned():
    scores = dh.artificial(5, 4, clones=2, opposite=1, concordance=1, seed=1).scores
    assert (scores[3:] == scores[:2]).all()
    assert spearmanr(scores[:, 0], scores[:, 1]).statistic == pytest.approx(1)
    assert spearmanr(scores[:, 0], scores[:, 3]).statistic == pytest.approx(-1)
    many = dh.artificial(5, 4, clones=4, seed=1).scores
    assert (many == many[0]).all()


def test_unit_scores_are_between_0_and_1_in_the_same_order():
    plain, unit = (dh.artificial(9, 5, unit=u, seed=2) for u in (False, True))
    assert ((unit.scores > 0) & (unit.scores < 1)).all()
    assert (rankdata(plain.scores, axis=0) == rankdata(unit.scores, axis=0)).all()
    assert dh.rank(unit, by="relative_difference").rows()


@pytest.mark.parametrize("kind", ["skill", "ranking", "low-rank"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 3), (2, 1), (2, 2)])
def test_small_tables(kind, n, m):
    assert np.isfinite(dh.artificial(n, m, kind=kind).scores).all()


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"concordance": 1.2}, UsageError, "between 0 and 1, got 1.2"),
        ({"concordance": 0.5, "kind": "low-rank"}, UsageError, "cannot be chosen"),
        ({"kind": "skil"}, UnknownNameError, "Did you mean 'skill'"),
        ({"n": 0}, UsageError, "n must be a whole number of at least 1"),
        ({"m": 0}, UsageError, "m must be a whole number of at least 1"),
        ({"clones": 20}, UsageError, "20 of 20 candidates"),
        ({"opposite": 51}, UsageError, "51 of 50 judges"),
        ({"levels": 0}, UsageError, "levels must be a whole number of at least 1"),
        ({"levels": 2.5}, UsageError, "levels must be a whole number of at least 1, got 2.5"),
        ({"n": 5.5}, UsageError, "n must be a whole number of at least 1, got 5.5"),
        ({"m": True}, UsageError, "m must be a whole number"),
        ({"clones": 1.5}, UsageError, "clones must be a whole number"),
        ({"seed": "x"}, UsageError, "seed must be a whole number"),
        ({"concordance": "much"}, UsageError, "between 0 and 1, got 'much'"),
    ],
)
def test_what_cannot_be_made_is_refused(options, kind, message):
    with pytest.raises(kind, match=message):
        dh.artificial(**options)
