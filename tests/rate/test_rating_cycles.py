"""Cyclic triples against every triple looked at, and the formula of Kendall and Babington Smith."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.rate import calibration as module
from deadheat.rate.calibration import cyclic_triples


def by_hand(n, first, second, lead):
    """Look at every triple: how many are circles, and how many have three decided pairs."""
    beats = set()
    for i, j, x in zip(first.tolist(), second.tolist(), lead.tolist(), strict=True):
        if x > 0:
            beats.add((i, j))
        if x < 0:
            beats.add((j, i))
    number = whole = 0
    for a, b, c in combinations(range(n), 3):
        whole += all((x, y) in beats or (y, x) in beats for x, y in ((a, b), (b, c), (a, c)))
        number += {(a, b), (b, c), (c, a)} <= beats or {(b, a), (c, b), (a, c)} <= beats
    return number, whole


@st.composite
def majorities(draw):
    n = draw(st.integers(1, 9))
    pairs = list(combinations(range(n), 2))
    kept = [p for p in pairs if draw(st.integers(0, 9)) < draw(st.sampled_from([2, 8, 10]))]
    lead = [draw(st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0])) for _ in kept]
    ends = np.array(kept, dtype=int).reshape(-1, 2)
    return n, ends[:, 0], ends[:, 1], np.array(lead)


@given(case=majorities())
def test_it_is_what_looking_at_every_triple_gives(case):
    found = cyclic_triples(*case)
    assert (found.number, found.triples) == by_hand(*case)


@given(n=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_complete_relations_without_an_even_pair(n, seed):
    first, second = np.triu_indices(n, 1)
    lead = np.random.default_rng(seed).choice([-1.0, 1.0], len(first))
    found = cyclic_triples(n, first, second, lead)
    assert (found.number, found.triples) == by_hand(n, first, second, lead)


@pytest.mark.parametrize("dense", [0.0, 2.0])
def test_both_ways_to_count_with_gaps_agree_with_the_triples(dense, monkeypatch):
    monkeypatch.setattr(module, "DENSE", dense)
    monkeypatch.setattr(module, "WORKING_SET", 40)  # several parts
    rng = np.random.default_rng(3)
    first, second = np.triu_indices(15, 1)
    lead = rng.choice([-1.0, 0.0, 1.0], len(first))
    found = cyclic_triples(15, first, second, lead)
    assert (found.number, found.triples) == by_hand(15, first, second, lead)
    assert found.number > 0


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_most_there_can_be(n):
    """Kendall and Babington Smith (1940): (n^3 - n)/24 for odd n, (n^3 - 4n)/24 for even n."""
    first, second = np.triu_indices(n, 1)
    largest = 0
    for bits in range(2 ** len(first)):
        lead = np.where((bits >> np.arange(len(first))) & 1, 1.0, -1.0)
        found = cyclic_triples(n, first, second, lead)
        largest = max(largest, found.number)
    assert largest == (n**3 - (n if n % 2 else 4 * n)) // 24


def test_two_candidates_have_no_triples():
    found = cyclic_triples(2, np.array([0]), np.array([1]), np.array([1.0]))
    assert (found.number, found.triples) == (0, 0)
