"""The functions of rules that look at other candidates: loops, laws, and the way to a worker."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.data.reading.read import read
from deadheat.ranking.of_runs import function_of_rule
from deadheat.ranking.on_tables import function_for, functions_for, merits_of
from deadheat.resampling.plans import Bayesian, Bootstrap, blocks
from deadheat.resampling.replicate import replicate

RULES = ("ipc-sat", "ipc-agile")


@st.composite
def fields(draw):
    """Draw runs of 3 candidates on 4 instances of 2 seeds in 2 strata, and weights."""
    rows = [
        (i, j, seed, draw(st.booleans()), draw(st.sampled_from([1, 2, 3, 5, 40])))
        for i in range(3)
        for j in range(4)
        for seed in range(2)
    ]
    runs = dh.Runs(
        candidate=[f"c{i}" for i, *_ in rows],
        instance=[f"i{j}" for _, j, *_ in rows],
        seed=[seed for _, _, seed, *_ in rows],
        stratum=[f"d{j % 2}" for _, j, *_ in rows],
        status=["ok" if solved else "timeout" for *_, solved, _ in rows],
        time=[value for *_, value in rows],
        quality=[value for *_, value in rows],
    )
    judges = draw(st.lists(st.integers(0, 3), min_size=8, max_size=8).filter(any))
    candidates = draw(st.lists(st.integers(0, 2), min_size=3, max_size=3).filter(any))
    return rows, runs, np.array(judges, float), np.array(candidates, float)


def literal(rule, rows, judges, candidates):
    """Return the mean score of each candidate when only the runs of the replicate set the best."""
    present = [row for row in rows if candidates[row[0]] and judges[2 * row[1] + row[2]]]
    merits = []
    for i in range(3):
        total = 0.0
        for k, j, seed, solved, value in rows:
            if k != i or not solved or not judges[2 * j + seed]:
                continue
            best = min(r[4] for r in present if r[1] == j and r[3]) if candidates[i] else math.nan
            score = best / value if rule == "ipc-sat" else 1 / (1 + math.log10(value / best))
            total += judges[2 * j + seed] * score
        merits.append(total / judges.sum() if candidates[i] else math.nan)
    return merits


@pytest.mark.parametrize("rule", RULES)
@given(field=fields())
def test_the_best_is_looked_for_among_whoever_is_there(rule, field):
    rows, runs, judges, candidates = field
    results = read(runs, rule=rule, reference="replicate")
    f = function_for(results)
    merits = merits_of(results, [f], judges[None], candidates[None])[f.name]
    np.testing.assert_allclose(merits[0], literal(rule, rows, judges, candidates), atol=1e-12)


@pytest.mark.parametrize("rule", RULES)
@given(field=fields())
def test_a_replicate_is_what_copies_of_the_drawn_runs_give(rule, field):
    """Each drawn run is copied as often as it was drawn, and the copies are scored afresh."""
    rows, runs, judges, candidates = field
    copies = [
        (f"c{i}", f"i{j}", f"{seed}.{copy}", "ok" if solved else "timeout", value)
        for i, j, seed, solved, value in rows
        for copy in range(int(judges[2 * j + seed]))
        if candidates[i]
    ]
    names = ("candidate", "instance", "seed", "status", "time")
    drawn = dict(zip(names, zip(*copies, strict=True), strict=True))
    afresh = read(dh.Runs(**drawn, quality=drawn["time"]), rule=rule)
    results = read(runs, rule=rule, reference="replicate")
    f = function_for(results)
    merits = merits_of(results, [f], judges[None], candidates[None])[f.name][0]
    found = dict(zip(results.candidates, merits, strict=True))
    for name, scores in zip(afresh.candidates, afresh.scores, strict=True):
        assert found[name] == pytest.approx(scores.mean(), abs=1e-12)


def test_seeds_that_are_drawn_apart_change_the_best():
    """Only the slow seed of i is drawn: b, who was never fast there, now sets the best."""
    runs = dh.Runs(
        candidate=["a", "a", "b", "b"],
        instance=["i"] * 4,
        seed=[1, 2, 1, 2],
        quality=[5, 40, 20, 10],
    )
    fixed, again = read(runs, rule="ipc-sat"), read(runs, rule="ipc-sat", reference="replicate")
    weights = np.array([[0.0, 2]])
    f = function_for(again)
    np.testing.assert_allclose(
        merits_of(fixed, [function_for(fixed)], weights)["mean"], [[1 / 8, 1 / 2]]
    )
    np.testing.assert_allclose(merits_of(again, [f], weights)[f.name], [[1 / 4, 1]])


@given(field=fields())
def test_a_cluster_of_ones_own_does_not_hide_the_instance(field):
    rows, runs, judges, candidates = field
    plain = read(runs, rule="ipc-sat", reference="replicate")
    clustered = dh.Runs(
        candidate=[f"c{i}" for i, *_ in rows],
        instance=[f"i{j}" for _, j, *_ in rows],
        seed=[seed for _, _, seed, *_ in rows],
        cluster=["all"] * len(rows),
        status=["ok" if solved else "timeout" for *_, solved, _ in rows],
        quality=[value for *_, value in rows],
    )
    other = read(clustered, rule="ipc-sat", reference="replicate")
    assert set(other.clusters) == {"all"}
    f, g = function_for(plain), function_for(other)
    np.testing.assert_array_equal(
        merits_of(plain, [f], judges[None], candidates[None])[f.name],
        merits_of(other, [g], judges[None], candidates[None])[g.name],
    )


@pytest.mark.parametrize("rule", RULES)
@given(field=fields())
def test_instances_drawn_whole_by_everybody_have_the_fixed_reference(rule, field):
    _, runs, judges, _ = field
    judges = np.repeat(judges[:4] + np.array([1, 0, 0, 0]), 2)  # both seeds of an instance
    fixed, again = read(runs, rule=rule), read(runs, rule=rule, reference="replicate")
    np.testing.assert_array_equal(fixed.scores, again.scores)
    mean, bound = function_for(fixed), function_for(again)
    assert (mean.name, bound.name) == ("mean", rule.replace("-", "_"))
    np.testing.assert_allclose(
        merits_of(again, [bound], judges[None])[bound.name],
        merits_of(fixed, [mean], judges[None])["mean"],
        atol=1e-12,
    )


def times_drawn(weights):
    """Return how often a category was drawn: whole, or on average in whole times, at least once."""
    if len(set(weights)) == 1:
        return weights[0]
    return max(1, round(sum(weights) / len(weights)))


def won(rows, judges, candidates):
    """Return the share of categories won, category by category, copy by copy."""
    copies = [i for i in range(3) for _ in range(int(candidates[i]))]
    shares, contests = [0.0, 0.0, 0.0], 0
    for category in range(2):
        its = [row for row in rows if row[1] % 2 == category]
        times = times_drawn([judges[2 * j + seed] for i, j, seed, *_ in its if i == 0])
        contests += times
        totals = {
            i: sum(judges[2 * j + seed] for k, j, seed, solved, _ in its if k == i and solved)
            for i in copies
        }
        first = [i for i in copies if totals[i] == max(totals.values())]
        if len(first) == len(copies) > 1:
            continue
        for i in set(first):
            shares[i] += times / len(first)
    return [shares[i] / contests if candidates[i] else math.nan for i in range(3)]


@given(field=fields())
def test_categories_are_won_as_a_loop_counts_them(field):
    rows, runs, judges, candidates = field
    results = read(runs, rule="categories-won")
    f = function_for(results)
    merits = merits_of(results, [f], judges[None], candidates[None])[f.name]
    np.testing.assert_allclose(merits[0], won(rows, judges, candidates), atol=1e-12)


ILSVRC = {
    "candidate": ["a", "b", "c"] * 3,
    "instance": ["cat"] * 3 + ["dog"] * 3 + ["owl"] * 3,
    "quality": [0.9, 0.8, 0.1, 0.7, 0.2, 0.7, 0.3, 0.6, 0.1],
}


def test_categories_won_by_another_rule_without_strata():
    """Each instance is a category; a shares dog with c."""
    ranking = dh.rank(dh.Runs(**ILSVRC), rule="categories-won-accuracy")
    assert {row["candidate"]: row["shown"] for row in ranking.rows()} == pytest.approx(
        {"a": 1.5, "b": 1, "c": 0.5}
    )
    assert ranking.grid().columns[2].name == "categories won"
    with pytest.raises(UsageError, match="counts itself"):
        dh.rank(dh.Runs(**ILSVRC), rule="categories-won-categories-won")


def counted(results, plan):
    """Return the categories that each candidate wins in each replicate, drawn label by label."""
    labels = results.strata or results.instances or results.judges
    weights = np.concatenate(
        [plan.draw(k, results.n, results.m).judges for k in blocks(plan, results.n, results.m)]
    )
    merits = []
    for row in weights:
        drawn = {label: w for label, w in zip(labels, row.tolist(), strict=True) if w}
        shares = np.zeros(results.n)
        for label, times in drawn.items():
            its = [j for j, other in enumerate(labels) if other == label]
            totals = results.scores[:, its].sum(axis=1)
            first = totals == totals.max()
            if not first.all():
                shares += times * first / first.sum()
        merits.append(shares / sum(drawn.values()))
    return np.array(merits)


@pytest.mark.parametrize("plan", [Bootstrap, Bayesian])
def test_an_instance_that_is_a_category_counts_as_often_as_it_is_drawn(plan):
    results = read(dh.Runs(**ILSVRC), rule="categories-won-accuracy")
    drawing = plan(replicates=50, seed=1)
    merits, _ = replicate(results, function_for(results), drawing, on="serial")
    np.testing.assert_allclose(merits, counted(results, drawing))


FAMILIES = {
    "candidate": ["a", "b"] * 6,
    "instance": [f"i{j}" for j in range(6) for _ in "ab"],
    "stratum": [family for family in "ppqqrr" for _ in "ab"],
    "status": ["ok", "TO", "ok", "TO", "TO", "ok", "TO", "ok", "ok", "ok", "TO", "ok"],
}


def test_a_family_that_is_drawn_whole_counts_as_often_as_it_is_drawn():
    """The merits are those of a resampled competition: 2 x p and 1 x q is 2 : 1 for a."""
    results = read(dh.Runs(**FAMILIES), rule="categories-won")
    f = function_for(results)
    drawn = np.array([[2.0, 2, 1, 1, 0, 0], [1, 1, 0, 0, 2, 2], [0.5, 0.5, 1.5, 1.5, 1, 1]])
    expected = [[2 / 3, 1 / 3], [1 / 3, 2 / 3], [0.5 / 3, 2.5 / 3]]
    np.testing.assert_allclose(merits_of(results, [f], drawn)[f.name], expected)
    plan = Bootstrap(clusters=results.strata, replicates=50, seed=1)
    merits, _ = replicate(results, f, plan, on="serial")
    np.testing.assert_allclose(merits, counted(results, plan))


def test_a_family_of_which_some_instances_are_drawn_counts_once():
    """Nor does one weigh less of which an instance is left out: every family is one category."""
    results = read(dh.Runs(**FAMILIES), rule="categories-won")
    f = function_for(results)
    drawn = np.array([[2.0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 2, 0], [1, 1, 1, 0, 0, 0]])
    expected = [[1 / 3, 2 / 3], [1 / 3, 1 / 3], [1 / 2, 1 / 2]]
    np.testing.assert_allclose(merits_of(results, [f], drawn)[f.name], expected)


def test_two_levels_count_a_family_as_often_as_it_is_drawn():
    """p is drawn twice and q once: a wins p however the four draws inside fall."""
    results = read(dh.Runs(**FAMILIES), rule="categories-won")
    f = function_for(results)
    drawn = np.array([[3.0, 1, 0, 2, 0, 0]])
    np.testing.assert_allclose(merits_of(results, [f], drawn)[f.name], [[2 / 3, 1 / 3]])


def test_the_weight_of_an_instance_counts_inside_its_category_alone():
    """b wins p by the weight of i1; p counts as q does."""
    weighed = FAMILIES | {"weight": [w for w in (1, 10, 1, 3, 1, 1) for _ in "ab"]}
    weighed["status"] = ["ok", "TO", "TO", "ok", "ok", "TO", "ok", "TO", "ok", "ok", "ok", "ok"]
    results = read(dh.Runs(**weighed), rule="categories-won")
    f = function_for(results)
    np.testing.assert_allclose(merits_of(results, [f])[f.name], [[1 / 3, 1 / 3]])
    twice = np.array([[1.0, 1, 2, 2, 0, 0]])
    np.testing.assert_allclose(merits_of(results, [f], twice)[f.name], [[2 / 3, 1 / 3]])


@pytest.mark.parametrize("seeds", [False, True])
def test_several_replicates_are_the_same_as_one_by_one(monkeypatch, seeds):
    monkeypatch.setattr("deadheat.ranking.block.WORKING_SET", 7)  # two replicates at once
    apart = {"instance": ["i"] * 9, "seed": ILSVRC["instance"]} if seeds else {}
    runs = dh.Runs(**(ILSVRC | apart | {"quality": [10, 20, 40, 8, 3, 9, 5, 5, 6]}))
    results = read(runs, rule="ipc-sat", reference="replicate")
    f = function_for(results)
    rng = np.random.default_rng(0)
    judges = rng.integers(0, 3, (20, 3)) * rng.integers(0, 2, (20, 3)) + np.array([1, 0, 0])
    candidates = rng.integers(0, 2, (20, 3)) + np.array([1, 0, 0])
    whole = merits_of(results, [f], judges, candidates)[f.name]
    for b in range(20):
        alone = merits_of(results, [f], judges[b : b + 1], candidates[b : b + 1])[f.name]
        np.testing.assert_allclose(whole[b], alone[0])


def test_a_function_that_no_registry_knows_travels_by_its_fields():
    results = read(dh.Runs(**ILSVRC), rule="categories-won-accuracy")
    f = function_for(results)
    there = pickle.loads(pickle.dumps(f))
    assert there is not f
    assert f.shipped
    np.testing.assert_array_equal(there(results.scores), f(results.scores))
    assert there.shown(np.array([1.0]), results) == 3
    mean = next(g for g in dh.functions() if g.name == "mean")
    assert pickle.loads(pickle.dumps(mean)) is mean
    assert copy.copy(mean) is mean


def test_the_function_of_a_table_can_be_named_and_is_among_all():
    results = read(dh.Runs(**ILSVRC), rule="categories-won-accuracy")
    named = functions_for(results, "mean,categories-won")
    assert [f.name for f in named[0]] == [f.name for f in named[1]] == ["mean", "categories_won"]
    everything, called = functions_for(results, ["mean", "all"])
    assert [f.name for f in everything[:2]] == ["mean", "categories_won"]
    assert [f.name for f in called] == ["mean"]
    plain = dh.Results(scores=[[1, 2], [2, 1]], better="higher")
    assert function_of_rule(plain) is None
    assert function_for(plain).name == "average_rank"
    with pytest.raises(UsageError, match="categories-won is a scoring rule for runs"):
        functions_for(plain, "categories_won")
