"""Maximal cliques against all subsets, and Nemenyi's ranks against the ranks themselves."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.statistics.pair_tests import cliques, critical_difference, nemenyi_ranks

# Table 6 as printed: the AUC of C4.5, of C4.5 with m, with cf, and with both, on 14 data sets.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1, 1, 1, 1],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975],
    [0.957, 0.978, 0.946, 0.970],
]
VOTING = 12


def by_subsets(better):
    """All sets of candidates none of whom is better than another, that nobody can be added to."""
    n = len(better)
    level = ~(better | better.T)
    sets = [
        set(chosen)
        for size in range(1, n + 1)
        for chosen in combinations(range(n), size)
        if all(level[i, j] for i, j in combinations(chosen, 2))
    ]
    return {frozenset(s) for s in sets if not any(s < t for t in sets)}


@pytest.mark.parametrize("seed", range(12))
def test_the_cliques_are_those_among_all_subsets(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    better = np.triu(rng.random((n, n)) < rng.random(), 1)
    order = rng.permutation(n)
    found = cliques(better, order)
    assert {frozenset(clique) for clique in found.members} == by_subsets(better)
    assert len(found.members) == len(set(found.members))
    assert found.whole


def test_members_and_cliques_stand_in_the_order_given():
    better = np.zeros((4, 4), dtype=bool)
    better[3, 0] = better[3, 1] = True
    assert cliques(better, np.array([3, 2, 0, 1])).members == ((3, 2), (2, 0, 1))


def test_a_clique_may_leave_out_who_stands_between():
    better = np.zeros((3, 3), dtype=bool)
    better[0, 1] = True  # and 2, the worst, is so uncertain that nobody is shown better
    assert cliques(better, np.arange(3)).members == ((0, 2), (1, 2))


def test_too_many_cliques_are_cut_and_it_says_so():
    n = 30  # ten triples inside which all are separated: 3 ** 10 cliques
    better = np.zeros((n, n), dtype=bool)
    for k in range(0, n, 3):
        better[k, k + 1] = better[k, k + 2] = better[k + 1, k + 2] = True
    found = cliques(better, np.arange(n), most=50)
    assert not found.whole
    assert len(found.members) <= n
    assert all(len(clique) == 10 for clique in found.members)
    assert set().union(*found.members) == set(range(n))


@pytest.mark.parametrize("seed", range(8))
def test_of_too_many_cliques_one_around_each_candidate_is_left(seed):
    rng = np.random.default_rng(seed)
    better = np.triu(rng.random((8, 8)) < 0.5, 1)
    everything = by_subsets(better)
    found = cliques(better, rng.permutation(8), most=1)
    assert {frozenset(clique) for clique in found.members} <= everything
    assert found.whole == (len(everything) == 1)
    assert set().union(*found.members) == set(range(8))


def test_everybody_and_nobody():
    none = np.zeros((5, 5), dtype=bool)
    assert cliques(none, np.arange(5)).members == (tuple(range(5)),)
    assert cliques(np.triu(~none, 1), np.arange(5)).members == tuple((i,) for i in range(5))


def test_nemenyi_is_demsars_example():
    """Demsar (2006), sec. 3.2.2, with q of table 5: CD 1.25, and the mean ranks of table 6."""
    scores = np.array(DEMSAR)
    scores[VOTING, 2] += 0.0001  # printed as a tie, ranked 2 and 3: decimals that are not printed
    tests = nemenyi_of(scores)
    q, m, n = 2.569, 14, 4
    assert critical_difference(tests) == pytest.approx(q * np.sqrt(n * (n + 1) / (6 * m)), rel=1e-3)
    assert round(critical_difference(tests), 2) == 1.25
    assert nemenyi_ranks(tests).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]


def test_nemenyi_ranks_are_the_mean_ranks_of_scipy_with_ties():
    tests = nemenyi_of(np.array(DEMSAR))
    expected = stats.rankdata(-np.array(DEMSAR), axis=1).mean(axis=0)
    assert nemenyi_ranks(tests) == pytest.approx(expected)


def nemenyi_of(scores):
    table = dh.Results(scores=scores.T, better="higher")
    found = dh.verdict(table, replicates=400, strict=True, test="nemenyi", alpha=0.05)
    return found.all_pairs.tests
