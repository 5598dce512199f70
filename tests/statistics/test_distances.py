"""Rank distances and correlations, against scipy, brute force and the laws of a metric."""

from __future__ import annotations

from collections import deque
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from deadheat.core.errors import UsageError
from deadheat.statistics import concordance as correlation_matrices
from deadheat.statistics import distances
from deadheat.statistics import distances as correlations
from deadheat.statistics.concordance import mean_ranks
from deadheat.statistics.distances import CORRELATIONS, DISTANCES, pair_counts

BOTH_ENDS = ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])


def rankings(*, most: int = 7, number: int = 2, strict: bool = False):
    """Draw several rankings of the same candidates."""

    @st.composite
    def drawn(draw):
        n = draw(st.integers(2, most))
        if strict:
            one = st.permutations(range(1, n + 1))
        else:
            one = st.lists(st.integers(1, n), min_size=n, max_size=n)
        return [draw(one) for _ in range(number)]

    return drawn()


def steps_to(goal, moves):
    """Return how many moves each permutation is away from the goal, by breadth-first search."""
    found, waiting = {tuple(goal): 0}, deque([tuple(goal)])
    while waiting:
        at = waiting.popleft()
        for after in moves(at):
            if after not in found:
                found[after] = found[at] + 1
                waiting.append(after)
    return found


def swapped(order, i, k):
    order = list(order)
    order[i], order[k] = order[k], order[i]
    return tuple(order)


def neighbour_swaps(order):
    return [swapped(order, i, i + 1) for i in range(len(order) - 1)]


def any_swaps(order):
    return [swapped(order, i, k) for i, k in combinations(range(len(order)), 2)]


def reinsertions(order):
    for i in range(len(order)):
        rest = order[:i] + order[i + 1 :]
        yield from ((*rest[:k], order[i], *rest[k:]) for k in range(len(order)))


def ranks_of(order):
    return np.argsort(order) + 1


@pytest.mark.parametrize(
    ("name", "moves"),
    [("kendall", neighbour_swaps), ("cayley", any_swaps), ("ulam", reinsertions)],
)
def test_a_distance_is_the_least_number_of_moves(name, moves):
    for n in (1, 2, 3, 5):
        goal = tuple(np.random.default_rng(n).permutation(n))
        steps = steps_to(goal, moves)
        for order in permutations(range(n)):
            assert DISTANCES[name](ranks_of(order), ranks_of(goal)) == steps[order]


def test_a_tie_in_one_ranking_costs_one_half():
    """Erratum E29: ranky returns 4 here, half of the distance of Kemeny and Snell is 3."""
    assert distances.kendall([0, 1, 1, 1], [1, 1, 1, 0]) == 3
    assert distances.kendall([1, 1, 1], [1, 1, 1]) == 0


@given(pair=rankings(), penalty=st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_pairs_are_counted_one_by_one(pair, penalty):
    a, b = pair
    cost = 0.0
    for i, k in combinations(range(len(a)), 2):
        ours, theirs = np.sign(a[i] - a[k]), np.sign(b[i] - b[k])
        cost += 1 if ours * theirs < 0 else penalty * ((ours == 0) != (theirs == 0))
    assert distances.kendall(a, b, penalty=penalty) == pytest.approx(cost)
    agreeing, both, *untied = pair_counts(a, b)
    assert abs(agreeing) <= both <= min(untied) <= max(untied) <= len(a) * (len(a) - 1) // 2


@given(pair=rankings())
def test_sums_over_ranks(pair):
    """Literally, on the ranks of scipy."""
    a, b = (scipy.stats.rankdata(r) for r in pair)
    apart = [abs(x - y) for x, y in zip(a, b, strict=True)]
    assert distances.spearman(*pair) == sum(d * d for d in apart)
    assert distances.euclidean(*pair) == pytest.approx(sum(d * d for d in apart) ** 0.5)
    assert distances.footrule(*pair) == sum(apart)
    assert distances.maximum_displacement(*pair) == max(apart)
    assert distances.hamming(*pair) == sum(d > 0 for d in apart)


@pytest.mark.parametrize("name", [name for name, d in DISTANCES.items() if d.metric])
@given(data=st.data())
def test_a_metric_obeys_its_laws(name, data):
    d = DISTANCES[name]
    a, b, c = data.draw(rankings(number=3, strict=d.strict))
    same = mean_ranks(np.array([a, b]))
    assert (d(a, b) == 0) == bool((same[0] == same[1]).all())
    assert d(a, b) == d(b, a)
    assert d(a, c) <= d(a, b) + d(b, c) + 1e-12
    assert d(a, b) <= d.largest(len(a)) + 1e-12


def test_what_is_called_no_metric_is_none():
    """Spearman's distance breaks the triangle; the distance of winners is not symmetric."""
    a, b, c = [1, 2, 3], [2, 1, 3], [3, 1, 2]
    assert distances.spearman(a, c) > distances.spearman(a, b) + distances.spearman(b, c)
    assert distances.winner(a, c) != distances.winner(c, a)
    assert {name for name, d in DISTANCES.items() if not d.metric} == {"spearman", "winner"}
    assert [name for name, d in DISTANCES.items() if not d.symmetric] == ["winner"]


def test_a_penalty_below_one_half_breaks_the_triangle():
    a, b, c = [1, 2], [1, 1], [2, 1]
    far = distances.kendall(a, c, penalty=0.4)
    assert far > distances.kendall(a, b, penalty=0.4) + distances.kendall(b, c, penalty=0.4)


@pytest.mark.parametrize("name", DISTANCES)
@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_the_largest_distance_is_reached(name, n):
    d = DISTANCES[name]
    orders = permutations(range(1, n + 1))
    assert max(d(range(1, n + 1), b) for b in orders) == pytest.approx(d.largest(n))


@given(pair=rankings(most=30))
def test_the_footrule_is_once_to_twice_kendall(pair):
    near, far = distances.kendall(*pair), distances.footrule(*pair)
    assert near <= far + 1e-12
    assert far <= 2 * near + 1e-12


@pytest.mark.parametrize("name", DISTANCES)
@given(data=st.data())
def test_only_the_order_of_the_numbers_counts(name, data):
    d = DISTANCES[name]
    a, b = data.draw(rankings(strict=d.strict))
    assert d(a, b) == d(np.array(a) * 7 - 30, scipy.stats.rankdata(b, "min"))


def test_the_winners_are_a_set():
    """Both winners of the first are looked up in the second: places 1 and 4 of 5."""
    assert distances.winner([1.5, 1.5, 3, 4, 5], [1, 4, 3, 2, 5]) == pytest.approx(3 / 4 / 2)
    assert distances.winner([1.5, 1.5, 3], [1.5, 1.5, 3]) == 0
    assert distances.winner([1], [1]) == 0
    a, b = [1, 2, 3], [2, 3, 1]
    assert distances.winner(a, b) == 0.5
    assert distances.winner(b, a) == 1
    assert distances.winner(a, b, symmetric=True) == 0.75


@given(pair=rankings(most=12))
def test_correlations_as_scipy_has_them(pair):
    a, b = (np.array(r, dtype=float) for r in pair)
    constant = len(set(pair[0])) == 1 or len(set(pair[1])) == 1
    found = {name: c.function(a, b) for name, c in CORRELATIONS.items()}
    if constant:
        assert all(np.isnan(found[name]) for name in ("spearman_rho", "tau_b", "weighted_tau"))
        assert found["tau_a"] == 0
        return
    n = len(a)
    assert found["spearman_rho"] == pytest.approx(scipy.stats.spearmanr(a, b).statistic)
    assert found["tau_b"] == pytest.approx(scipy.stats.kendalltau(a, b).statistic)
    assert found["weighted_tau"] == pytest.approx(scipy.stats.weightedtau(-a, -b).statistic)
    pairs = scipy.stats.somersd(a, b).table  # tau-a from the table of counts
    agree = sum(
        pairs[i, k] * (pairs[i + 1 :, k + 1 :].sum() - pairs[i + 1 :, :k].sum())
        for i in range(pairs.shape[0])
        for k in range(pairs.shape[1])
    )
    assert found["tau_a"] == pytest.approx(agree / (n * (n - 1) / 2))


@pytest.mark.parametrize("name", CORRELATIONS)
def test_the_ends_of_a_correlation(name):
    correlation = CORRELATIONS[name]
    assert correlation.function(BOTH_ENDS[0], BOTH_ENDS[0]) == pytest.approx(1)
    opposite = correlation.function(*BOTH_ENDS)
    assert opposite == pytest.approx(-1) if correlation.lowest else 0 < opposite < 0.9


def overlap_by_sets(a, b, p):
    """Webber et al. (2010), literally: sets of those whose best place is at most d."""
    first, second = scipy.stats.rankdata(a, "min"), scipy.stats.rankdata(b, "min")
    total, agreement = 0.0, 0.0
    for d in range(1, len(a) + 1):
        ours = {i for i, r in enumerate(first) if r <= d}
        theirs = {i for i, r in enumerate(second) if r <= d}
        agreement = 2 * len(ours & theirs) / (len(ours) + len(theirs))
        total += (1 - p) * p ** (d - 1) * agreement
    return total + p ** len(a) * agreement


@given(pair=rankings(most=9), p=st.sampled_from([0.2, 0.5, 0.9, 0.98]))
def test_rank_biased_overlap_by_sets(pair, p):
    found = distances.rank_biased_overlap(*pair, p=p)
    assert found == pytest.approx(overlap_by_sets(*pair, p))
    assert distances.rank_biased_overlap(pair[0], pair[0], p=p) == pytest.approx(1)


def test_rank_biased_overlap_of_a_known_example():
    """The order 1 2 3 4 5 against 2 3 4 1 5 at p = .9: .828 by another package."""
    found = distances.rank_biased_overlap([1, 2, 3, 4, 5], [4, 1, 2, 3, 5], p=0.9)
    assert found == pytest.approx(0.828, abs=5e-4)


@given(drawn=rankings(number=5))
def test_matrices_hold_every_pair(drawn):
    ranks = np.array(drawn, dtype=float)
    every = {
        "spearman_matrix": correlations.spearman_rho,
        "tau_b_matrix": correlations.tau_b,
        "kendall_matrix": distances.kendall,
    }
    for name, function in every.items():
        found = getattr(correlation_matrices, name)(ranks)
        singly = [[function(a, b) for b in ranks] for a in ranks]
        np.testing.assert_allclose(found, singly, atol=1e-12)


@pytest.mark.parametrize("size", [1, 40])
def test_memory_does_not_change_a_matrix(monkeypatch, size):
    ranks = np.random.default_rng(0).integers(1, 9, size=(6, 12)).astype(float)
    names = ("tau_b_matrix", "kendall_matrix")
    before = [getattr(correlation_matrices, name)(ranks) for name in names]
    mean = correlation_matrices.tau_b_means(ranks, np.ones(6))[0]
    for module in (correlation_matrices, correlations):
        monkeypatch.setattr(module, "WORKING_SET", size)
    for name, whole in zip(names, before, strict=True):
        np.testing.assert_allclose(getattr(correlation_matrices, name)(ranks), whole)
    assert correlation_matrices.tau_b_means(ranks, np.ones(6))[0] == pytest.approx(mean)
    assert correlations.tau_b(ranks[0], ranks[1]) == pytest.approx(before[0][0, 1])


@given(drawn=rankings(number=5), seed=st.integers(0, 99))
def test_the_mean_tau_is_that_of_all_pairs(drawn, seed):
    ranks = np.array(drawn, dtype=float)
    weights = np.random.default_rng(seed).random(5) + 0.1
    matrix = correlation_matrices.tau_b_matrix(ranks)
    told = ~np.isnan(np.diagonal(matrix))
    pairs = np.outer(weights, weights)[np.ix_(told, told)]
    np.fill_diagonal(pairs, 0)
    found = correlation_matrices.tau_b_means(ranks, weights)[0]
    if told.sum() < 2:
        assert np.isnan(found)
    else:
        expected = (matrix[np.ix_(told, told)] * pairs).sum() / pairs.sum()
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: distances.cayley([1, 1, 3], [1, 2, 3]), "cayley needs rankings without ties"),
        (lambda: distances.ulam([1, 2, 3], [1, 2, 2]), "the second one has some"),
        (lambda: distances.footrule([1, 2], [1, 2, 3]), "2 candidates and 3"),
        (lambda: distances.kendall([1, np.nan], [1, 2]), "nan at place 2"),
        (lambda: distances.kendall([[1, 2]], [[1, 2]]), r"shape \(1, 2\)"),
        (lambda: distances.kendall([], []), "shape"),
        (lambda: distances.kendall(["a"], [1]), "not a vector of numbers"),
        (lambda: distances.kendall([1, 2], [1, 2], penalty=2), "between 0 and 1, got 2"),
        (lambda: distances.rank_biased_overlap([1], [1], p=1), "strictly between 0 and 1"),
    ],
)
def test_what_is_no_pair_of_rankings_is_refused(call, message):
    with pytest.raises(UsageError, match=message):
        call()


def test_one_candidate():
    assert all(d([1], [1]) == 0 for d in DISTANCES.values())
    for name in ("spearman_rho", "tau_a", "tau_b", "weighted_tau"):
        assert np.isnan(CORRELATIONS[name].function([1], [1]))
