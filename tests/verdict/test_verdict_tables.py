"""The table on a terminal, and the tables of the paper."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.output.table import BAR, bar
from verdict_oracle import graded, rank_of, table

K = 499
OFFICIAL = {"a": 2, "b": 1, "c": 4, "d": 3}
SCORES = graded(0, (1.5, 1.4, 0.0, -1.5), 40)
V = dh.verdict(table(SCORES), by="mean", replicates=K, official=OFFICIAL)


def test_groups_are_table_4():
    found = V.table("groups")
    assert found.schema == "deadheat.verdict-table/1"
    first, *rest = found.rows()
    x, y = V.groups[0]
    assert first["candidates"] == f"{x} ({OFFICIAL[x]}), {y} ({OFFICIAL[y]})"
    assert (first["group"], first["fractional_rank"], first["size"]) == ("1", 1.5, 2)
    assert [row["fractional_rank"] for row in rest] == [3, 4]
    assert "official rank" in found.verdict
    assert "observed rank" in dh.verdict(table(SCORES), replicates=99).table("groups").verdict


def test_the_summary_is_table_2():
    rows = {row["among"]: row for row in V.table("summary").rows()}
    assert list(rows) == ["all", "top 10", "top 3"]
    assert rows["all"] == {
        "among": "all", "candidates": 4, "groups": 3, "ties": 1, "inversions": 1,
        "mean_iqr": pytest.approx(V.spread.iqr.mean()),
    }  # fmt: skip
    top3 = [0, 1, 3]
    assert (rows["top 3"]["candidates"], rows["top 3"]["groups"]) == (3, 2)
    assert rows["top 3"]["inversions"] == 0
    assert rows["top 3"]["mean_iqr"] == pytest.approx(V.spread.iqr[top3].mean())


def test_another_top_is_added_to_the_summary():
    v = dh.verdict(table(SCORES), by="mean", replicates=K, top=1)
    assert [row["among"] for row in v.table("summary").rows()] == [
        "all",
        "top 10",
        "top 3",
        "top 1",
    ]


def test_first_is_table_3():
    rows = V.table("first").rows()
    shares = [row["first_share"] for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert min(shares) > 0
    ever = {name for name in "abcd" if V.row(name).first_share > 0}
    assert {row["candidate"] for row in rows} == ever
    assert 2 <= len(ever) < 4
    for row in rows:
        p = row["first_share"]
        assert row["monte_carlo_error"] == pytest.approx((p * (1 - p) / K) ** 0.5)
    assert V.table("first").verdict.startswith(f"{len(ever)} of 4 candidates are ever first in 499")


def test_all_others_who_are_ever_first_make_one_row():
    """Table 3: the first three of the order, and an aggregate count over the remaining solvers."""
    scores = graded(1, (0.3, 0.25, 0.2, 0.15, -3.0), 40)
    v = dh.verdict(table(scores), by="mean", replicates=K, official=list("bacde"), top=1)
    first, others = v.table("first").rows()
    assert (first["candidate"], first["candidates"]) == ("b", 1)
    assert (others["candidate"], others["candidates"]) == ("all others", 3)  # e never is
    ranked = [[rank_of(world, i) for i in range(5)] for world in v.merits.tolist()]
    each = [sum(world[i] == min(world) for i in (0, 2, 3)) for world in ranked]
    assert others["first_share"] == pytest.approx(np.mean(each))
    assert others["monte_carlo_error"] == pytest.approx(np.std(each) / K**0.5)
    assert dh.load(v.table("first").to_json()).rows() == v.table("first").rows()


def test_one_other_has_its_own_name():
    v = dh.verdict(table(graded(1, (0.3, 0.2, -3.0), 40)), by="mean", replicates=K, top=1)
    assert [row["candidate"] for row in v.table("first").rows()] == ["a", "b"]


def test_inversions_are_every_pair_that_contradicts_the_order():
    """By groups and by medians, each by loops over all pairs."""
    rng = np.random.default_rng(5)
    scores = graded(3, (1.0, 0.95, 0.9, 0.3, 0.25, 0.2), 30)
    official = dict(zip("abcdef", rng.permutation(6).tolist(), strict=True))
    official = {name: rank + 1 for name, rank in official.items()}
    v = dh.verdict(table(scores), by="mean", replicates=K, official=official)
    medians = {name: float(np.median(v.merits[:, i])) for i, name in enumerate(v.candidates)}
    group = {name: v.row(name).group for name in v.candidates}
    worse = [(x, y) for x in official for y in official if official[x] > official[y]]
    by_groups = {(x, y) for x, y in worse if group[x] < group[y]}
    by_medians = {(x, y) for x, y in worse if medians[x] > medians[y]}
    assert by_groups
    assert by_medians - by_groups
    rows = v.table("inversions").rows()
    assert {(row["above"], row["below"]) for row in rows} == by_groups | by_medians
    facts = v.facts()
    assert facts["inverted"] == rows
    assert (facts["inversions"], facts["median_inversions"]) == (len(by_groups), len(by_medians))
    shown = {(row["leader"], row["other"]) for row in v.table("tests").rows() if row["excluded"]}
    for row in rows:
        x, y = row["above"], row["below"]
        assert (row["rank_above"], row["rank_below"]) == (official[x], official[y])
        assert (row["group_above"], row["group_below"]) == (group[x], group[y])
        assert (row["median_above"] < row["median_below"]) == (medians[x] > medians[y])
        assert row["separated"] == ((x, y) in shown)
    assert f"put {len(by_medians)} pairs the other way round than the official order" in v.verdict
    assert dh.load(v.to_json()).facts()["inverted"] == rows


def test_medians_that_agree_with_the_order_are_not_mentioned():
    v = dh.verdict(table(SCORES), by="mean", replicates=K, official=list("bacd"))
    assert v.facts()["median_inversions"] == 0
    assert "medians" not in v.verdict
    other = dh.verdict(table(SCORES), by="mean", replicates=K, official=list("abcd"))
    said = "The medians over resamples put 1 pair the other way round than the official order: "
    assert f"{said}b (2) above a (1)." in other.verdict


def test_several_tables_are_one_with_a_row_for_each():
    """Table 2: a row says what the summary of its table alone does; fields need not be the same."""
    one = table(SCORES, source="one")
    two = table(graded(4, (1.0, 0.0), 30), names="dx", source="two")
    order = ["b", "a", "d", "c", "x"]
    found = dh.verdict([one, two], by="mean", replicates=K, official=order, seed=3)
    orders = (["b", "a", "d", "c"], ["d", "x"])
    for row, each, known in zip(found.rows(), (one, two), orders, strict=True):
        alone = dh.verdict(each, by="mean", replicates=K, official=known, seed=3)
        among = {line.pop("among"): line for line in alone.table("summary").rows()}
        assert (row["table"], row["judges"]) == (each.source, each.m)
        for top, begin in (("all", ""), ("top 10", "top10_"), ("top 3", "top3_")):
            for name in ("groups", "ties", "inversions", "mean_iqr"):
                assert row[f"{begin}{name}"] == among[top][name], (top, name)
    assert found.made["source"] == ["one", "two"]
    assert found.verdict.startswith("1 of 2 tables have a dead heat for first place")
    assert dh.load(found.to_json()).rows() == found.rows()
    more = dh.verdict([one, two], by="mean", replicates=K, official=[*order, "y"])
    assert more.rows() == found.rows()  # published orders name others, too
    with pytest.raises(dh.UsageError, match="no table is given"):
        dh.verdict([])


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_intervals_are_what_figure_1_draws_on_the_scale_that_people_write(better):
    v = dh.verdict(table(SCORES, better=better), by="mean", replicates=K)
    rows = v.table("intervals").rows()
    means = {name: row.mean() for name, row in zip("abcd", SCORES, strict=True)}
    order = sorted(means, key=means.get, reverse=better == "higher")
    assert [row["candidate"] for row in rows] == order
    for row in rows:
        assert row["mean"] == pytest.approx(means[row["candidate"]])
        assert row["low"] < row["median"] < row["high"]
        assert row["low"] < row["mean"] < row["high"]


def test_ten_intervals_are_enough_unless_more_are_asked():
    many = table(graded(0, np.linspace(2, 0, 12), 40), names="abcdefghijkl")
    assert len(dh.verdict(many, by="mean", replicates=K).table("intervals").rows()) == 10
    assert len(dh.verdict(many, by="mean", replicates=K, top=4).table("intervals").rows()) == 4


def test_unknown_tables_are_named():
    with pytest.raises(dh.UsageError, match="unknown table of a verdict 'grups'"):
        V.table("grups")


def cells_of(v):
    """Return the cells of the printed table as people see them, by heading."""
    names = [column.name or "mark" for column in v.grid().columns]
    return [dict(zip(names, cells, strict=True)) for cells in v.grid().cells]


def test_the_grid_shows_everybody_in_the_official_order():
    names = list(cells_of(V)[0])
    assert names[:5] == ["official", "rank", "mark", "candidate", "mean"]
    assert names[-3:] == ["first %", "ranks", "group"]
    assert [cells["candidate"] for cells in cells_of(V)] == sorted(OFFICIAL, key=OFFICIAL.get)
    for cells in cells_of(V):
        row = V.row(cells["candidate"])
        assert (cells["official"], cells["rank"]) == (OFFICIAL[row.candidate], row.rank)
        assert (cells["group"], cells["mean"]) == (row.group, row.shown)
        assert (cells["low"], cells["high"]) == (row.shown_low, row.shown_high)
        assert cells["first %"] == pytest.approx(100 * row.first_share)
        low, high = map(int, cells["ranks"].split("\u2013"))
        assert low <= row.rank_low <= row.rank_high <= high
        assert row.rank_low - low < 1 > high - row.rank_high


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("strict", [False, True])
def test_without_an_official_order_the_score_orders_the_table_and_ties_share_a_rank(better, strict):
    scores = np.round(graded(3, (1.0, 0.7, 0.7, 0.3, 0.0, -1.0), 30), 1)
    scores[2] = scores[1][::-1]  # the same mean
    v = dh.verdict(table(scores, better=better), by="mean", replicates=K, strict=strict)
    shown = [cells["mean"] for cells in cells_of(v)]
    assert shown == sorted(shown, reverse=better == "higher")
    ranks = [cells["rank"] for cells in cells_of(v)]
    assert ranks == sorted(ranks)
    tied = {cells["candidate"]: cells["rank"] for cells in cells_of(v)}
    assert tied["b"] == tied["c"] == sum(rank < tied["b"] for rank in ranks) + 1.5
    assert [row["candidate"] for row in v.rows()] == [cells["candidate"] for cells in cells_of(v)]


@pytest.mark.parametrize("strict", [False, True])
def test_the_mark_is_group_1_of_the_json(strict):
    for seed in range(8):
        scores = graded(seed, (0.5, 0.45, 0.4, 0.2, 0.0, -1.0), 40)
        v = dh.verdict(table(scores), by="mean", replicates=K, strict=strict)
        rows = json.loads(v.to_json())["rows"]
        level = {row["candidate"] for row in rows if row["group"] == 1}
        marked = {cells["candidate"] for cells in cells_of(v) if cells.get("mark") == "="}
        assert marked == (level if len(level) > 1 else set())
        assert {*json.loads(v.to_json())["facts"]["members"][0]} == level


def test_the_legend_explains_a_better_score_that_is_not_level():
    """Where results vary more, a larger gap to the leader may be chance."""
    rng = np.random.default_rng(0)
    steady, wild = rng.normal(0, 0.05, 40), rng.normal(0, 4.0, 40)
    rows = [np.ones(40), 0.9 + steady - steady.mean(), 0.5 + wild - wild.mean()]
    v = dh.verdict(table(rows), by="mean", replicates=K)
    assert [cells["candidate"] for cells in cells_of(v)] == ["a", "b", "c"]
    assert {*v.groups[0]} == {"a", "c"}
    level, better = v.grid().legend
    assert level == "=  level with a: one-sided tests at 5 % do not separate them"
    assert better == "   not b: closer than c, but steadily behind"
    assert all(line in repr(v) for line in v.grid().legend)
    even = dh.verdict(table([rows[0], rows[1], 0.4 + steady]), by="mean", replicates=K)
    assert even.grid().legend == ()


def test_the_legend_explains_shared_places_where_one_is_shown():
    def told(*rows, **options):
        legend = dh.verdict(table(rows), by="mean", replicates=K, **options).grid().legend
        return [line for line in legend if "share" in line]

    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 40))
    ties = "Ties share their mean rank"
    both = "first %: a shared first place counts for all who share it."
    assert told(one, other) == []
    assert told(one, one, one - 9) == [f"{ties}; {both}"]
    assert told(one + 9, other, other) == [f"{ties}."]
    assert told(one + 9, other, other, top=1) == []
    whole = np.where(np.arange(40) < 1, 1.0, 0.0)
    assert told(whole, whole / 2, np.zeros(40)) == [both[0].upper() + both[1:]]


@pytest.mark.parametrize(("most", "warned"), [(1.0, False), (3.0, True)])
def test_unequal_strata_are_warned_of_only_where_equal_weights_change_the_winner(most, warned):
    """Stratum x has 30 judges, y 10: b is first on y, and by so much or not."""
    strata = np.array(["x"] * 30 + ["y"] * 10)
    rows = np.array([np.where(strata == "x", 1.0, 0.0), np.where(strata == "x", 0.0, most - 0.5)])
    noise = np.random.default_rng(1).normal(0, 0.1, (2, 40))
    results = table(rows + noise, strata=strata)
    equal = [(results.scores[:, strata == name].mean(axis=1)) for name in "xy"]
    assert (np.argmax(np.mean(equal, axis=0)) == 1) == warned
    v = dh.verdict(results, by="mean", replicates=K)
    assert v.winners == ("a",)
    said = [each for each in v.reasons if "stratum" in each]
    assert [each.split(":")[0] for each in said] == (
        ["If every stratum counted the same, b would be first"] if warned else []
    )
    assert all("weight='equal-strata'" in each and each.good is False for each in said)
    same = table((rows + noise)[:, 10:30], strata=strata[10:30])
    assert not any("stratum" in each for each in dh.verdict(same, by="mean", replicates=K).reasons)


def test_bars_lie_on_one_axis_and_right_is_better():
    for better in ("higher", "lower"):
        v = dh.verdict(table(SCORES, better=better), by="mean", replicates=K)
        grid = v.grid()
        names = [column.name for column in grid.columns]
        who, at = names.index("candidate"), next(k for k, x in enumerate(names) if "\u2026" in x)
        dots = {cells[who]: cells[at].index("\u25cf") for cells in grid.cells}
        merits = {name: v.row(name).merit for name in "abcd"}
        order = sorted(merits, key=merits.get)
        assert sorted(dots.values()) == [dots[name] for name in order]
        assert max(len(cells[at]) for cells in grid.cells) == BAR
        ends = names[at].split(" \u2026 ")
        assert (float(ends[0]) < float(ends[1])) == (better == "higher")


@pytest.mark.parametrize(
    ("ends", "drawn"),
    [
        ((0, 0.5, 1), "\u2500" * 8 + "\u25cf" + "\u2500" * 7),
        ((0, 0, 0), "\u25cf"),
        ((1, 1, 1), " " * 15 + "\u25cf"),
        ((0.2, 0.4, 0.6), "   \u2500\u2500\u2500\u25cf\u2500\u2500\u2500"),
        ((0.2, 0.9, 0.4), "   \u2500\u2500\u2500\u2500       \u25cf"),
    ],
)
def test_a_bar(ends, drawn):
    assert bar(*ends, left=0, right=1) == drawn


def test_a_bar_without_an_axis_is_a_dot():
    assert bar(1, 1, 1, left=1, right=1) == "\u25cf"


def test_the_notes_say_how_it_was_resampled_and_what_it_is_about():
    notes = V.grid().notes
    assert notes[0] == "499 resamples: 40 judges, drawn with replacement."
    assert "95 % percentile intervals" in V.grid().captions[0]
    assert "where 95 % of the resamples put it" in notes[1]
    strata = ["x"] * 20 + ["y"] * 20
    v = dh.verdict(table(SCORES, strata=strata), by="mean", replicates=K, alpha=0.1)
    assert (
        v.grid()
        .notes[0]
        .endswith("(Rao-Wu weights); the strata are taken as given, not as a sample.")
    )
    assert "90 % percentile intervals" in v.grid().captions[0]
    alone = dh.verdict(table(SCORES), by="mean", plan="jackknife")
    assert alone.grid().notes[0] == "40 judges, one judge left out at a time."
    assert "95 % jackknife intervals" in alone.grid().captions[0]
    assert "tables with one left out" in alone.grid().notes[1]


def test_the_top_only_is_said_to_be_so():
    v = dh.verdict(table(SCORES), by="mean", replicates=K, official=OFFICIAL, top=2)
    assert len(v.grid().cells) == 2
    assert v.grid().legend[-1] == "The top 2 of 4 candidates are shown."
    assert len(dh.verdict(table(SCORES), by="mean", replicates=K, top=9).grid().cells) == 4


def test_whole_numbers_are_written_without_decimals():
    solved = dh.verdict(table(np.round(SCORES) * 40), by="median", replicates=99)
    assert solved.digits == 0
    assert V.digits == 3


def test_documents_have_numbers_where_terminals_have_bars():
    v = dh.verdict(table(SCORES), by="mean", replicates=K)
    screen, paper = (
        [c.name for c in g.columns] for g in (v.grid().on_screen(), v.grid().printed())
    )
    assert [name for name in screen if "\u2026" in name]
    assert "low" not in screen
    means = ["mean", "low", "high", "first %", "ranks", "group"]
    assert paper == ["rank", "", "candidate", *means]
    assert "Bars" not in v.to_md()
    assert "\u25cf" not in v.to_md() + v.to_latex()
    assert "\\n" not in repr(v)


def test_rows_have_the_interval_as_people_write_it():
    v = dh.verdict(table(-SCORES, better="lower"), by="mean", replicates=K, official=OFFICIAL)
    for row in v.rows():
        assert (row["shown_low"], row["shown_high"]) == (-row["high"], -row["low"])
        assert row["official"] == OFFICIAL[row["candidate"]]
    assert dh.verdict(table(SCORES), by="mean", replicates=K).rows()[0]["official"] is None


def test_the_ranks_are_those_of_the_replicates():
    v = dh.verdict(table(SCORES), by="mean", replicates=K)
    for row in v.table("ranks").rows():
        i = v.candidates.index(row["candidate"])
        of_ranks = [1 + sum(merits > merits[i]) for merits in v.merits]  # no ties here
        assert row["q50"] == np.median(of_ranks)
        assert row["mean_rank"] == pytest.approx(np.mean(of_ranks))
        assert row["top3_share"] == np.mean(np.array(of_ranks) <= 3)


def test_the_tests_are_those_of_the_leaders():
    v = dh.verdict(table(SCORES), by="mean", replicates=K)
    rows = v.table("tests").rows()
    leaders = {row["leader"] for row in rows if row["group"] == 1}
    assert len(leaders) == 1
    assert leaders < set(v.groups[0]) | leaders
    excluded = {row["other"] for row in rows if row["group"] == 1 and row["excluded"]}
    assert excluded == set(v.candidates) - set(v.groups[0])


def test_every_pair_has_its_p_values():
    v = dh.verdict(table(SCORES), by="mean", replicates=K)
    rows = v.table("pairs").rows()
    assert len(rows) == 6
    for row in rows:
        a, b = (v.candidates.index(row[key]) for key in "ab")
        worse = np.count_nonzero(v.merits[:, a] <= v.merits[:, b])
        assert row["p_a_better"] == pytest.approx((worse + 1) / (K + 1))
        assert 0 < row["p_all_pairs"] <= 1
