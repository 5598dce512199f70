"""The studentized bootstrap max-T step-down, against loops and under nulls."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.resampling.plans import Bootstrap
from deadheat.statistics import max_t as studentized
from deadheat.statistics import units as units_module
from deadheat.statistics.max_t import FLOOR, TOO_MUCH, cost_in_words, max_t, max_t_fixed
from deadheat.statistics.strict_groups import steps_of
from deadheat.statistics.units import units
from pair_oracle import Given, absolute, max_t_statistics, square, stepped_down
from verdict_oracle import null


@st.composite
def cases(draw):
    """Draw units with weights, clusters, strata, and judge multiplicities that fit them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, u, each = draw(st.integers(2, 4)), draw(st.integers(4, 8)), draw(st.sampled_from([1, 2, 3]))
    q = rng.normal(size=(n, u * each)) + rng.normal(size=u * each)
    if draw(st.booleans()):
        q = (q > 0.3).astype(float) + 0.01 * rng.normal(size=q.shape)
    clusters = np.repeat(np.arange(u), each)
    weights = rng.integers(1, 4, u * each).astype(float) if draw(st.booleans()) else None
    strata = np.repeat(rng.permutation(np.arange(u) % 2), each) if draw(st.booleans()) else None
    of_units = np.zeros(u, dtype=int) if strata is None else strata[::each]
    drawn = np.zeros((20, u))
    for row in drawn:
        for h in set(of_units.tolist()):
            inside = np.flatnonzero(of_units == h)
            np.add.at(row, rng.choice(inside, len(inside)), 1)
    return q, weights, clusters, strata, of_units, np.repeat(drawn, each, axis=1), drawn


@given(case=cases(), floor=st.sampled_from([0.1, 0.5, 1.0]))
def test_it_is_what_loops_over_repeated_units_give(case, floor):
    q, weights, clusters, strata, of_units, judges, drawn = case
    found = units(q, weights=weights, clusters=clusters, strata=strata)
    observed, replicated = max_t_statistics(found.values, found.sizes, of_units, drawn, floor)
    expected = stepped_down(absolute(observed), [absolute(world) for world in replicated])
    tests = max_t(found, Given(judges), alpha=0.2, floor=floor, on="serial")
    np.testing.assert_allclose(tests.p, square(found.n, expected))
    assert tests.replicates == 20
    assert tests.flagged == ()
    for (i, j), t in observed.items():
        assert tests.better[i, j] == (t > 0 and expected[i, j] <= 0.2)
        assert tests.better[j, i] == (t < 0 and expected[i, j] <= 0.2)
        assert tests.differences[i, j] / tests.errors[i, j] == pytest.approx(t)
    largest = sorted(max(absolute(world).values()) for world in replicated)
    assert tests.critical == pytest.approx(largest[20 - 4], rel=1e-4)  # 3 of 20 may reach it


def test_weights_need_not_be_whole_numbers():
    rng = np.random.default_rng(0)
    of_units = units(rng.normal(size=(2, 6)))
    w = np.array([[0.5, 1.5, 1.0, 1.0, 0.5, 1.5]])
    world = studentized.worlds_of(of_units, w)
    pair = (np.array([0]), np.array([1]))
    shift, variance = studentized.statistics(of_units, world, *pair, np.ones(1))
    d = of_units.values[0] - of_units.values[1]
    mean = np.average(d, weights=w[0])
    assert shift[0, 0] == pytest.approx(mean - d.mean(), rel=1e-5)
    assert variance[0, 0] == pytest.approx((w[0] * (d - mean) ** 2).sum() / 30, rel=1e-5)


def tied_table(seed=0, n=6, m=40):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, m)) + np.linspace(0, 1, n)[:, None]


def test_p_values_are_monotone_in_the_statistic():
    tests = max_t(units(tied_table()), Bootstrap(replicates=300), alpha=0.05)
    pairs = np.triu_indices(6, 1)
    statistic = np.abs(tests.differences[pairs] / tests.errors[pairs])
    p = tests.p[pairs][np.argsort(statistic)]
    assert (np.diff(p) <= 0).all()
    assert p[0] > p[-1]


def test_the_single_step_rejects_no_more_than_the_step_down():
    tests = max_t(units(tied_table()), Bootstrap(replicates=999), alpha=0.05)
    beyond = tests.differences > tests.critical * tests.errors
    assert beyond.any()
    assert not (beyond & ~tests.better).any()


def test_a_constant_per_judge_changes_nothing():
    q = tied_table(1)
    plan = Bootstrap(replicates=500)
    plain = max_t(units(q), plan, alpha=0.05)
    shifted = max_t(units(q + 1000 * np.sin(np.arange(40))), plan, alpha=0.05)
    np.testing.assert_array_equal(shifted.p, plain.p)


def test_scores_may_be_tiny_or_huge():
    q, plan = tied_table(2), Bootstrap(replicates=300)
    plain = max_t(units(q), plan, alpha=0.05).p
    for scale in (1e-150, 1e-30, 1e30, 1e150):
        np.testing.assert_array_equal(max_t(units(q * scale), plan, alpha=0.05).p, plain)


def test_near_clones_are_told_apart():
    """Beside a rival that is 1e-9 better on every judge but a little noise."""
    rng = np.random.default_rng(3)
    row = rng.normal(size=30)
    q = np.stack([row, row + 1e-9 * (2 + rng.normal(size=30))])
    far = np.stack([np.zeros(30), (q[1] - q[0]) * 1e9])
    plan = Bootstrap(replicates=999)
    near, plain = max_t(units(q), plan, alpha=0.05), max_t(units(far), plan, alpha=0.05)
    assert near.better[1, 0]
    assert near.p[0, 1] == pytest.approx(plain.p[0, 1], abs=0.002)


def test_clones_have_p_1_and_constant_differences_are_flagged():
    rng = np.random.default_rng(4)
    row = rng.normal(size=25)
    q = np.stack([row, row, row - 0.5, row + rng.normal(size=25)])
    tests = max_t(units(q), Bootstrap(replicates=99), alpha=0.05)
    assert tests.p[0, 1] == 1
    assert not tests.better[[0, 1], [1, 0]].any()
    assert tests.flagged == ((0, 2), (1, 2))
    assert tests.better[0, 2]
    assert tests.better[1, 2]
    assert tests.p[0, 2] == 0.01
    without = max_t(units(q[[0, 3]]), Bootstrap(replicates=99), alpha=0.05)
    assert 0 < without.p[0, 1] <= tests.p[0, 3]


@pytest.mark.parametrize("kind", ["bootstrap", "stratified", "clustered"])
def test_the_engine_and_the_parts_change_nothing(kind, monkeypatch):
    q = tied_table(5)
    strata, clusters = np.arange(40) // 10, np.arange(40) // 2
    design, plan = {
        "bootstrap": ({}, Bootstrap(replicates=2_500)),
        "stratified": ({"strata": strata}, Bootstrap(strata=tuple(strata), replicates=2_500)),
        "clustered": (
            {"clusters": clusters},
            Bootstrap(clusters=tuple(clusters), replicates=2_500),
        ),
    }[kind]
    of_units = units(q, **design)
    seen = []
    serial = max_t(of_units, plan, alpha=0.05, on="serial", progress=lambda *x: seen.append(x))
    threads = max_t(of_units, plan, alpha=0.05, on="threads:2")
    assert np.array_equal(serial.p, threads.p)
    assert serial.critical == threads.critical
    assert seen == [(1, 3), (2, 3), (3, 3)]
    monkeypatch.setattr(units_module, "AT_ONCE", 3_000)
    monkeypatch.setattr(studentized, "WORKING_SET", 3_000)
    monkeypatch.setattr(units_module, "WORKING_SET", 3_000)
    chunked = max_t(of_units, plan, alpha=0.05, on="serial")
    np.testing.assert_allclose(chunked.p, serial.p, atol=0.002)
    assert chunked.critical == pytest.approx(serial.critical, rel=1e-5)


def test_the_floor_keeps_the_power_on_scores_of_two_values():
    """One pair that differs on one judge hides all others: in a third of replicates se* is 0."""
    q = np.zeros((6, 30))
    q[0, :28] = 1
    for i in range(2, 6):
        q[i, (5 * i + np.arange(9)) % 30] = 1
    q[1, :28], q[1, 28:] = 1, [1, 0]
    of_units, plan = units(q), Bootstrap(replicates=999)
    unfloored = max_t(of_units, plan, alpha=0.05, floor=1e-6)
    floored = max_t(of_units, plan, alpha=0.05)
    assert floored.better[0, 2:].all()
    assert not unfloored.better[0, 2:].any()


def test_replicates_in_which_nobody_is_left_count_against_everything():
    weights = np.zeros((19, 4))
    weights[:, 3] = 4
    of_units = units(np.array([[5.0, 6, 7, 0], [1, 1, 1.5, 0]]), weights=np.array([1.0, 1, 1, 0]))
    tests = max_t(of_units, Given(weights), alpha=0.05)
    assert tests.p[0, 1] == 1
    assert tests.critical == np.inf


def test_one_candidate_has_no_pairs():
    tests = max_t(units(np.arange(5.0)[None, :]), Bootstrap(replicates=9), alpha=0.05)
    assert tests.p.tolist() == [[1]]
    assert not tests.better.any()


@given(seed=st.integers(0, 2**32 - 1))
def test_fixed_errors_are_what_loops_give(seed):
    rng = np.random.default_rng(seed)
    merits, observed = rng.normal(size=(25, 4)), 2 * rng.normal(size=4)
    at, worlds, errors = {}, [{} for _ in range(25)], {}
    for i in range(4):
        for j in range(i + 1, 4):
            d = merits[:, i] - merits[:, j]
            se = np.sqrt(((d - d.mean()) ** 2).sum() / 24)
            at[i, j], errors[i, j] = abs(observed[i] - observed[j]) / se, se
            for b in range(25):
                worlds[b][i, j] = abs(d[b] - (observed[i] - observed[j])) / se
    tests = max_t_fixed(observed, merits, alpha=0.1)
    np.testing.assert_allclose(tests.p, square(4, stepped_down(at, worlds)))
    for pair, se in errors.items():
        assert tests.errors[pair] == pytest.approx(se)


def test_fixed_errors_know_clones_and_constant_differences():
    merits = np.random.default_rng(6).random((50, 1)) + np.array([0, 0, 0.25])
    tests = max_t_fixed(np.array([0.5, 0.5, 0.75]), merits, alpha=0.05)
    assert tests.p[0, 1] == 1
    assert tests.flagged == ((0, 2), (1, 2))
    assert tests.better[2, 0]


def test_the_cost_is_said_in_words():
    cost = partial(steps_of, test="max-t")
    assert cost_in_words(cost(2, 10, 100)) == "about 1 second"
    assert cost_in_words(cost(1_000, 100_000, 10_000)).endswith("hours")
    assert "days" in cost_in_words(cost(10_000, 100_000, 10_000))
    assert cost(1_000, 1_000, 10_000) > TOO_MUCH > cost(62, 1_000, 10_000)
    assert cost(1_000, 50_000, 10_000) == pytest.approx(1_000**2 * 50_000 * 10_000, rel=0.01)


def told_apart(kind, n, m, tables, *, replicates=499, **design):
    """Return in which share of tables of equal candidates a strict verdict tells some apart."""
    rng, wrong = np.random.default_rng(m), 0
    for seed in range(tables):
        results = dh.Results(
            scores=null(kind, n, m, rng),
            candidates=[f"c{i}" for i in range(n)],
            better="higher",
            **design,
        )
        given = {"strict": True, "replicates": replicates, "seed": seed, "engine": "serial"}
        wrong += dh.verdict(results, by="mean", **given).strictly.tests.better.any()
    return wrong / tables


def test_equal_candidates_on_few_judges_are_seldom_told_apart():
    """With a floor of .5 they were in .27 of tables (30 candidates) and more."""
    assert told_apart("normal", 30, 10, 40, replicates=199) < 0.06 + 3 * np.sqrt(0.06 * 0.94 / 40)


STRATA, CLUSTERS = (tuple(np.repeat([f"h{h}" for h in range(20)], k)) for k in (2, 3))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "binary", "skew"])
@pytest.mark.parametrize(
    ("n", "m", "design"),
    [
        (5, 20, {}),
        (10, 50, {}),
        (30, 20, {}),
        (10, 40, {"strata": STRATA}),
        (10, 60, {"clusters": CLUSTERS}),
        (10, 20, {"judge_weights": [3.0, 1.0] * 10}),
    ],
)
def test_the_family_wise_error_is_at_most_6_percent(kind, n, m, design):
    """Table C7; 400 tables give a standard error of .012."""
    found = told_apart(kind, n, m, 400, **design)
    assert found <= 0.06 + 3 * np.sqrt(0.06 * 0.94 / 400)


@pytest.mark.slow
@pytest.mark.parametrize("m", [20, 50])
def test_the_median_of_equal_candidates_holds_its_level(m):
    rng, wrong = np.random.default_rng(m), 0
    for seed in range(400):
        scores = null("normal", 10, m, rng)
        results = dh.Results(scores=scores, candidates=list("abcdefghij"), better="higher")
        v = dh.verdict(results, by="median", strict=True, replicates=499, seed=seed)
        wrong += v.strictly.tests.better.any()
    assert wrong / 400 <= 0.06 + 3 * np.sqrt(0.06 * 0.94 / 400)


@pytest.mark.slow
def test_there_is_power_on_30_judges_who_say_0_or_1():
    """Five who solve nearly all and five who solve little: the floor makes all the difference.

    The spec has .764 with the floor and .014 without, in a setting that it does not print; this one
    is easier for the first and as hard for the second.
    """
    rng = np.random.default_rng(1)
    shown = {FLOOR: 0.0, 1e-6: 0.0}
    ability = np.where(np.arange(10) < 5, 2.5, -2.5)[:, None]
    for seed in range(200):
        q = (rng.logistic(size=(10, 30)) < ability + rng.normal(size=30)).astype(float)
        plan = Bootstrap(replicates=499, seed=seed)
        for floor in shown:
            tests = max_t(units(q), plan, alpha=0.05, floor=floor, on="serial")
            shown[floor] += tests.better[:5, 5:].mean() / 200
    assert shown[FLOOR] > 0.764
    assert shown[1e-6] < 0.1


@pytest.mark.slow
def test_seeds_of_one_instance_are_no_new_instances():
    """F6: 30 instances x 5 seeds, ICC .9: runs one by one cover .62, instances .93."""
    rng = np.random.default_rng(2)
    clusters = np.repeat(np.arange(30), 5)
    wrong = {"runs": 0, "instances": 0}
    for seed in range(400):
        effect = np.sqrt(0.9) * rng.normal(size=(2, 30))[:, clusters]
        q = effect + np.sqrt(0.1) * rng.normal(size=(2, 150))
        runs = max_t(units(q), Bootstrap(replicates=199, seed=seed), alpha=0.05, on="serial")
        plan = Bootstrap(clusters=tuple(clusters), replicates=199, seed=seed)
        whole = max_t(units(q, clusters=clusters), plan, alpha=0.05, on="serial")
        wrong["runs"] += runs.better.any()
        wrong["instances"] += whole.better.any()
    assert 0.30 < wrong["runs"] / 400 < 0.45
    assert 0.02 < wrong["instances"] / 400 < 0.09
