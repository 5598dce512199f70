"""What the functions claim about the axioms, put to the test by search."""

from __future__ import annotations

import axiom_checks
import numpy as np
import pytest

import deadheat as dh
from counterexamples import is_violation
from deadheat.axioms import axiom as laws
from deadheat.axioms.axiom import STRONG, Inquiry
from deadheat.axioms.search import ranker, search
from deadheat.ranking import function as registry

FUNCTIONS = [f for f in registry.functions() if f.satisfies | f.violates]
ONE_BY_ONE = {"majority_judgement", "ranked_pairs"}  # they go through replicates in Python
ENOUGH = 200_000  # cases in which what is violated must be found
RARE = {("ranked_pairs", "consistency"), ("ranked_pairs", "clones")}  # one case in ten thousand
EVERY = pytest.mark.parametrize("f", FUNCTIONS, ids=[f.name for f in FUNCTIONS])


def claims(f, kind):
    """Return the axioms that f says it satisfies, or violates, and that can be searched."""
    return [axiom for name, axiom in laws.AXIOMS.items() if name in getattr(f, kind)]


def stands(f, budget):
    """Assert that no strong violation of what f satisfies is found."""
    for axiom in claims(f, "satisfies"):
        found = search(f, axiom, budget=budget, seed=1)
        assert found.holds, (axiom.name, found.case.as_dict())
        assert found.searched > budget // 2, axiom.name


def falls(f, axiom):
    """Assert that a strong violation is found, and that it is one when nothing is weighted."""
    found = search(f, axiom, budget=ENOUGH, seed=0)
    assert not found.holds, axiom.name
    assert is_violation(f, axiom.name, found.case.as_dict()), found.case.as_dict()


@EVERY
def test_what_is_claimed_to_be_satisfied_stands_a_search(f):
    stands(f, budget=200 if f.name in ONE_BY_ONE or f.slow else 1_000)


@EVERY
def test_what_is_claimed_to_be_violated_falls_to_it(f):
    for axiom in claims(f, "violates"):
        if (f.name, axiom.name) not in RARE:
            falls(f, axiom)


@pytest.mark.slow
@EVERY
def test_what_is_claimed_to_be_satisfied_stands_a_long_search(f):
    stands(f, budget=50_000)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "axiom"), RARE)
def test_what_is_rare_is_found_too(name, axiom):
    falls(registry.get(name), laws.AXIOMS[axiom])


def test_ranked_pairs_is_not_consistent():
    """The witness of a long search: three judges and nine rank alike, together otherwise."""
    scores = [
        [1, 2, 4, 1, 2, 2, 2, 2, 2, 3, 3, 3],
        [2, 4, 2, 3, 1, 3, 4, 4, 4, 1, 1, 2],
        [3, 3, 1, 2, 4, 1, 3, 3, 3, 4, 4, 1],
        [4, 1, 3, 4, 3, 4, 1, 1, 1, 2, 2, 4],
    ]
    table = dh.Results(scores=scores, strata=["a"] * 3 + ["b"] * 9, better="higher")
    (row,) = dh.axioms("ranked_pairs", table=table, only="consistency").rows()
    assert is_violation(registry.get("ranked_pairs"), "consistency", row["counterexample"])


def test_ranked_pairs_is_not_independent_of_clones():
    """The witness of a long search: two more copies of B put C above E."""
    judges = ["p", "q"]
    witness = {
        "scores": [[2, 3], [3, 2], [1, 3], [2, 1], [3, 1]],
        "candidates": list("ABCDE"),
        "judges": judges,
        "judges_before": judges,
        "judges_after": judges,
        "copies_before": [1, 1, 1, 1, 1],
        "copies_after": [1, 3, 1, 1, 1],
        "pair": ["E", "C"],
    }
    assert is_violation(registry.get("ranked_pairs"), "clones", witness)


@pytest.mark.parametrize(
    ("name", "axiom"),
    [
        *(("plurality", axiom) for axiom in ("condorcet", "liia", "clones")),
        *(("median", axiom) for axiom in ("majority", "condorcet", "participation", "clones")),
        *(("relative_difference", axiom) for axiom in ("majority", "participation", "liia")),
        *(("instant_runoff", axiom) for axiom in ("majority", "condorcet", "liia", "clones")),
    ],
)
def test_the_axioms_say_what_their_literal_forms_say(name, axiom):
    """On random tables: a strong violation here is one of ``axiom_checks``, and the reverse."""
    f, law, seen = registry.get(name), laws.AXIOMS[axiom], set()
    for seed in range(60):
        for case in axiom_checks.random_cases(seed, number=3, n=3 + seed % 2):
            asked = Inquiry(case.scores, np.ones((1, case.m)), ranker(f, case.scores))
            worst = [
                law.demands(q, asked.ranks_for(q)).worst.max(initial=0)
                for q in law.questions(asked)
            ]
            literal = axiom_checks.violated(f, case, axiom)
            assert (max(worst, default=0) == STRONG) == literal, case
            seen.add(literal)
    assert seen == ({False} if axiom in f.satisfies else {True, False})
