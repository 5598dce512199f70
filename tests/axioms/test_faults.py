"""Functions of users that fail, return nonsense or contradict themselves are told how."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from deadheat.axioms import search as asking
from deadheat.core.errors import OwnFunctionError, UsageError
from deadheat.ranking import function as registry

TABLE = dh.Results(scores=np.random.default_rng(0).random((4, 9)), better="higher")


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    registry.functions()
    monkeypatch.setattr(registry.FUNCTIONS, "_known", dict(registry.FUNCTIONS._known))


def own(kernel, name="own", **claims):
    return dh.ranks_table(name, scale="interval", shared_scale=True, **claims)(kernel)


def told(f, **options):
    with pytest.raises(UsageError) as caught:
        dh.axioms(f, **options)
    return caught.value


@pytest.mark.parametrize("seed", range(3))
def test_a_function_that_is_random_is_told_to_be(seed):
    rng = np.random.default_rng(seed)
    f = own(lambda scores: rng.random(len(scores)))
    for options in ({"seed": seed}, {"table": TABLE}):
        error = told(f, **options)
        assert error.fact.startswith("own gave two answers to the same table")
        assert "seed" in error.hint


def test_a_function_that_is_random_now_and_then_does_not_crash():
    """It breaks ties by chance, rarely enough to escape where tables are asked twice."""
    rng = np.random.default_rng(0)

    def rarely(scores):
        noise = rng.random(len(scores)) if rng.random() < 0.02 else 0
        return scores.mean(axis=1) + noise

    assert "gave two answers to the same table" in told(own(rarely), budget=3_000).fact


@pytest.mark.parametrize("axiom", ["iia", "liia", "clones", "participation"])
def test_an_example_that_vanishes_while_it_is_shrunk_is_told(axiom, monkeypatch):
    monkeypatch.setattr(asking, "ASKED_TWICE", 0)
    rng = np.random.default_rng(0)
    f = own(lambda scores: rng.random(len(scores)))
    facts = set()
    for seed in range(20):
        try:
            dh.axioms(f, only=axiom, budget=50, seed=seed)
        except UsageError as error:
            facts.add(error.fact.partition(" on the scores")[0])
    assert facts == {"own gave two answers to the same table"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda f: dh.rank(TABLE, by=f),
        lambda f: dh.criteria(TABLE, by=[f, "mean"], trials=2),
        lambda f: dh.agreement(TABLE, by=f),
        lambda f: dh.axioms(f, table=TABLE),
        lambda f: dh.verdict(TABLE, by=f, replicates=999),
    ],
    ids=["rank", "criteria", "agreement", "axioms", "verdict"],
)
@pytest.mark.parametrize("form", ["table", "scores", "duels"])
def test_what_a_function_raises_on_a_table_is_told_with_file_and_line(ask, form):
    def failing(*_):
        raise ArithmeticError("never")

    made = {
        "table": lambda: own(failing),
        "scores": lambda: dh.ranks_scores("own", scale="interval")(failing),
        "duels": lambda: dh.ranks_duels("own")(failing),
    }
    with pytest.raises(OwnFunctionError, match="ranking function own failed") as caught:
        ask(made[form]())
    line = failing.__code__.co_firstlineno + 1
    assert f"test_faults.py, line {line}: " in caught.value.fact
    assert "ArithmeticError: never" in caught.value.fact
    assert isinstance(caught.value.__cause__, ArithmeticError)


def test_what_a_function_raises_is_told_with_file_line_and_table():
    def failing(scores):
        if scores.shape[1] == 2:
            raise ArithmeticError("no twos")
        return scores.mean(axis=1)

    line = failing.__code__.co_firstlineno + 2
    fact = told(own(failing), budget=100).fact
    place = Path(__file__)
    place = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    assert fact.startswith(f"{place}, line {line}: ranking function own failed on the scores [[")
    assert fact.endswith("]]: ArithmeticError: no twos.")
    scores = np.array(eval(fact.partition("scores ")[2].partition(": Arith")[0]))
    assert scores.shape[1] == 2


def test_an_error_outside_of_a_function_of_ones_own_has_no_place():
    fact = told(own(partial(np.take, indices=99, axis=0)), budget=100).fact
    assert fact.startswith("ranking function own failed on the scores [[")
    assert "IndexError" in fact


@pytest.mark.parametrize(
    ("kernel", "shape"),
    [
        (lambda scores: scores.mean(axis=0), lambda n, m: f"({m},)"),
        (lambda scores: scores, lambda n, m: f"({n}, {m})"),
        (lambda scores: 3.0, lambda n, m: "()"),
    ],
)
def test_a_wrong_shape_is_told_as_the_author_of_a_table_function_sees_it(kernel, shape):
    error = told(own(kernel), table=TABLE)
    assert f"returned float64 of shape {shape(4, 9)} for 4 candidates and 9 judges" in error.fact
    assert "shape (4,)" in error.hint
    searched = told(own(kernel), budget=50)
    scores = np.array(eval(searched.fact.partition("scores ")[2].rstrip(".")))
    assert f"of shape {shape(*scores.shape)} for {len(scores)} candidates" in searched.fact
    assert f"shape ({len(scores)},)" in searched.hint


def test_a_world_is_told_as_the_table_that_the_function_sees():
    scores = np.arange(6.0).reshape(3, 2)
    seen = registry.table_of(scores, np.array([2.0, 0]), np.array([1.0, 0, 2]))
    assert seen.tolist() == [[0, 0], [4, 4], [4, 4]]


def test_a_claim_that_is_refuted_is_called_one():
    f = own(lambda scores: scores.mean(axis=1), satisfies={"condorcet", "iia"})
    result = dh.axioms(f, only="condorcet,iia,majority")
    finding = {row[0]: row[1] for row in result.grid().cells}
    assert finding["condorcet"].startswith("claimed, but violated by ")
    assert finding["majority"].startswith("violated by ")
    assert result.verdict.startswith(
        "own claims condorcet, but violates it. own violates majority."
    )
    row = next(row for row in result.rows() if row["axiom"] == "condorcet")
    bad = dh.Results(scores=row["counterexample"]["scores"], better="higher")
    audit = dh.axioms(f, table=bad)
    assert "own claims condorcet, but violates it here." in audit.verdict
    claims = {row["axiom"]: row["claimed"] for row in audit.rows()}
    assert (claims["condorcet"], claims["majority"]) == ("satisfies", None)
