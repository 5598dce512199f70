"""Ranking functions by name."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.ranking import function as registry


def total(scores):
    return scores.sum(axis=1)


@pytest.fixture
def mine():
    f = registry.ranks_table("mine", scale="interval", aliases=("my_own",), slow=True)(total)
    yield f
    if "mine" in {f.name for f in registry.functions()}:
        registry.forget("mine")


def test_the_functions_come_in_the_order_of_their_names():
    names = [f.name for f in registry.functions()]
    assert names == sorted(set(names))
    assert {"mean", "average_rank", "copeland"} <= set(names)


@pytest.mark.parametrize("name", ["average_rank", "average-rank", "Average Rank", " average_rank "])
def test_a_name_is_the_same_with_hyphens_blanks_and_capitals(name):
    assert registry.get(name).name == "average_rank"


def test_a_function_stands_for_itself():
    f = registry.get("mean")
    assert registry.get(f) is f


def test_an_alias_gives_the_same_function():
    assert registry.get("iqm") is registry.get("trimmed_mean")
    assert [f.name for f in registry.functions_named("iqm,trimmed_mean")[0]] == ["trimmed_mean"]


def test_an_unknown_name_comes_with_the_one_that_was_meant():
    with pytest.raises(UnknownNameError) as caught:
        registry.get("copland")
    message = str(caught.value)
    assert message.startswith("unknown ranking function 'copland'. Did you mean 'copeland'?")
    assert "average_rank" in message.partition("Hint: ")[2]


def test_a_name_like_none_is_only_unknown():
    with pytest.raises(UnknownNameError) as caught:
        registry.get("zzzzzz")
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize("name", [None, 3, ["mean"]])
def test_what_is_no_name_is_unknown(name):
    with pytest.raises(UnknownNameError):
        registry.get(name)


def test_all_leaves_the_slow_ones_out(mine):
    chosen, named = registry.functions_named("all")
    assert named == []
    assert mine not in chosen
    assert chosen == [f for f in registry.functions() if not (f.slow or f.baseline)]


def test_those_called_by_name_come_before_all_others(mine):
    chosen, named = registry.functions_named("all,mine")
    assert named == [mine]
    assert chosen == [mine, *registry.functions_named("all")[0]]


def test_several_functions_keep_the_order_asked_for_and_come_once():
    chosen, named = registry.functions_named("median, mean,median")
    assert [f.name for f in chosen] == ["median", "mean"]
    assert named == chosen
    assert registry.functions_named(["median", registry.get("mean")]) == (chosen, chosen)
    assert registry.functions_named(registry.get("mean"))[0] == [registry.get("mean")]


@pytest.mark.parametrize("by", ["", " , ", []])
def test_no_name_at_all_is_refused(by):
    with pytest.raises(UsageError, match="no ranking function is named"):
        registry.functions_named(by)


def test_a_registered_function_is_found_by_name_and_alias_until_it_is_forgotten(mine):
    assert registry.get("mine") is registry.get("my-own") is mine
    assert mine in registry.functions()
    np.testing.assert_array_equal(mine([[1.0, 2.0], [3.0, 4.0]]), [[3.0, 7.0]])
    registry.forget("my_own")
    for name in ("mine", "my_own"):
        with pytest.raises(UnknownNameError):
            registry.get(name)


def test_a_newer_function_replaces_the_older_of_the_same_name(mine):
    newer = registry.ranks_table("mine", scale="interval")(lambda scores: -scores.sum(axis=1))
    assert registry.get("mine") is newer


def test_an_alias_that_belongs_to_another_is_refused_and_nothing_changes():
    before = registry.functions()
    with pytest.raises(UsageError, match="'iqm' already belongs to the function 'trimmed_mean'"):
        registry.ranks_table("iqm", scale="interval")(total)
    assert registry.functions() == before


def test_a_function_whose_alias_is_taken_is_not_registered_by_half():
    with pytest.raises(UsageError, match="'mean' already belongs"):
        registry.ranks_table("half_registered", scale="interval", aliases=("mean",))(total)
    left = [f for f in registry.functions() if f.name == "half_registered"]
    registry.FUNCTIONS.pop("half_registered", None)  # forget() would take mean away as well
    assert not left


def test_a_claim_that_does_not_exist_is_refused_with_the_name():
    with pytest.raises(UsageError, match="cannot register ranking function 'odd'"):
        registry.ranks_table("odd", scale="interval", colour="red")(total)


def test_a_function_without_a_scale_is_refused():
    with pytest.raises(UsageError, match="scale is required"):
        registry.ranks_table("odd")(total)


def test_claims_may_be_plain_sets(mine):
    f = registry.ranks_table("mine", scale="interval", satisfies={"iia"})(total)
    assert f.satisfies == frozenset({"iia"})


@pytest.mark.parametrize("name", ["par2", "PAR2", "par10", "par7", "solved", "ipc-agile"])
def test_a_scoring_rule_is_no_ranking_function_and_told_to_be_a_rule(name):
    with pytest.raises(UsageError, match="is a scoring rule for runs") as caught:
        registry.get(name)
    assert caught.value.hint.startswith("by this rule: by=None, rule='")
