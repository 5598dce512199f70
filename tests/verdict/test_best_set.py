"""The confidence set for the best, against loops, and never against the groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.resampling.plans import Bootstrap
from deadheat.statistics import units as units_module
from deadheat.statistics.max_t import max_t
from deadheat.statistics.units import units
from pair_oracle import Given, best_p, max_t_statistics
from verdict_oracle import graded, null, table


@given(seed=st.integers(0, 2**32 - 1), strata=st.booleans(), floor=st.sampled_from([0.25, 0.5]))
def test_the_p_values_are_what_loops_over_repeated_units_give(seed, strata, floor):
    rng = np.random.default_rng(seed)
    q, w = rng.normal(size=(4, 6)), rng.integers(1, 4, 6).astype(float)
    labels = np.array([0, 0, 0, 1, 1, 1]) * strata
    half = rng.multinomial(3, [1 / 3] * 3, size=(30, 2)).reshape(30, 6).astype(float)
    found = units(q, weights=w, strata=labels if strata else None)
    statistics = max_t_statistics(found.values, found.sizes, labels, half, floor)
    tests = max_t(found, Given(half), alpha=0.1, floor=floor, on="serial")
    assert tests.best_p == pytest.approx(best_p(*statistics, 4))


def test_the_engine_and_the_parts_change_nothing(monkeypatch):
    def best(on):
        return max_t(units(graded_rows()), Bootstrap(replicates=2_500), alpha=0.05, on=on).best_p

    serial = best("serial")
    assert np.array_equal(serial, best("threads:2"))
    monkeypatch.setattr(units_module, "AT_ONCE", 2_000)
    monkeypatch.setattr(units_module, "WORKING_SET", 2_000)
    np.testing.assert_allclose(best("serial"), serial, atol=0.002)


def graded_rows(seed=0, n=6, m=60):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, m)) - np.linspace(0, 1.5, n)[:, None]


def test_clones_of_the_best_may_be_best_and_a_constant_lag_may_not():
    row = np.random.default_rng(2).normal(size=20)
    of_units = units(np.stack([row, row, row - 0.5]))
    p = max_t(of_units, Bootstrap(replicates=999), alpha=0.05).best_p
    assert p.tolist() == [1, 1, 1 / 1_000]


def test_replicates_in_which_nobody_is_left_count_against_everything():
    weights = np.zeros((19, 4))
    weights[:, 3] = 4
    of_units = units(np.array([[5.0, 6, 7, 0], [1, 1, 1.5, 0]]), weights=np.array([1.0, 1, 1, 0]))
    assert (max_t(of_units, Given(weights), alpha=0.05).best_p == 1).all()


def brute_force(v, scores, floor=0.25):
    """Return who may be the best: judge by judge, from the resamples that the plan draws."""
    n, m = scores.shape
    times = v.evidence.plan.draw(0, n, m).judges
    assert len(times) == len(v.merits)
    pairs = max_t_statistics(scores, np.ones(m), [0] * m, times, floor)
    kept = {v.candidates[i] for i, p in enumerate(best_p(*pairs, n)) if p > v.alpha}
    return kept | {*v.groups[0]}


@pytest.mark.parametrize("seed", range(3))
def test_a_verdict_holds_whom_the_loops_leave_in_and_the_first_group(seed):
    scores = graded(seed, (1.0, 0.7, 0.3, 0), 12)
    v = dh.verdict(table(scores), by="mean", replicates=99, seed=seed)
    assert {*v.best} == brute_force(v, scores)
    assert v.facts()["best"] == list(v.best)
    assert {row["candidate"] for row in v.rows() if row["may_be_best"]} == {*v.best}


def drawn(kind, seed):
    """Return a table with strata, clusters or weights, of a few candidates that differ a little."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(3, 9)), 24
    scores = rng.normal(size=(n, m)) + rng.uniform(0, 1.5) * np.linspace(1, 0, n)[:, None]
    more = {
        "plain": {},
        "strata": {"strata": np.repeat([f"s{h}" for h in range(6)], 4)},
        "pairs": {"strata": np.repeat([f"s{h}" for h in range(12)], 2)},
        "clusters": {"clusters": np.repeat([f"c{h}" for h in range(12)], 2)},
        "weights": {"judge_weights": rng.integers(1, 5, m).astype(float)},
    }[kind]
    names = [f"c{i}" for i in range(n)]
    return dh.Results(scores=scores, candidates=names, better="higher", **more)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("kind", ["plain", "strata", "pairs", "clusters", "weights"])
def test_the_set_contradicts_neither_the_groups_nor_the_tests(kind, strict):
    for seed in range(12):
        v = dh.verdict(drawn(kind, seed), by="mean", strict=strict, replicates=199, seed=seed)
        better = v.all_pairs.tests.better if strict else np.zeros((len(v.candidates),) * 2, bool)
        worse = {v.candidates[j] for j in np.flatnonzero(better.any(axis=0))}
        assert {*v.groups[0]} - worse <= {*v.best}
        assert not worse & {*v.best}
        assert {*v.winners} <= {*v.best}
        assert [each.may_be_best for each in v.standings] == [
            each.candidate in v.best for each in v.standings
        ]


@pytest.mark.parametrize("test", ["sign-flip", "t-holm"])
def test_other_tests_of_all_pairs_have_the_set_from_the_same_bootstrap(test):
    scores = table(graded(3, (1.0, 0.7, 0.3, 0), 30))
    usual = dh.verdict(scores, by="mean", replicates=299)
    assert dh.verdict(scores, by="mean", test=test, replicates=299).best == usual.best


@pytest.mark.parametrize(
    ("options", "m"),
    [
        ({}, 9),
        ({"strict": True}, 9),
        ({"by": "median"}, 30),
        ({"by": "copeland", "strict": True}, 30),
        ({"strict": True, "test": "nemenyi"}, 30),
    ],
)
def test_there_is_no_set_where_none_is_known_to_hold(options, m):
    v = dh.verdict(table(graded(0, (1, 0, 0), m)), **{"by": "mean", "replicates": 99, **options})
    assert v.best is None
    assert v.facts()["best"] is None
    assert {row["may_be_best"] for row in v.rows()} == {None}
    assert "may be the best" not in f"{v.verdict}{v.grid().notes}"


@pytest.mark.parametrize(("means", "best"), [((9, 0, 0), {"a"}), ((9, 8.9, 0), {"a", "b"})])
@pytest.mark.parametrize("strict", [False, True])
def test_a_set_that_is_the_first_group_is_not_mentioned(means, best, strict):
    v = dh.verdict(table(graded(0, means, 30)), by="mean", replicates=199, strict=strict)
    assert {*v.best} == best == {*v.groups[0]}
    assert "may be the best" not in f"{v.verdict}{v.grid().notes}"


def test_another_set_than_the_first_group_is_named_or_counted():
    rng, seen = np.random.default_rng(0), set()
    for seed in range(40):
        scores = (
            rng.normal(size=(12, 40)) - np.r_[np.zeros(5), np.full(3, 0.5), np.full(4, 3)][:, None]
        )
        results = dh.Results(scores=scores, candidates=list("abcdefghijkl"), better="higher")
        v = dh.verdict(results, by="mean", replicates=499, seed=seed)
        said = [line for line in v.grid().notes if "may be the best (95 %)" in line]
        assert "may be the best" not in v.verdict  # the headline says who is level with first
        differs = {*v.best} != {*v.groups[0]}
        assert len(said) == differs
        who = f"{len(v.best)} candidates" if len(v.best) > 4 else " and ".join(v.best[-2:])
        assert all(f"how the leader was chosen, {who} may" in line or who in line for line in said)
        seen.add(differs)
    assert seen == {False, True}


def test_nothing_is_said_where_all_are_in_a_dead_heat():
    v = dh.verdict(table(np.random.default_rng(5).normal(size=(3, 20))), by="mean", replicates=99)
    assert v.groups == (v.groups[0],)
    assert set(v.best) == {"a", "b", "c"}
    assert "may be the best" not in f"{v.verdict}{v.grid().notes}"


def left_out(kind, n, m, tables, replicates):
    """Return how often a given one of equal candidates is left out of the set."""
    rng, out = np.random.default_rng(m), 0.0
    for seed in range(tables):
        v = dh.verdict(
            table(null(kind, n, m, rng)),
            by="mean",
            replicates=replicates,
            seed=seed,
            engine="serial",
        )
        out += 1 - len(v.best) / n
    return out / tables


def test_a_given_best_is_seldom_left_out():
    """At most 7 %, and three standard errors: members of one table go together."""
    assert left_out("normal", 5, 20, 100, 199) < 0.07 + 3 * np.sqrt(0.05 * 0.95 / 100)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "binary", "skew"])
@pytest.mark.parametrize("m", [20, 50])
def test_a_given_best_is_held_in_at_least_93_percent(kind, m):
    assert left_out(kind, 5, m, 600, 399) < 0.07 + 3 * np.sqrt(0.05 * 0.95 / 600)
