"""What the words of a verdict claim, against what its tests showed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.verdict.words import headline
from verdict_oracle import graded, table

CLAIM = re.compile(r"(\w) is the clear winner: tests show it better than (the other one|each of)")
TESTED = re.compile(r"(\w) wins: [a-z -]*tests[a-z ]* at [\d.]+ % show it better than")


@st.composite
def verdicts(draw):
    """Verdicts on small tables of small numbers, with many ties and of all kinds."""
    n, m = draw(st.integers(2, 5)), draw(st.integers(2, 14))
    levels = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    noise = draw(st.lists(st.integers(0, 3), min_size=n * m, max_size=n * m))
    scores = np.array(levels)[:, None] + np.reshape(noise, (n, m))
    official = draw(st.none() | st.permutations("abcde"[:n]))
    plan = draw(st.sampled_from([None, None, "bayesian", "jackknife", "subsample"]))
    if plan == "jackknife" and m < 3:
        plan = None
    return dh.verdict(
        table(scores.astype(float)),
        by="mean",
        replicates=99,
        strict=draw(st.booleans()) and plan is None,
        official=official and list(official),
        plan=plan,
    )


def shown_better(v):
    """Return who was shown better than whom, read from the tests themselves."""
    if v.strictly is not None:
        better = v.strictly.tests.better
        return {(v.candidates[i], v.candidates[j]) for i, j in np.argwhere(better).tolist()}
    tested = v.table("tests").rows()
    return {(row["leader"], row["other"]) for row in tested if row["excluded"]}


@settings(max_examples=25)
@given(verdicts())
def test_nobody_is_called_better_without_a_test_that_says_so(v):
    said, names = v.verdict, [column.name for column in v.grid().columns]
    shown = shown_better(v)
    below = [name for group in v.groups[1:] for name in group]
    claimed = [found[1] for found in CLAIM.finditer(said)]
    claimed += TESTED.findall(said)
    for name in claimed:
        assert {(name, other) for other in below} <= shown
    every = " ".join([said, v.guarantee, *v.warnings, *v.grid().notes])
    assert "significan" not in every.lower()
    assert "statistically" not in every.lower()
    assert len(re.findall("better than(?! it is)", said)) == len(claimed)
    assert len(re.findall(" wins: | winner: ", said)) == len(claimed)
    level = {row[names.index("candidate")] for row in v.grid().cells if "=" in row}
    assert level == ({*v.groups[0]} if v.says_level else set())


@settings(max_examples=25)
@given(verdicts())
def test_few_judges_and_other_plans_show_nothing(v):
    if v.evidence.independent < 6:
        assert not re.search("better than(?! it is)", v.verdict)
        assert "clear winner" not in v.verdict
        assert not re.search(r"tests[\w .%]* separate", v.verdict + "".join(v.grid().legend))
        assert not v.says_level


@settings(max_examples=25)
@given(verdicts())
def test_pairs_are_told_apart_where_tests_say_so(v):
    said = [line for line in v.verdict.splitlines() if line.startswith("In the groups")]
    official = {name: v.official[i] for i, name in enumerate(v.candidates)}
    group = {name: g for g, names in enumerate(v.groups) for name in names}
    turned = {
        (a, b)
        for a in v.candidates
        for b in v.candidates
        if group[a] < group[b] and official[a] > official[b]
    }
    assert bool(said) == bool(turned and v.has_official)
    for line in said:
        assert int(line.split()[3]) == len(turned)
        named = re.search(r"\((?:such as )?(\w) above (\w)", line)
        assert (named[1], named[2]) in turned
        if re.search(r"tests[\w .%]* separate (them|all)", line):
            assert turned <= shown_better(v)
        if found := re.search(r"tests[\w .%]* separate (\d+) of", line):
            assert int(found[1]) == len(turned & shown_better(v))
        if "no test" in line:
            assert not v.shows or not turned & shown_better(v)


def test_a_dead_heat_of_few_judges_shows_nobody_better():
    scores = [[9.0, 8, 9], [8.0, 9, 8], [1.0, 1, 1]]
    v = dh.verdict(table(scores), by="mean", replicates=499)
    few = "a is first by mean, but 3 judges are too few to show that it is better."
    assert headline(v) == few
    assert v.grid().legend == ()
    assert "group" not in [column.name for column in v.grid().columns]
    assert v.facts()["undecided"]
    assert v.guarantee.startswith("There are no groups: 3 judges are too few")


def test_few_clusters_are_called_clusters():
    scores = np.vstack([np.full(20, 9.0), np.ones(20)]) + np.random.default_rng(0).normal(
        0, 0.1, (2, 20)
    )
    v = dh.verdict(
        table(scores, clusters=[str(j // 5) for j in range(20)]), by="mean", replicates=99
    )
    assert "but 4 clusters are too few to show that it is better." in v.sentences[0]


@pytest.mark.parametrize("plan", ["bayesian", "jackknife", "subsample"])
def test_other_plans_claim_no_test(plan):
    for seed in range(30):
        v = dh.verdict(
            table(graded(seed, (0.45, 0.0, 0.0), 30)), by="mean", replicates=199, plan=plan
        )
        if len(v.groups) > 1 and "clear winner" not in v.verdict and len(v.groups[0]) < 5:
            said = v.sentences[0] + "".join(v.grid().legend)
            assert "by a plan whose error is not known" in said
            assert "tests" not in said
            return
    raise AssertionError("no such table")


def test_an_official_order_that_tests_contradict_is_said_to_be_so():
    steps = np.array([9.0, 5, 1])[:, None] + np.random.default_rng(0).normal(0, 0.02, (3, 40))
    for strict in (False, True):
        v = dh.verdict(
            table(steps), by="mean", replicates=499, official=["b", "a", "c"], strict=strict
        )
        assert "(a above b); tests separate them." in v.verdict
        v = dh.verdict(
            table(steps), by="mean", replicates=499, official=["c", "b", "a"], strict=strict
        )
        assert "3 pairs contradict" in v.verdict
        assert "; tests separate all of them." in v.verdict
