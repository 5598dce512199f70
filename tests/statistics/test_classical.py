"""The classical tests, against scipy pair by pair, enumeration, and published tables."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.core.errors import UsageError
from deadheat.statistics.strict_groups import CLASSICAL, classical
from deadheat.statistics.units import units
from pair_oracle import difference_and_error


def holm(p):
    """Return Holm's adjusted p-values by the definition."""
    found, before = {}, 0.0
    for rank, pair in enumerate(sorted(p, key=p.get)):
        before = found[pair] = max(before, min(1.0, (len(p) - rank) * p[pair]))
    return found


def pairs(n):
    return itertools.combinations(range(n), 2)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 5), m=st.integers(2, 20))
def test_t_with_holm_is_scipy_pair_by_pair(seed, n, m):
    q = np.random.default_rng(seed).normal(size=(n, m)) + np.arange(n)[:, None]
    tests = classical("t-holm", units(q), alpha=0.05)
    expected = holm({(i, j): stats.ttest_rel(q[i], q[j]).pvalue for i, j in pairs(n)})
    for (i, j), p in expected.items():
        assert tests.p[i, j] == tests.p[j, i] == pytest.approx(p, rel=1e-9)
        assert tests.better[j, i] == (p <= 0.05 and q[j].mean() > q[i].mean())
    number = n * (n - 1) // 2
    assert tests.critical == pytest.approx(stats.t.ppf(1 - 0.025 / number, m - 1))


def signed_rank_p(differences):
    """Return the exact two-sided p-value by all sign vectors; no zeros."""
    ranks = stats.rankdata(np.abs(differences))
    centre = ranks.sum() / 2
    own = abs(ranks[differences > 0].sum() - centre)
    worlds = [
        abs(sum(r for r, s in zip(ranks, signs, strict=True) if s) - centre)
        for signs in itertools.product([0, 1], repeat=len(ranks))
    ]
    return np.mean([x >= own - 1e-9 for x in worlds])


@given(seed=st.integers(0, 2**32 - 1), m=st.integers(2, 8))
def test_wilcoxon_without_ties_is_exact(seed, m):
    q = np.random.default_rng(seed).normal(size=(3, m)) + np.array([[0], [1], [3]])
    tests = classical("wilcoxon-holm", units(q), alpha=0.3)
    expected = holm({(i, j): signed_rank_p(q[i] - q[j]) for i, j in pairs(3)})
    for (i, j), p in expected.items():
        assert tests.p[i, j] == pytest.approx(p)


def test_wilcoxon_with_ties_is_the_normal_approximation_of_each_pair():
    """Conover (1999), sec. 5.7: zeros left out, variance from the squared ranks."""
    q = np.random.default_rng(0).integers(0, 5, (4, 40)).astype(float)
    expected = {}
    for i, j in pairs(4):
        d = q[i] - q[j]
        d = d[d != 0]
        signed = stats.rankdata(np.abs(d)) * np.sign(d)
        expected[i, j] = 2 * stats.norm.sf(abs(signed.sum()) / np.sqrt((signed**2).sum()))
    tests = classical("wilcoxon-holm", units(q), alpha=0.05)
    for (i, j), p in holm(expected).items():
        assert tests.p[i, j] == pytest.approx(p)


def test_one_difference_of_0_is_left_out_and_ends_exactness():
    q = np.zeros((2, 9))
    q[0] = [0, 1, 2, -3, 4, 5, 6, 7, 8]
    z = (36 - 2 * 3) / np.sqrt((np.arange(1, 9) ** 2).sum())
    tests = classical("wilcoxon-holm", units(q), alpha=0.05)
    assert tests.p[0, 1] == pytest.approx(2 * stats.norm.sf(z))


def test_ties_of_one_pair_leave_the_others_exact():
    rng = np.random.default_rng(1)
    q = rng.normal(size=(3, 8))
    q[2] = q[1]
    q[2, 0] += 1
    tests = classical("wilcoxon-holm", units(q), alpha=0.05)
    exact = {k: signed_rank_p(q[0] - q[k]) for k in (1, 2)}
    expected = holm(exact | {3: 2 * stats.norm.sf(1)})  # one judge differs, and it has rank 1
    assert tests.p[1, 2] == pytest.approx(expected[3])
    assert tests.p[0, 1] == pytest.approx(expected[1])
    assert tests.p[0, 2] == pytest.approx(expected[2])


def test_wilcoxon_points_where_the_ranks_do():
    """29 judges prefer the first a little, one the second by far."""
    q = np.zeros((2, 30))
    q[0] = np.linspace(1, 2, 30)
    q[0, 0] = -1000
    tests = classical("wilcoxon-holm", units(q), alpha=0.05)
    assert q[0].mean() < 0
    assert tests.better[0, 1]
    assert tests.differences[0, 1] == pytest.approx(1 - 2 * 30 / (30 * 31 / 2))


def test_differences_that_rounding_alone_separates_are_tied():
    tenths = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    rounded = classical("wilcoxon-holm", units(np.stack([tenths + 0.1, tenths])), alpha=0.05)
    tens = np.stack([10 * tenths.round(1) + 1, 10 * tenths]).round()
    whole = classical("wilcoxon-holm", units(tens), alpha=0.05)
    assert rounded.p[0, 1] == whole.p[0, 1]


def test_nemenyi_knows_the_published_critical_values():
    """Demšar (2006), table 5 (a): q at .05 is 1.960, 2.343, 2.569, 2.728 for 2 to 5."""
    rng = np.random.default_rng(2)
    for n, q in ((2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)):
        tests = classical("nemenyi", units(rng.normal(size=(n, 12))), alpha=0.05)
        assert tests.critical == pytest.approx(q, abs=0.0011)
        assert tests.errors[0, 1] == pytest.approx(np.sqrt(n * (n + 1) / (6 * 12)))


def test_nemenyi_reproduces_a_published_comparison():
    """Demšar (2006), sec. 3.2.2: mean ranks 3.143, 2.000, 2.893, 1.964 on 14 data sets.

    At .05 the critical difference is 1.25 and nothing is found; at .10 it is 1.12, and plain C4.5
    is worse than C4.5+m and C4.5+m+cf. Table 6 prints .975 twice for "voting", with ranks 2 and 3:
    hence the fourth digit.
    """
    auc = np.array(
        [
            [0.763, 0.768, 0.771, 0.798],
            [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898],
            [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685],
            [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000],
            [0.940, 0.962, 0.965, 0.962],
            [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975],
            [0.957, 0.978, 0.946, 0.970],
        ]
    ).T
    tests = classical("nemenyi", units(auc), alpha=0.10)
    mean_ranks = stats.rankdata(-auc, axis=0).mean(axis=1)
    assert mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=0.001)
    assert tests.critical * tests.errors[0, 1] == pytest.approx(1.12, abs=0.01)
    at_5 = classical("nemenyi", units(auc), alpha=0.05)
    assert at_5.critical * at_5.errors[0, 1] == pytest.approx(1.25, abs=0.01)
    assert not at_5.better.any()
    shown = {(int(i), int(j)) for i, j in zip(*np.nonzero(tests.better), strict=True)}
    assert shown == {(1, 0), (3, 0)}


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 6))
def test_nemenyi_p_values_are_those_of_the_range_of_normals(seed, n):
    """P(range < x) = n * integral of phi(z) (Phi(z) - Phi(z - x))^(n - 1), by the trapezoid."""
    scores = np.random.default_rng(seed).integers(0, 6, (n, 9)).astype(float)
    tests = classical("nemenyi", units(scores), alpha=0.05)
    means = np.mean([stats.rankdata(-column) for column in scores.T], axis=0)
    z = np.linspace(-9, 20, 4_001)
    for i, j in pairs(n):
        x = abs(means[i] - means[j]) / np.sqrt(n * (n + 1) / (12 * 9))
        inside = stats.norm.cdf(z) - stats.norm.cdf(z - x)
        below = n * np.trapezoid(stats.norm.pdf(z) * inside ** (n - 1), z)
        assert tests.p[i, j] == pytest.approx(1 - below, abs=1e-6)
        assert tests.differences[i, j] == pytest.approx(means[j] - means[i])


def test_clones_have_p_1_and_constant_differences_are_flagged():
    row = np.random.default_rng(3).normal(size=20)
    q = np.stack([row, row, row - 0.5])
    for test in CLASSICAL:
        tests = classical(test, units(q), alpha=0.05)
        assert tests.p[0, 1] == 1
        assert tests.better[0, 2]
        assert not tests.better[0, 1]
    assert classical("t-holm", units(q), alpha=0.05).flagged == ((0, 2), (1, 2))


def test_one_candidate_has_nobody_to_differ_from():
    for test in CLASSICAL:
        assert classical(test, units(np.arange(5.0)[None, :]), alpha=0.05).p.tolist() == [[1]]


def test_t_with_holm_weighs_judges_and_clusters_and_keeps_strata():
    """Against loops: the linearised error of a weighted mean, one stratum after the other."""
    rng = np.random.default_rng(8)
    q = rng.normal(size=(3, 12)) + np.array([[0.0], [0.5], [2.0]])
    weights = rng.integers(1, 6, 12).astype(float)
    clusters, strata = np.repeat(np.arange(6), 2), np.repeat([0, 1], [4, 8])
    values = np.add.reduceat(q * weights, np.arange(0, 12, 2), axis=1)
    sizes = np.add.reduceat(weights, np.arange(0, 12, 2))
    expected = {}
    for i, j in pairs(3):
        d, se = difference_and_error(values, sizes, [0, 0, 1, 1, 1, 1], i, j, [1] * 6)
        expected[i, j] = 2 * stats.t.sf(abs(d) / se, 6 - 2)
    tests = classical(
        "t-holm", units(q, weights=weights, clusters=clusters, strata=strata), alpha=0.05
    )
    for (i, j), p in holm(expected).items():
        assert tests.p[i, j] == pytest.approx(p)
    assert tests.critical == pytest.approx(stats.t.ppf(1 - 0.025 / 3, 4))


def test_who_is_better_by_weight_is_not_told_to_be_worse():
    """Nine light judges prefer b, one heavy judge a."""
    q = np.array([[1.0] + [0.1] * 9, [0.0] + [0.2] * 9])
    q += 0.01 * np.random.default_rng(0).normal(size=q.shape)
    tests = classical("t-holm", units(q, weights=np.array([100.0] + [1] * 9)), alpha=0.05)
    assert not tests.better[1, 0]
    assert tests.differences[0, 1] == pytest.approx(
        np.average(q[0] - q[1], weights=[100] + [1] * 9)
    )


@pytest.mark.parametrize("test", ["wilcoxon-holm", "nemenyi"])
def test_tests_that_count_all_alike_refuse_weights_and_unequal_clusters(test):
    q = np.random.default_rng(1).normal(size=(3, 8))
    with pytest.raises(UsageError, match=r"judges of unequal weight \(1 to 6\)") as refused:
        classical(test, units(q, weights=np.array([6.0] + [1] * 7)), alpha=0.05)
    assert "max-t" in str(refused.value)
    with pytest.raises(UsageError, match=r"clusters of unequal size \(1 to 2\)"):
        classical(test, units(q, clusters=np.array([0, 0, 1, 1, 2, 2, 3, 4])), alpha=0.05)
    plain = classical(test, units(q), alpha=0.05)
    assert classical(test, units(q, weights=np.full(8, 2.5)), alpha=0.05).p == pytest.approx(
        plain.p
    )


@pytest.mark.parametrize("test", ["wilcoxon-holm", "nemenyi"])
def test_clusters_of_one_size_are_tested_by_their_means(test):
    q = np.random.default_rng(2).normal(size=(3, 20)) + np.array([[0], [1], [2]])
    clusters = np.arange(20) // 2
    means = q.reshape(3, 10, 2).mean(axis=2)
    found = classical(test, units(q, clusters=clusters), alpha=0.05)
    assert found.p == pytest.approx(classical(test, units(means), alpha=0.05).p)
