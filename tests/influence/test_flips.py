"""The smallest flip set, against all subsets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.influence.leave_judges_out import Flips, parts_of
from deadheat.ranking.contributions import contributions
from deadheat.ranking.function import functions, get
from deadheat.ranking.on_tables import merits_of
from deadheat.ranking.ranks import ranks

ADDITIVE = [f for f in functions() if f.additive and not f.slow]


def flips(table, f):
    known = contributions(table, f)
    assert known is not None
    return Flips(table, f, known, parts_of(table))


def level(table, f, gone, a, b):
    """-1, 0 or 1 as b is behind, level or ahead without these parts; None where nobody is left."""
    parts = parts_of(table)
    rest = [j for j in range(table.m) if parts.of_judge[j] not in gone]
    if not rest or not table.weights[rest].any():
        return None
    kept = table.of_judges(rest)
    merits = merits_of(kept, [f])[f.name][0]
    place = ranks(merits, unit=f.unit(kept.scores, kept.weights))
    return int(np.sign(place[a] - place[b]))


def by_subsets(table, f, a, b):
    """Return the smallest number of parts that will do, or None; all subsets are tried."""
    number = len(parts_of(table))
    for size in range(number):
        for gone in combinations(range(number), size):
            if level(table, f, gone, a, b) in (0, 1):
                return size
    return None


def random_table(rng, n, m, *, clustered):
    scores = rng.integers(1, 5, size=(n, m)) / 4
    labels = [str(label) for label in rng.integers(0, m, size=m)] if clustered else None
    weights = rng.integers(0, 4, size=m)
    weights[0] += 1
    return dh.Results(scores=scores, better="higher", judge_weights=weights, clusters=labels)


@pytest.mark.parametrize("f", ADDITIVE, ids=lambda f: f.name)
@pytest.mark.parametrize("clustered", [False, True], ids=["judges", "clusters"])
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 4), m=st.integers(2, 6))
def test_no_smaller_set_of_judges_will_do(f, clustered, seed, n, m):
    table = random_table(np.random.default_rng(seed), n, m, clustered=clustered)
    finder = flips(table, f)
    sizes = {}
    for a, b in [(i, j) for i in range(n) for j in range(n) if i != j]:
        found = finder.flip(a, b)
        sizes[a, b] = by_subsets(table, f, a, b)
        assert (None if found is None else len(found.parts)) == sizes[a, b]
        if found is not None:
            assert level(table, f, found.parts, a, b) == int(found.passed)
    for a in range(n):
        rivals = [i for i in range(n) if i != a]
        possible = [size for i in rivals if (size := sizes[a, i]) is not None]
        smallest = finder.smallest(a, rivals)
        assert (None if smallest is None else len(smallest.parts)) == min(possible, default=None)


def test_the_judges_that_do_most_go_first():
    scores = [[5, 3, 2, 1, 1], [1, 1, 1, 4, 4]]
    table = dh.Results(scores=scores, judges=list("pqrst"), better="higher")
    found = flips(table, get("mean")).flip(0, 1)
    assert found is not None
    assert found.parts == (0,)
    assert found.passed
    assert found.as_json(table, parts_of(table)) == {
        "ahead": "candidate_1",
        "behind": "candidate_2",
        "left_out": ["p"],
        "passed": True,
    }


def test_level_is_not_passed():
    table = dh.Results(scores=[[2, 2, 1], [1, 1, 2]], better="higher")
    found = flips(table, get("mean")).flip(0, 1)
    assert found is not None
    assert (found.parts, found.passed) == ((0,), False)


def test_who_is_ahead_everywhere_stays_ahead():
    table = dh.Results(scores=[[2, 2, 3], [1, 1, 2]], better="higher")
    assert flips(table, get("mean")).flip(0, 1) is None
    assert flips(table, get("mean")).smallest(0, [1]) is None


def test_who_is_level_already_needs_nobody_to_go():
    """0.1 + 0.2 - 0.3 is not 0 in binary, and level all the same."""
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        scores = np.array([[0.1, 0.2, 0.0], [0.0, 0.0, 0.3]])[:, order]
        table = dh.Results(scores=scores, better="higher")
        for pair in ((0, 1), (1, 0)):
            found = flips(table, get("mean")).flip(*pair)
            assert found is not None
            assert (found.parts, found.passed) == ((), False)


def test_costs_count_the_other_way():
    table = dh.Results(scores=[[1, 1, 8], [4, 5, 2]], better="lower")
    found = flips(table, get("mean")).flip(0, 1)
    assert found is not None
    assert (found.parts, found.passed) == ((1,), True)
