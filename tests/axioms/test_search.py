"""The search for counter-examples: what it finds is true, small, and always the same."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from counterexamples import is_violation
from deadheat.axioms import axiom as laws
from deadheat.axioms.axiom import Questions
from deadheat.axioms.search import search
from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.ranking import function as registry

QUICK = ("mean", "median", "average_rank", "success_rate", "plurality", "minimax", "trimmed_mean")


@pytest.fixture
def own_registry(monkeypatch):
    """Forget the functions that a test registers."""
    registry.functions()
    monkeypatch.setattr(registry.FUNCTIONS, "_known", dict(registry.FUNCTIONS._known))


def examples(name, **options):
    rows = dh.axioms(name, **options).rows()
    return [row for row in rows if row["counterexample"]]


@pytest.mark.parametrize("axiom", ["majority", "iia", "clones", "participation", "consistency"])
def test_the_check_of_counter_examples_can_say_no(axiom):
    f = registry.get("median" if axiom in {"participation", "consistency"} else "success_rate")
    (row,) = examples(f.name, only=axiom)
    example = row["counterexample"]
    assert is_violation(f, axiom, example)
    level = example | {"scores": np.ones_like(example["scores"]).tolist()}
    assert not is_violation(f, axiom, level)
    other = example | {"pair": example["pair"][::-1]}
    if axiom in {"majority", "participation"}:  # the others speak of an order, not of one of two
        assert not is_violation(f, axiom, other)


@pytest.mark.parametrize("name", QUICK)
def test_no_candidate_and_no_judge_of_an_example_can_be_spared(name):
    """Shrunk: leaving out any one judge or candidate everywhere ends the violation."""
    f = registry.get(name)
    found = examples(name, only=f.violates, seed=1)
    assert len(found) == len(f.violates)
    for row in found:
        example = row["counterexample"]
        for judge in example["judges"]:
            assert not _still(f, row["axiom"], example, judge=judge)
        for candidate in set(example["candidates"]) - set(example["pair"]):
            assert not _still(f, row["axiom"], example, candidate=candidate)


@pytest.mark.parametrize(
    ("name", "axiom"),
    [
        ("instant_runoff", "monotonicity"),
        ("success_rate", "reversal"),
        ("relative_difference_ranks", "reversal"),
        ("minimax", "reversal"),
        ("copeland_hard", "reversal"),
    ],
)
def test_the_axioms_beyond_the_paper_fall_where_they_are_known_to(name, axiom):
    (row,) = examples(name, only=axiom)
    assert is_violation(registry.get(name), axiom, row["counterexample"])


def _still(f, axiom, example, *, judge=None, candidate=None):
    """Whether the pair of the example is a violation also without a judge or a candidate."""
    scores = np.array(example["scores"])
    judges = [name for name in example["judges"] if name != judge]
    rows = [i for i, name in enumerate(example["candidates"]) if name != candidate]
    less = example | {
        "candidates": [example["candidates"][i] for i in rows],
        "judges": judges,
        "scores": scores[np.ix_(rows, [example["judges"].index(name) for name in judges])].tolist(),
    }
    for when in ("before", "after"):
        if example[f"judges_{when}"] is None:
            continue
        less[f"judges_{when}"] = [name for name in example[f"judges_{when}"] if name != judge]
        less[f"copies_{when}"] = [example[f"copies_{when}"][i] for i in rows]
        if not less[f"judges_{when}"]:
            return False
    try:
        return is_violation(f, axiom, less)
    except ValueError:  # what the axiom speaks of is gone
        return False


@pytest.mark.parametrize("name", QUICK)
def test_the_seed_decides_everything(name):
    one, two = (dh.axioms(name, budget=300, seed=3).to_json() for _ in range(2))
    assert one == two
    assert dh.axioms(name, budget=300, seed=4).to_json() != one


def test_the_tables_do_not_depend_on_the_function():
    condorcet = laws.AXIOMS["condorcet"]
    found = [
        search(registry.get(n), condorcet, budget=2_000, seed=0) for n in ("copeland", "schulze")
    ]
    assert found[0].tables == found[1].tables
    assert found[0].searched == found[1].searched >= 2_000


def test_rows_have_the_keys_of_the_contract():
    result = dh.axioms("copeland", only=["majority", "iia"])
    whole = json.loads(result.to_json())
    assert whole["schema"] == "deadheat.axioms/1"
    majority, iia = whole["rows"]
    assert (majority["function"], majority["axiom"], majority["holds"]) == (
        "copeland",
        "majority",
        True,
    )
    assert majority["counterexample"] is None
    assert majority["searched"] >= 5_000
    example = iia["counterexample"]
    assert iia["holds"] is False
    n, m = len(example["candidates"]), len(example["judges"])
    assert np.shape(example["scores"]) == (n, m)
    assert len(example["before"]) == len(example["after"]) == n
    assert None in example["after"] + example["before"]


def test_weak_violations_are_told_and_do_not_count():
    """Plurality may tie two of whom every judge prefers one, and never reverses them."""
    (row,) = dh.axioms("plurality", only="unanimity", budget=500).rows()
    assert row["holds"]
    assert row["weak"] > 0
    assert row["counterexample"] is None
    example = row["weak_example"]
    u, v = (example["candidates"].index(name) for name in example["pair"])
    assert example["before"][u] == example["before"][v]
    assert (np.array(example["scores"][u]) > example["scores"][v]).all()


@pytest.mark.usefixtures("own_registry")
def test_a_function_of_the_user_is_searched_like_any_other():
    @dh.ranks_table("worst_score", scale="interval", shared_scale=True)
    def worst_score(scores):
        """Rank by the worst score."""
        return scores.min(axis=1)

    rows = {row["axiom"]: row for row in dh.axioms(worst_score, budget=300).rows()}
    assert not rows["majority"]["holds"]
    assert not rows["condorcet"]["holds"]
    for axiom in ("iia", "liia", "clones", "unanimity", "monotonicity"):
        assert rows[axiom]["holds"], axiom
        assert rows[axiom]["claimed"] is None
    assert is_violation(worst_score, "majority", rows["majority"]["counterexample"])


BAD = {
    "shape": (lambda scores: scores, "returned float64 of shape"),
    "nan": (lambda scores: np.full(len(scores), np.nan), "of the merits are NaN"),
    "words": (lambda scores: np.array(["good"] * len(scores)), "returned <U4"),
    "raises": (lambda scores: scores[:, 99], "IndexError"),
}


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("kind", BAD)
def test_a_function_that_returns_nonsense_is_named(kind):
    kernel, message = BAD[kind]
    f = dh.ranks_table("nonsense", scale="interval")(kernel)
    with pytest.raises(UsageError, match="nonsense") as caught:
        dh.axioms(f, budget=10)
    assert message in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"only": "iiaa"}, UnknownNameError, "Did you mean 'iia'"),
        ({"by": "copland"}, UnknownNameError, "Did you mean 'copeland'"),
        ({"seed": -1}, UsageError, "seed must be a whole number of at least 0"),
        ({"budget": 0}, UsageError, "budget must be a whole number of at least 1"),
        ({"better": "higher"}, UsageError, "none is given"),
    ],
)
def test_wrong_requests_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        dh.axioms(**options)


def test_the_function_is_reached_whichever_module_was_imported_first():
    import importlib

    importlib.import_module("deadheat.axioms.search")
    assert callable(dh.axioms)
    assert dh.axioms.__name__ == "axioms"


@pytest.mark.parametrize(
    ("ranks", "kept", "applies"),
    [
        ([1, 2, 3], [1, 1, 0], True),
        ([1, 2, 3], [1, 0, 1], False),  # somebody between them goes
        ([1.5, 1.5, 3], [1, 0, 1], False),  # a tie is split
        ([1, 2.5, 2.5], [1, 1, 0], False),
        ([2.5, 2.5, 1], [1, 1, 0], True),
    ],
)
def test_local_independence_speaks_of_intervals_only(ranks, kept, applies):
    scores, judges = np.ones((3, 1)), np.ones((2, 1))
    copies = np.array([[1, 1, 1], kept], dtype=float)
    questions = Questions(scores, judges, copies, np.array([[0, 1]]))
    after = np.where(copies[1] > 0, [3.0, 2.0, 1.0], np.nan)
    demands = laws.AXIOMS["liia"].demands(questions, np.array([[ranks, after]]))
    assert demands.applicable.tolist() == [applies]


def test_the_axioms_of_the_paper_come_first_and_all_are_documented():
    names = list(laws.AXIOMS)
    assert tuple(names[:7]) == laws.FIRST
    assert {"monotonicity", "reversal", "unanimity"} <= set(names[7:])
    for axiom in laws.AXIOMS.values():
        assert axiom.summary.endswith(".")
        assert axiom.formula
        assert axiom.reference
        assert axiom.caveat


def test_the_words_fit_a_terminal():
    result = dh.axioms("copeland", only="majority,iia,clones,unanimity")
    for note in result.grid().notes[:-1]:
        if note.startswith("  "):
            assert len(note) <= 80
    assert "copeland violates" in result.verdict
    several = dh.axioms(["mean", "median"], only="condorcet", budget=100)
    assert "Each of the 2 functions breaks 1 of 1 axiom." in several.verdict


def test_what_becomes_strong_while_it_shrinks_counts_as_strong(own_registry):
    """Three candidates tie, which is weak; of two, the worse is put first, which is not."""

    @dh.ranks_table("odd", scale="interval", shared_scale=True)
    def odd(scores):
        return np.zeros(len(scores)) if len(scores) > 2 else -scores.sum(axis=1)

    for row in dh.axioms(odd, only="unanimity,majority,condorcet", budget=100).rows():
        assert row["holds"] is False
        assert row["strong"] == 1
        assert is_violation(odd, row["axiom"], row["counterexample"])
        assert row["counterexample"]["strong"]


def test_tables_of_two_candidates_are_tried_too(own_registry):
    """Wrong about two and right about more: only a table of two can show it at once."""

    @dh.ranks_table("of_two", scale="interval", shared_scale=True)
    def of_two(scores):
        return scores.sum(axis=1) if len(scores) > 2 else -scores.sum(axis=1)

    (row,) = dh.axioms(of_two, only="unanimity", budget=5_000).rows()
    assert row["holds"] is False
    assert len(row["counterexample"]["candidates"]) == 2


def test_the_budget_that_was_used_is_told():
    assert dh.axioms("mean", only="majority", budget=70).made["budget"] == 70
    found = dh.axioms("mean", only="consistency")
    (row,), budget = found.rows(), found.made["budget"]
    assert row["claimed"] == "satisfies"
    assert budget["satisfies"] <= row["searched"] < budget["unknown"]
