"""Criteria over trials, against tables that are copied and correlated one by one."""

from __future__ import annotations

import numpy as np
import pytest
from criteria_oracle import World
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.criteria.criterion import CRITERIA
from deadheat.criteria.trials import Task, trials_of
from deadheat.ranking.function import get

NAMES = (
    *("mean", "median", "average_rank", "success_rate", "relative_difference"),
    *("relative_difference_ranks", "copeland", "minimax"),
)


def world(seed, n, m, *, weighted=False, tied=True, trials=4):
    """Return a task and weights of trials: judges and candidates there up to three times."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(1, 4 if tied else 10_000, (n, m)) / 3
    if seed % 5 == 0:
        scores[:, 0] = 1.0  # a judge who ties everybody
    weights = rng.integers(1, 3, m) if weighted else None
    table = dh.Results(scores=scores, better="higher", judge_weights=weights)
    judges, candidates = rng.integers(0, 3, (trials, m)), rng.integers(0, 4, (trials, n))
    judges[:, 0] = np.maximum(judges[:, 0], judges.sum(axis=1) == 0)
    candidates[:, -1] = np.maximum(candidates[:, -1], candidates.sum(axis=1) == 0)
    return table, judges.astype(np.float32), candidates.astype(np.float32)


def measured(table, judges, candidates, name, **options):
    fs = tuple(get(f) for f in NAMES)
    task = Task(results=table, functions=fs, seed=0, **options)
    return CRITERIA[name].measure(trials_of(task, judges, candidates, (0, 0)))


def worlds(table, judges, candidates, name):
    weights = table.weights.astype(int)
    rows = zip(judges, candidates, strict=True)
    return [World(table.scores, w, c, name, weights=weights) for w, c in rows]


def assert_as_by_loops(table, judges, candidates, name, of_world, **options):
    found = measured(table, judges, candidates, name, **options).values
    assert found.shape == (len(NAMES) + 1, len(judges))
    for f, row in zip(NAMES, found, strict=False):
        expected = [of_world(w) for w in worlds(table, judges, candidates, f)]
        np.testing.assert_allclose(row, expected, atol=1e-9, err_msg=f)


shapes = {"seed": st.integers(0, 10**6), "n": st.integers(1, 6), "m": st.integers(1, 7)}
flags = {"weighted": st.booleans(), "tied": st.booleans(), "notebook": st.booleans()}


def as_notebook(notebook):
    return {"notebook": notebook}


@settings(max_examples=10)
@given(**shapes, **flags)
def test_winner_rank(seed, n, m, weighted, tied, notebook):
    drawn = world(seed, n, m, weighted=weighted, tied=tied)
    assert_as_by_loops(
        *drawn, "winner_rank", lambda w: w.winner_rank(first=notebook), **as_notebook(notebook)
    )


@settings(max_examples=10)
@given(**shapes, **flags)
def test_condorcet_rate(seed, n, m, weighted, tied, notebook):
    drawn = world(seed, n, m, weighted=weighted, tied=tied)
    assert_as_by_loops(
        *drawn,
        "condorcet_rate",
        lambda w: w.rate(w.condorcet_winner(clones=notebook), first=notebook),
        **as_notebook(notebook),
    )


@settings(max_examples=10)
@given(**shapes, **flags)
def test_majority_rate(seed, n, m, weighted, tied, notebook):
    drawn = world(seed, n, m, weighted=weighted, tied=tied)
    assert_as_by_loops(
        *drawn,
        "majority_rate",
        lambda w: w.rate(w.majority_winner(clones=notebook), first=notebook),
        **as_notebook(notebook),
    )


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
@settings(max_examples=10)
@given(**shapes, **flags)
def test_generalization(kind, seed, n, m, weighted, tied, notebook):
    drawn = world(seed, n, m, weighted=weighted, tied=tied)
    assert_as_by_loops(
        *drawn,
        "generalization",
        lambda w: w.generalization(kind, clones=notebook),
        correlation=kind,
        **as_notebook(notebook),
    )


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_large_fields_go_through_the_same_numbers(kind):
    """Beyond 322 candidates whole numbers need float64; chunks of judges and of trials meet."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(340, 5)) + rng.normal(size=(340, 1))
    table = dh.Results(scores=scores.round(1), better="higher")
    judges = np.array([[2, 1, 2, 0, 0], [1, 0, 1, 1, 2]], dtype=np.float32)
    candidates = rng.poisson(1, (2, 340)).astype(np.float32)
    found = measured(table, judges, candidates, "generalization", correlation=kind).values
    for name in ("mean", "average_rank"):
        row = [w.generalization(kind) for w in worlds(table, judges, candidates, name)]
        np.testing.assert_allclose(found[NAMES.index(name)], row, atol=1e-9)


def test_what_is_skipped_is_counted():
    scores = np.array([[1.0, 1.0, 5.0], [2.0, 1.0, 4.0], [3.0, 1.0, 3.0]])
    table = dh.Results(scores=scores, better="higher")
    judges = np.array([[1, 1, 1], [2, 0, 1], [3, 0, 0], [1, 0, 2]], dtype=np.float32)
    candidates = np.array([[1, 1, 1], [1, 1, 1], [1, 1, 1], [3, 0, 0]], dtype=np.float32)
    found = measured(table, judges, candidates, "generalization")
    assert {reason: each.tolist() for reason, each in found.counts.items()} == {
        "no judge out of the bag": [1, 0, 0, 0],
        "fewer than two candidates": [0, 0, 0, 1],
        "judges out of the bag": [0, 1, 2, 0],
        "constant judges": [0, 1, 1, 0],
    }
    mean = found.values[NAMES.index("mean")]
    assert np.isnan(mean).tolist() == [True, True, False, True]
    assert mean[2] == pytest.approx(-1)  # trained on the first judge, asked the third


def test_the_dictator_is_a_judge_that_was_drawn():
    rng = np.random.default_rng(0)
    table = dh.Results(scores=rng.random((4, 5)), better="higher")
    judges = np.tile(np.array([[0, 3, 1, 0, 0]], dtype=np.float32), (4_000, 1))
    candidates = np.ones((4_000, 4), dtype=np.float32)
    task = Task(results=table, functions=(), seed=1)
    groups, _ = task.ranks_and_merits(judges, candidates, (0, 0))
    assert len(groups) == 1
    places = np.argsort(np.argsort(-table.scores, axis=0), axis=0).T + 1
    second = (groups[0] == places[1]).all(axis=1)
    third = (groups[0] == places[2]).all(axis=1)
    assert (second | third).all()
    assert second.mean() == pytest.approx(0.75, abs=0.03)


def test_the_dictators_favourite_is_the_best_who_is_there():
    table = dh.Results(scores=[[3.0], [2.0], [2.0], [1.0]], better="higher")
    task = Task(results=table, functions=(), seed=1)
    absent = np.array([[0, 1, 2, 1]], dtype=np.float32)
    groups, _ = task.ranks_and_merits(np.ones((1, 1), dtype=np.float32), absent, (0, 0))
    first = groups[0, 0] == 1
    assert first.tolist() == [False, True, True, False]
    assert groups[0, 0, 0] == 0
    assert groups[0, 0, 3] > 1
