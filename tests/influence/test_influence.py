"""Leaving one out, against ranking the rest again by loops."""

from __future__ import annotations

import json
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from influence_oracle import by_loops, example, least, places, random_table, same, told

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.influence import leave_judges_out as left_out
from deadheat.influence.api import KINDS
from deadheat.ranking.function import functions, get

QUICK = [f for f in functions() if not f.slow]


@pytest.mark.parametrize("f", QUICK, ids=lambda f: f.name)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 6), m=st.integers(2, 7))
def test_every_function_as_if_the_rest_were_ranked_again(f, seed, n, m):
    rng = np.random.default_rng(seed)
    table = random_table(rng, n, m, weights=rng.integers(1, 4, size=m))
    result = dh.influence(table, by=f, engine="serial")
    loops = by_loops(table, f, table.judges)
    same(told(result), loops)
    for kind in KINDS:
        assert result.facts()[kind] == sum(row[kind] for row in loops.values())


@pytest.mark.parametrize("name", ["mean", "average_rank", "success_rate", "median", "copeland"])
@pytest.mark.parametrize("over", ["clusters", "strata"])
def test_a_cluster_or_a_stratum_goes_as_a_whole(name, over):
    rng = np.random.default_rng(5)
    labels = [str(label) for label in rng.integers(0, 4, size=15)]
    for weights in (None, rng.random(15) + 0.1):
        table = random_table(rng, 14, 15, weights=weights, **{over: labels})
        f = get(name)
        result = dh.influence(table, by=f, over=over)
        same(told(result), by_loops(table, f, labels))
        assert result.facts()["judges"] == len(set(labels))
        assert result.facts()["over"] == over


@pytest.mark.parametrize("step", [1, 3, 4])
@pytest.mark.parametrize("name", ["mean", "borda", "relative_difference", "median", "minimax"])
def test_blocks_follow_on(monkeypatch, step, name):
    """Many candidates, more than ten and more than a byte of flags; blocks that do not divide."""
    rng = np.random.default_rng(2)
    table = random_table(rng, 13, 10, grades=5)
    labels = ["a", "b", "b", "c", "a", "d", "e", "e", "e", "f"]
    clustered = table.changed(clusters=tuple(labels))
    monkeypatch.setattr(left_out, "LARGEST_STEP", step)
    monkeypatch.setattr(left_out, "block_size", lambda n, m: step)
    monkeypatch.setattr(left_out, "WORKING_SET", 13 * 2)  # two judges at a time
    result = dh.influence(table, by=name)
    same(told(result), by_loops(table, get(name), table.judges))
    same(told(dh.influence(clustered, by=name)), by_loops(table, get(name), labels))
    winners = {judge: {*w["first"]} for w in result.winners() for judge in w["without"]}
    assert winners.keys() == {judge for judge, row in told(result).items() if row["winner"]}
    for judge, first in winners.items():
        rest = table.of_judges([j for j, other in enumerate(table.judges) if other != judge])
        assert first == {table.candidates[i] for i in least(places(rest, get(name)), 1)}


def test_a_judge_that_outweighs_all_others_leaves_no_rounding():
    """All but the heavy judge give the candidates the same scores in another order."""
    rest = [[0.1, 0.2, 0.7], [0.7, 0.2, 0.1], [0.2, 0.1, 0.7]]
    table = dh.Results(
        scores=np.column_stack([[0.3, 0.2, 0.1], rest]),
        judge_weights=[1e9, 1, 1, 1],
        better="higher",
    )
    result = dh.influence(table, by="mean")
    assert result.winners() == [
        {"first": ["candidate_1", "candidate_2", "candidate_3"], "without": ["judge_1"]}
    ]
    same(told(result), by_loops(table, get("mean"), table.judges))


@pytest.mark.parametrize("clusters", [None, ("a", "a", "b", "c", "c")])
@pytest.mark.parametrize("step", [1, 2, 1_000])
@pytest.mark.parametrize("turned", [False, True], ids=["first", "last"])
def test_a_judge_with_huge_scores_neither_ties_nor_unties_the_others(
    monkeypatch, clusters, step, turned
):
    """Beside scores of 1e9, a difference of 1e-6 is rounding; without them it is not."""
    monkeypatch.setattr(left_out, "LARGEST_STEP", step)
    scores = np.array(
        [
            [1e9, 0.0, 0.1, 0.2, 0.700001],
            [1e9 + 1, 0, 0.7, 0.2, 0.1],
            [-1e9, 0, 0.2, 0.7, 0.1],
            [0, 0, 0.1, 0.7, 0.2],
        ]
    )
    if turned:
        scores, clusters = scores[:, ::-1], clusters and clusters[::-1]
    table = dh.Results(scores=scores, better="higher", clusters=clusters)
    loops = by_loops(table, get("mean"), clusters or table.judges)
    assert loops[(clusters or table.judges)[-1 if turned else 0]]["winner"]
    same(told(dh.influence(table, by="mean")), loops)


@given(seed=st.integers(0, 10**6), parts=st.integers(1, 9), step=st.integers(1, 4))
def test_the_largest_outside_a_part_by_loops(seed, parts, step):
    sizes = np.random.default_rng(seed).integers(0, 6, size=(3, parts)).astype(float)
    starts = range(0, parts, step)
    blocks = [left_out._largest(sizes[:, k : k + step], k) for k in starts]
    value, largest, elsewhere = reduce(left_out._larger, blocks)
    found = np.where(largest == np.arange(parts)[:, None], elsewhere, value)
    for part in range(parts):
        for i in range(3):
            assert found[part, i] == max([0, *(sizes[i, k] for k in range(parts) if k != part)])


def test_single_precision_keeps_its_own_ties():
    rng = np.random.default_rng(0)
    scores = np.stack([rng.permutation(40) for _ in range(4)]).astype(np.float32) / 7 + 0.1
    table = dh.Results(scores=scores, better="higher")
    assert dh.influence(table, by="mean").first == (0, 1, 2, 3)
    same(told(dh.influence(table, by="mean")), by_loops(table, get("mean"), table.judges))


@pytest.mark.parametrize("name", ["mean", "average_rank", "trimmed_mean", "schulze"])
def test_the_engine_does_not_matter(monkeypatch, name):
    monkeypatch.setattr(left_out, "LARGEST_STEP", 4)
    monkeypatch.setattr(left_out, "block_size", lambda n, m: 4)
    table = random_table(np.random.default_rng(1), 6, 30)
    serial, threads = (dh.influence(table, by=name, engine=e) for e in ("serial", "threads:3"))
    assert serial.rows() == threads.rows()
    assert serial.facts() == threads.facts()


def test_a_judge_of_weight_0_changes_nothing():
    table = random_table(np.random.default_rng(3), 5, 6, weights=[0, 1, 2, 0, 1, 1])
    for name in ("mean", "average_rank", "median"):
        rows = told(dh.influence(table, by=name))
        for judge in ("judge_1", "judge_4"):
            assert not rows[judge]["any"]
            assert rows[judge]["change"] == pytest.approx(0, abs=1e-15)


def test_a_tie_that_is_made_or_broken_is_a_change():
    made = dh.influence(example([[2, 1, 1], [1, 1, 1]]), by="mean")
    assert {j: row["winner"] for j, row in told(made).items()} == {
        "p": True,
        "q": False,
        "r": False,
    }
    assert made.winners() == [{"first": ["a", "b"], "without": ["p"]}]
    broken = dh.influence(example([[2, 1, 1], [1, 2, 1]]), by="mean")
    assert broken.facts()["winner"] == 2
    assert {tuple(w["first"]): w["without"] for w in broken.winners()} == {
        ("b",): ["p"],
        ("a",): ["q"],
    }


def test_set_and_order_exclude_each_other_and_the_winner_is_on_the_podium():
    rng = np.random.default_rng(9)
    for _ in range(30):
        found = dh.influence(random_table(rng, 12, 8, grades=6), by="mean").changes
        for k in ("top10", "top3"):
            assert not (found.flag(f"{k}_set") & found.flag(f"{k}_order")).any()
        podium = found.flag("top3_set") | found.flag("top3_order")
        assert (podium | ~found.flag("winner")).all()
        assert (found.flag("any") | ~podium).all()


def test_the_most_decisive_come_first_and_the_most_redundant_are_named():
    """p makes a win; without s, d is third and not c; t says nothing; q and r say the same."""
    scores = [[10, 5, 5, 5, 5], [6, 6, 6, 6, 5], [1, 2, 2, 3, 5], [2, 2, 2, 1, 5]]
    result = dh.influence(example(scores), by="mean")
    assert [row["judge"] for row in result.rows()][:2] == ["p", "s"]
    facts = result.facts()
    assert facts["decisive"][:2] == ["p", "s"]
    assert facts["first"] == ["a"]
    changing = {row["judge"] for row in result.rows() if row["any"]}
    assert set(facts["decisive"]) == changing
    assert set(facts["redundant"]) == set("pqrst") - changing
    changes = [told(result)[judge]["change"] for judge in facts["redundant"]]
    assert changes == sorted(changes)


def test_the_change_is_that_of_a_difference_of_merits():
    scores = np.array([[9, 5, 5.0], [6, 6, 6], [1, 2, 1]])
    rows = told(dh.influence(example(scores), by="mean"))
    for j, judge in enumerate("pqr"):
        moves = np.delete(scores, j, axis=1).mean(axis=1) - scores.mean(axis=1)
        pairs = [abs(x - y) for x in moves for y in moves]
        assert rows[judge]["change"] == pytest.approx(max(pairs))


def test_the_contract_of_rows_and_facts():
    result = dh.influence(example([[9, 5, 5], [6, 6, 6], [1, 2, 1]]), by="mean")
    document = json.loads(result.to_json())
    assert document["schema"] == "deadheat.influence/1"
    keys = "judge any top10_set top10_order top3_set top3_order winner moved shift change"
    assert list(document["rows"][0]) == keys.split()
    assert document["rows"][0]["judge"] == "p"
    assert document["rows"][0]["moved"] == ["a", "b"]
    assert document["rows"][0]["winner"] is True
    facts = document["facts"]
    assert {kind: facts[kind] for kind in KINDS} == {
        "any": 1,
        "top10_set": 0,
        "top10_order": 1,
        "top3_set": 0,
        "top3_order": 1,
        "winner": 1,
    }
    assert facts["flip"] == {"ahead": "a", "behind": "b", "left_out": ["p"], "passed": True}
    assert document["made"]["over"] == "judges"
    assert document["made"]["function"] == ["mean"]


def test_clusters_are_left_out_where_there_are_some():
    table = example([[9, 5, 5], [6, 6, 6]], clusters=["x", "x", "y"])
    assert dh.influence(table, by="mean").facts()["over"] == "clusters"
    assert set(told(dh.influence(table, by="mean"))) == {"x", "y"}
    assert set(told(dh.influence(table, by="mean", over="judges"))) == {"p", "q", "r"}


def test_candidates_may_lose_their_rank_with_their_only_judge():
    scores = [[3, 2, np.nan], [2, 1, np.nan], [np.nan, np.nan, 9]]
    result = dh.influence(example(scores, missing="available"), by="mean")
    row = told(result)["r"]
    assert row["winner"]
    assert row["moved"] == ["a", "b", "c"]
    assert result.winners() == [{"first": ["a"], "without": ["r"]}]
    assert any("no score left" in warning for warning in result.warnings)
    assert result.flip is None


def test_a_tie_across_the_last_place_is_flagged():
    scores = [[9, 9], [5, 5], [4, 4], [4, 4], [1, 1]]
    result = dh.influence(example(scores), by="mean")
    assert (
        "the top 3 are 4 candidates: a tie across place 3 lets all of them in." in result.warnings
    )
    assert not dh.influence(example(scores[:2]), by="mean").warnings


def test_progress_is_told():
    heard = []
    table = random_table(np.random.default_rng(0), 3, 2_500)
    dh.influence(table, by="mean", progress=lambda done, number: heard.append((done, number)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("table", "options", "error", "message"),
    [
        (example([[1], [2]]), {}, DataError, "without judge 'p' nothing is left"),
        (
            example([[1, 2], [2, 1]], judge_weights=[0, 3]),
            {},
            DataError,
            "without judge 'q' nothing is left: all others have weight 0",
        ),
        (
            example([[1, 2], [2, 1]], strata=["s", "s"]),
            {"over": "strata"},
            DataError,
            "without stratum 's' nothing is left",
        ),
        (example([[1, 2], [2, 1]]), {"over": "strata"}, UsageError, "strata cannot be left out"),
        (
            example([[1, 2], [2, 1]]),
            {"over": "clusters"},
            UsageError,
            "columns could name the clusters",
        ),
        (example([[1, 2], [2, 1]]), {"over": "judge"}, UnknownNameError, "mean 'judges'"),
        (example([[1, 2], [2, 1]]), {"by": "men"}, UnknownNameError, "mean 'mean'"),
        (example([[1, np.nan], [2, 1]]), {}, DataError, "missing"),
    ],
)
def test_what_cannot_be_done_is_refused(table, options, error, message):
    with pytest.raises(error, match=message):
        dh.influence(table, **options)


def test_several_tables_are_one_with_a_row_for_each():
    """Table 1 of Fawcett et al. (2023): the counts of each table alone."""
    rng = np.random.default_rng(0)
    one = dh.Results(
        scores=rng.integers(0, 2, (12, 9)), candidates=list("abcdefghijkl"), better="higher"
    )
    two = one.of_candidates([0, 1, 2, 3]).changed(source="two")
    order = list("lkjihgfedcba")
    found = dh.influence([one, two], by="mean", official=order)
    for row, each in zip(found.rows(), (one, two), strict=True):
        known = [name for name in order if name in each.candidates]
        facts = dh.influence(each, by="mean", official=known).facts()
        keys = ("candidates", "judges", "any", "top10_set", "top10_order", "top3_set", "winner")
        assert {key: row[key] for key in keys} == {key: facts[key] for key in keys}
        assert row["table"] == each.source
    assert found.schema == "deadheat.influence-table/1"
    assert dh.load(found.to_json()).rows() == found.rows()
